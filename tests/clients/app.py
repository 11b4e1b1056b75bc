"""An app without a browser, from the generated Python client alone: app.py ADDRESS RULE_SET STEPS.

It draws the board from the layout as text, shows every legal move by pawn, moves pawns place by place along the paths
of events, and computes the state from the events alone. After every step it compares that state with the server's. It
says in two languages why the other moves are refused.
"""

import sys
import uuid

import pagade_client as api


class Board:
    """The board of a table, drawn as text."""

    def __init__(self, layout):
        self.layout = layout
        self.squares = {(seat.seat, place.place): place.square for seat in layout.seats for place in seat.places}
        self.edges = {(seat.seat, edge.var_from, edge.to) for seat in layout.seats for edge in seat.edges}

    def draw(self, pawns):
        """Squares as dots, tagged ones as plus signs; pawns as the letter of their seat and their number."""
        cells = {(square.x, square.y): "+" if square.tags else "." for square in self.layout.squares}
        names = {square.id: (square.x, square.y) for square in self.layout.squares}
        standing, elsewhere = {}, {}
        for pawn, (place, marks) in sorted(pawns.items()):
            seat, number = pawn.rsplit("-", 1)
            square = self.squares[seat, place]
            if square is None:
                elsewhere.setdefault((seat, place), []).append(pawn)
            else:
                standing.setdefault(names[square], []).append(seat[0] + number + ("'" if marks else ""))
        rows = []
        for y in range(self.layout.rows):
            row = ["".join(standing.get((x, y), [cells.get((x, y), " ")])).ljust(4) for x in range(self.layout.columns)]
            rows.append("".join(row).rstrip())
        rows += [f"{seat} {place}: {' '.join(names)}" for (seat, place), names in elsewhere.items()]
        return "\n".join(rows)


def plain(counters):
    """The values of counters, without the wrappers that the generated client puts round them."""
    return {owner: {name: value.actual_instance for name, value in own.items()} for owner, own in counters.items()}


class State:
    """The state of a game, from its events alone."""

    def __init__(self, board):
        self.board, self.pawns, self.counters, self.next, self.ranking = board, {}, {}, None, []
        self.frames = 0

    def add(self, event):
        if isinstance(event, api.StartedEvent):
            self.pawns = {pawn.id: (pawn.place, set(pawn.marks or [])) for pawn in event.pawns}
            self.counters = plain(event.counters)
        elif isinstance(event, api.MovedEvent):
            self.walk(event)
        elif isinstance(event, api.SentEvent):
            self.put(event.pawn, event.to)
        elif isinstance(event, api.MarkChangedEvent):
            place, marks = self.pawns[event.pawn]
            self.pawns[event.pawn] = place, marks | {event.mark} if event.set else marks - {event.mark}
        elif isinstance(event, api.CounterChangedEvent):
            self.counters[event.seat or "game"][event.counter] = event.value.actual_instance
        self.next = event.next or self.next
        self.ranking = event.ranking if event.ranking is not None else self.ranking

    def put(self, pawn, place):
        self.pawns[pawn] = place, self.pawns[pawn][1]

    def walk(self, event):
        """Animates a move: a picture for every place of the path."""
        assert self.pawns[event.pawn][0] == event.var_from and event.path[-1] == event.to, event
        for place in event.path:
            before = self.board.draw(self.pawns)
            self.put(event.pawn, place)
            same = self.board.squares[event.seat, event.var_from] == self.board.squares[event.seat, place]
            assert same or self.board.draw(self.pawns) != before, f"{event.pawn} does not move: {event.path}"
            self.frames += 1

    def compare(self, game):
        for seat in game.seats:
            for pawn in seat.pawns:
                assert self.pawns[pawn.id] == (pawn.place, set(pawn.marks or [])), (pawn, self.pawns[pawn.id])
                assert self.board.squares[seat.seat, pawn.place] == pawn.square, pawn
        assert self.counters == plain(game.counters), (self.counters, game.counters)
        told = self.next
        assert (told.awaits, told.turn, told.throw, told.hand) == (game.awaits, game.turn, game.throw, game.hand), told
        assert [rank.seat for rank in self.ranking] == [rank.seat for rank in game.ranking]


def moves_by_pawn(listed):
    """Returns the legal moves by the pawn that a person would touch, and the legal actions that move no pawn."""
    by_pawn, others = {}, []
    for action in listed.legal:
        for pawn in action.pawns:
            by_pawn.setdefault(pawn, []).append(action)
        if not action.pawns:
            others.append(action)
    return by_pawn, others


LANGUAGES = ("en", "kn")  # the languages of the app's texts


class Refusals:
    """Says why moves are refused: before they are tried, and when the server refuses them."""

    def __init__(self, player):
        self.player, self.said, self.codes = player, 0, set()

    def explain(self, game):
        """Returns the attempts, after a check that every own pawn with every number has an action or a reason."""
        answers = [self.player.list_legal_actions(game.id, explain="all", accept_language=tag) for tag in LANGUAGES]
        told = [answer.attempts for answer in answers]
        assert len(told[0]) == len(told[1]) > 0, told
        own = next(seat for seat in game.seats if seat.seat == (game.moves or game.turn))
        explained = {(pawn, number) for attempt in told[0] for pawn in attempt.pawns for number in attempt.spends}
        missing = [(pawn.id, number) for pawn in own.pawns for number in game.hand if (pawn.id, number) not in explained]
        assert not missing, missing
        for english, other in zip(*told):
            assert (english.action is None) != (english.reason is None), english
            if english.reason:
                assert english.reason.args == other.reason.args and english.reason.detail != other.reason.detail
        return told[0]

    def try_one(self, game, step):
        """Tries a move that is not legal. Checks that the server gives the reason that the app has shown."""
        attempts = [attempt for attempt in self.explain(game) if attempt.reason and attempt.to]
        legal = {action.replace("x:", ":") for action in game.legal}
        text = lambda attempt: f"{attempt.var_from}{'=' if attempt.together else '-'}{attempt.to}:{'+'.join(attempt.spends)}"
        attempts = [attempt for attempt in attempts if text(attempt) not in legal]
        if not attempts:
            return
        attempt = attempts[step % len(attempts)]
        said = []
        for tag in LANGUAGES:
            wish = api.PlayActions(actions=[text(attempt)])
            try:
                self.player.play_actions(game.id, "*", wish, accept_language=tag)
                raise AssertionError(f"{text(attempt)} is legal")
            except api.ApiException as refused:
                assert refused.status == 409, refused
                problem = api.ProblemBody.from_json(refused.body)
                reasons = {part.code: part for part in problem.problems}
                assert problem.code == "action_not_legal" and attempt.reason.code in reasons, (attempt, problem)
                said.append(reasons[attempt.reason.code].detail)
        assert said[0] != said[1], said
        self.said += 1
        self.codes.add(attempt.reason.code.value)


def main(address, rule_set, steps):
    anyone = api.ApiClient(api.Configuration(host=address))
    wish = api.CreateGame(rule_set=rule_set, options={}, hot_seat=True, seed=f"an app plays {rule_set}")
    created = api.GamesApi(anyone).create_game(wish, idempotency_key=str(uuid.uuid4()))
    own = api.ApiClient(api.Configuration(host=address, access_token=created.token))
    game, player = created.game, api.TurnsApi(own)
    layout = api.RuleSetsApi(anyone).read_rule_set_layout(game.rule_set.id, digest=game.rule_set.digest)
    assert any(table.players == [seat.seat for seat in game.seats] for table in layout.tables), layout.tables
    board = Board(layout)
    state = State(board)
    for event in api.GamesApi(anyone).list_events(game.id, limit=100).events:
        state.add(event.actual_instance)
    state.compare(game)
    touched, refusals = 0, Refusals(player)
    for step in range(steps):
        if state.next.awaits == api.Awaits.NOTHING:
            break
        key = str(uuid.uuid4())
        if state.next.awaits == api.Awaits.THROW:
            answer = player.throw_dice(game.id, "*", idempotency_key=key)
        else:
            listed = player.list_legal_actions(game.id)
            by_pawn, others = moves_by_pawn(listed)
            touched += len(by_pawn)
            refusals.try_one(game, step)
            shown = [action for moves in by_pawn.values() for action in moves] + others
            assert {action.action for action in shown} == set(game.legal)
            usual = [action for action in listed.legal if not action.voluntary and action.kind != api.LegalKind.PASS]
            wanted = usual or listed.legal
            wanted = [action for action in wanted if action.captured] or wanted
            action = wanted[step % len(wanted)]
            answer = player.play_actions(game.id, "*", api.PlayActions(actions=[action.action]), idempotency_key=key)
            cut = {event.actual_instance.pawn for event in answer.events if event.actual_instance.event == "cut"}
            assert set(action.captured) <= cut, (action, cut)
        game = answer.game
        for event in answer.events:
            state.add(event.actual_instance)
        state.compare(game)
    print(board.draw(state.pawns))
    assert refusals.said > 0, "no move was refused"
    told = f"{refusals.said} refusals explained ({', '.join(sorted(refusals.codes))})"
    print(f"{rule_set}: {game.steps} steps, {state.frames} pictures, {touched} pawns with moves, {told}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
