"""Runs a round of games with the generated Python client: round.py ADDRESS. Prints the results of the round.

An organiser creates a group and its games in one request, follows the group by a ticket, as a browser does, and reads
the results in one answer.
"""

import sys
import urllib.error
import urllib.request
import uuid

import pagade_client as api


def client(address, token=None):
    return api.ApiClient(api.Configuration(host=address, access_token=token))


def table(number):
    seats = {seat: api.JoinSeat(name=f"{seat} {number}") for seat in ("white", "black")}
    return api.CreateGame(rule_set="royal-game-of-ur", options={}, title=f"Table {number}", seats=seats, start=True)


def main(address):
    created = api.GroupsApi(client(address)).create_group(str(uuid.uuid4()), create_group=api.CreateGroup(title="A round", private=True))
    group, owner = created.group.id, api.GroupsApi(client(address, created.token))
    wish, key = api.CreateGames(games=[table(number) for number in (1, 2, 3)]), str(uuid.uuid4())
    games = owner.create_games(group, key, wish).games
    assert owner.create_games(group, key, wish).games == games, "a request that is sent again has one effect"
    assert owner.complete_group(group).games.playing == 3
    me = api.ServiceApi(client(address, games[0].seats["white"])).read_me()
    assert (me.seat, me.game.id) == ("white", games[0].id) and "throw_dice" in me.may, me

    ticket = owner.create_group_ticket(group)
    with opened(address + ticket.url) as stream:
        for game in games:
            api.GamesApi(client(address, game.seats["black"])).resign_seat(game.id, idempotency_key=str(uuid.uuid4()))
        words = []
        while "group_over" not in words:
            line = stream.readline().decode().strip()
            words += [line.removeprefix("event: ")] if line.startswith("event: ") else []
    assert words[0] == "snapshot" and words.count("game_over") == 3, words
    refused(address + ticket.url)

    listed = owner.list_group_games(group, status="finished").games
    assert sorted(game.title for game in listed) == ["Table 1", "Table 2", "Table 3"], listed
    for game in listed:
        assert game.ended_by == api.EndedBy.RESIGNATION and game.ranking[0].seat == "white", game
        print(game.title, game.ranking[0].seat)


def opened(url):
    """Opens a stream as `EventSource` does."""
    return urllib.request.urlopen(urllib.request.Request(url, headers={"Accept": "text/event-stream"}), timeout=60)


def refused(url):
    """Checks that a ticket does not open a second stream."""
    try:
        opened(url)
    except urllib.error.HTTPError as problem:
        assert problem.code == 401, problem
    else:
        raise AssertionError("the ticket was taken twice")


if __name__ == "__main__":
    main(sys.argv[1])
