"""Plays a whole game with the generated Python client: play.py ADDRESS. Prints the seats by rank."""

import sys
import uuid

import pagade_client as api


def main(address):
    with api.ApiClient(api.Configuration(host=address)) as anyone:
        games = api.GamesApi(anyone)
        sets = api.RuleSetsApi(anyone).list_rule_sets().rule_sets
        assert any(one.id == "royal-game-of-ur" for one in sets), sets
        wish = api.CreateGame(rule_set="royal-game-of-ur", options={}, title="By the Python client")
        key = str(uuid.uuid4())
        created = games.create_game(wish, idempotency_key=key)
        assert games.create_game(wish, idempotency_key=key).game.id == created.game.id
        game = created.game
        tokens = {}
        for seat in game.seats:
            tokens[seat.seat] = games.join_seat(game.id, seat.seat, join_seat=api.JoinSeat(name=f"Python, {seat.seat}")).token
        players = {seat: api.TurnsApi(client(address, token)) for seat, token in tokens.items()}
        started = api.GamesApi(client(address, created.token)).start_game_with_http_info(game.id)
        game, etag = started.data, started.headers["etag"]
        refused(lambda: players[game.turn].throw_dice(game.id, '"0"'), 412, "version_conflict")

        while game.status == api.GameStatus.PLAYING:
            player = players[game.turn]
            if game.awaits == api.Awaits.THROW:
                answer = player.throw_dice_with_http_info(game.id, etag, idempotency_key=str(uuid.uuid4()))
            else:
                listed = player.list_legal_actions(game.id)
                assert [action.action for action in listed.legal] == game.legal
                wish = api.PlayActions(actions=game.legal[:1])
                answer = player.play_actions_with_http_info(game.id, etag, wish, idempotency_key=str(uuid.uuid4()))
            game, etag = answer.data.game, answer.headers["etag"]

        events, page = [], api.EventList(events=[], next_after=0, complete=False)
        while not page.complete:
            page = games.list_events(game.id, after=page.next_after, limit=1000)
            events += page.events
        assert [event.actual_instance.id for event in events] == list(range(1, game.events + 1))
        assert games.read_game(game.id).status == api.GameStatus.FINISHED
        assert games.read_dice(game.id).dice.actual_instance.kind == "lots"
        # The generated client can read JSON and plain text, but not `application/x-ndjson`.
        assert "royal-game-of-ur" in api.RecordsApi(anyone).read_record(game.id, _headers={"Accept": "text/plain"})
        for rank in game.ranking:
            print(rank.place, rank.seat)


def client(address, token):
    return api.ApiClient(api.Configuration(host=address, access_token=token))


def refused(call, status, code):
    try:
        call()
    except api.ApiException as problem:
        assert problem.status == status and api.ProblemBody.from_json(problem.body).code == code, problem
    else:
        raise AssertionError(f"it was not refused: {code}")


if __name__ == "__main__":
    main(sys.argv[1])
