// The standings. Each place can be opened to see what each round adds to each tie-break.
import type { JSX } from "preact";
import { Fragment } from "preact";
import { useState } from "preact/hooks";
import type { Standing } from "../api/types";
import { t } from "../i18n";
import type { TournamentSession } from "./session";

/** A number of points or of a tie-break, which are multiples of 1/144, with at most two decimals. */
const decimal = (value: number): string => String(Math.round(value * 100) / 100);

export function Standings({ session }: { session: TournamentSession }): JSX.Element | null {
  const [open, setOpen] = useState<number>();
  const tournament = session.tournament.value;
  const standings = session.standings.value;
  if (!tournament || standings.length === 0) return null;
  const columns = tournament.tie_breaks.filter((one) => one !== "lots" && one !== "direct_meeting");
  const nameOf = (number: number): string =>
    tournament.entrants.find((one) => one.number === number)?.name ?? `#${number}`;
  const span = 3 + columns.length;
  return (
    <section class="box standings" aria-labelledby="standings">
      <h2 id="standings">{t("standings")}</h2>
      <div class="scroll" tabIndex={0} role="group" aria-label={t("standings")}>
        {/* A new order makes a new table, so that no row keeps an old place. */}
        <table key={standings.map((one) => one.entrant).join()}>
          <thead>
            <tr>
              <th scope="col">
                <span class="unseen">{t("place")}</span>#
              </th>
              <th scope="col">{t("name")}</th>
              <th scope="col">{t("points")}</th>
              {columns.map((one) => (
                <th key={one} scope="col">
                  {t(`tie_${one}`)}
                </th>
              ))}
            </tr>
          </thead>
          {standings.map((one) => (
            <tbody key={one.entrant}>
              <tr data-standing={one.entrant}>
                <td>{one.place}</td>
                <th scope="row" dir="auto">
                  <button
                    class="quiet"
                    aria-expanded={open === one.entrant}
                    title={t("explain")}
                    onClick={() => setOpen(open === one.entrant ? undefined : one.entrant)}
                  >
                    {one.name}
                    <span class="unseen">: {t("explain")}</span>
                  </button>
                  {one.prizes && one.prizes.length > 0 && <small class="prize">{one.prizes.join(" · ")}</small>}
                </th>
                <td>{decimal(one.points)}</td>
                {columns.map((word) => {
                  const value = one.tie_breaks.find((tie) => tie.tie_break === word)?.value;
                  return (
                    <td key={word} class={one.decided_by === word ? "decides" : ""}>
                      {value === undefined ? "" : decimal(value)}
                    </td>
                  );
                })}
              </tr>
              {open === one.entrant && (
                <tr class="explained">
                  <td colSpan={span}>
                    <Explained standing={one} nameOf={nameOf} />
                  </td>
                </tr>
              )}
            </tbody>
          ))}
        </table>
      </div>
    </section>
  );
}

function Explained({ standing, nameOf }: { standing: Standing; nameOf: (number: number) => string }): JSX.Element {
  return (
    <div>
      <p>
        {standing.decided_by ? t("decided_by", { tie_break: t(`tie_${standing.decided_by}`) }) : t("decided_by_points")}
      </p>
      <dl>
        {standing.tie_breaks.map((tie) => (
          <Fragment key={tie.tie_break}>
            <dt>
              {t(`tie_${tie.tie_break}`)}: {decimal(tie.value)}
            </dt>
            <dd class="facts">
              {t(`about_${tie.tie_break}`)}
              {tie.parts.length > 0 && (
                <ul>
                  {tie.parts.map((part, index) => (
                    <li key={index} class={part.cut ? "cut" : ""}>
                      {t("part_of_round", {
                        round: part.round,
                        value: decimal(part.value),
                        names: part.opponents.map(nameOf).join(", ") || "–",
                      })}
                      {part.cut && ` (${t("left_out")})`}
                    </li>
                  ))}
                </ul>
              )}
            </dd>
          </Fragment>
        ))}
      </dl>
    </div>
  );
}
