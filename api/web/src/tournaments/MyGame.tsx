// The link to the game that the entrant of this browser has to play now.
import type { JSX } from "preact";
import { read, refusalOf } from "../api/client";
import type { Game } from "../api/types";
import { keep, keptGame } from "../keep";
import { t } from "../i18n";
import { go } from "../route";
import { rightsIn } from "./rights";
import type { TournamentSession } from "./session";

export function MyGame({ session }: { session: TournamentSession }): JSX.Element | null {
  const mine = session.mine.value;
  const table = session.round.value?.tables.find((one) => mine !== undefined && one.entrants.includes(mine));
  const game = table?.games.find((one) => one.status === "playing");
  if (!game) return null;
  const open = async (event: Event): Promise<void> => {
    if (mine !== session.linked.peek()) return;
    event.preventDefault();
    await takeSeat(session, game.id).then(
      () => go(`/play/${game.id}`),
      (error: unknown) => (session.trouble.value = refusalOf(error)),
    );
  };
  return (
    <p>
      <a class="button primary" data-my-game href={`/play/${game.id}`} onClick={(event) => void open(event)}>
        {t("to_my_game")}
      </a>
    </p>
  );
}

/** Stores the game with the token of the personal link. The seat is the one with the name of the entrant or member. */
async function takeSeat(session: TournamentSession, id: string): Promise<void> {
  const rights = rightsIn(session.id);
  const entrant = session.tournament.peek()?.entrants.find((one) => one.number === session.linked.peek());
  if (!rights?.entrant || !entrant || keptGame(id)) return;
  const name = entrant.members?.[rights.member ?? 0] ?? entrant.name;
  const game = await read<Game>(`/v1/games/${id}`, rights.entrant);
  const seat = game.seats.find((one) => one.name === name)?.seat;
  const title = game.title ?? session.rules.peek()?.title ?? "";
  if (seat) keep({ id, rule_set: game.rule_set.id, title, at: Date.now(), seats: { [seat]: rights.entrant } });
}
