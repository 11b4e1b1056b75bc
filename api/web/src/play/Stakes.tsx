// The stakes of a game at a table: chips, experience and ratings. After its end, what each player has gained or lost.
import type { JSX } from "preact";
import { inLine, t } from "../i18n";
import { gainText, notScoredText, stakesText } from "../tables/chips";
import type { TableSession } from "../tables/session";
import type { Session } from "./session";
import { seatName } from "./words";

/** The stake and the pot of a game, and whether it counts. */
export function Stakes({ session }: { session: Session }): JSX.Element | null {
  const scoring = session.game.value?.scoring;
  if (!scoring) return null;
  const facts = [
    stakesText(scoring.bet, scoring.pot),
    scoring.pot > 0 && t("bank_gets_quarter"),
    notScoredText(scoring.reason) ?? t("counts_in_full"),
  ];
  return (
    <p class="facts stakes" data-pot={scoring.pot}>
      {inLine(facts)}
    </p>
  );
}

/** What each player has gained or lost by a settled game of a table. */
export function Settled({ session, game }: { session: TableSession; game: string }): JSX.Element | null {
  const past = session.table.value?.past_games.find((one) => one.id === game);
  if (!past || !past.players.some((one) => gainText(one))) return null;
  const names = { rules: session.rules.value };
  const notScored = notScoredText(past.not_scored);
  return (
    <section class="box settled" aria-labelledby="settled">
      <h2 id="settled">{t("settled")}</h2>
      <ul>
        {past.players.map((one) => (
          <li key={one.seat} data-settled={one.chips ?? 0} class="row spread">
            <span dir="auto">{one.name ?? seatName(one.seat, names)}</span> <b>{gainText(one)}</b>
          </li>
        ))}
      </ul>
      <p class="facts">{inLine([t("bank_gets_quarter"), notScored])}</p>
    </section>
  );
}
