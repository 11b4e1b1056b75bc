// The form by which an arbiter decides a table: the places, the scores, who did not come, and the reason.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Round } from "../api/types";
import { Check } from "../form/Check";
import { Field, Refused } from "../form/problems";
import { useWork } from "../form/work";
import { t } from "../i18n";
import { rightsIn } from "./rights";
import type { TournamentSession } from "./session";

type RoundTable = Round["tables"][number];

interface Line {
  entrant: number;
  place: number;
  /** The score as it was typed; empty: none is given. */
  score: string;
  noShow: boolean;
}

/** The greatest length of a reason. */
const LONGEST = 200;

interface Props {
  session: TournamentSession;
  round: number;
  table: RoundTable;
  nameOf: (number: number) => string;
}

export function GiveResult({ session, round, table, nameOf }: Props): JSX.Element | null {
  const [lines, setLines] = useState<Line[]>();
  const [reason, setReason] = useState("");
  const [takeBack, setTakeBack] = useState(false);
  const { busy, trouble, run } = useWork();
  if (!rightsIn(session.id)?.token) return null;
  const shown = lines ?? linesOf(table);
  const tournament = session.tournament.value;
  const hasLaterRounds = tournament?.format.kind !== "arena" && round < (tournament?.rounds.length ?? 0);
  const change = (index: number, more: Partial<Line>): void =>
    setLines(shown.map((line, at) => (at === index ? { ...line, ...more } : line)));
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    const seats = shown.map(({ entrant, place, score, noShow }) => ({
      entrant,
      place,
      ...(score !== "" && { score: Number(score) }),
      ...(noShow && { no_show: true }),
    }));
    // The version makes sure that no result of another arbiter is overwritten unseen.
    const version = table.result ? table.version : undefined;
    const body = { seats, reason: reason.trim(), ...(takeBack && hasLaterRounds && { take_back: true }) };
    const path = `rounds/${round}/tables/${table.table}/result`;
    const isDone = await run(() => session.manage("PUT", path, body, version));
    if (isDone) {
      setLines(undefined);
      setReason("");
      setTakeBack(false);
    }
  };
  return (
    <details class="give-result">
      <summary>{t(table.result ? "change_result" : "give_result")}</summary>
      <form onSubmit={(event) => void send(event)}>
        {shown.map((line, index) => (
          <Field key={line.entrant} group text={nameOf(line.entrant)} at={`/seats/${index}`} trouble={trouble}>
            {(marks) => (
              <span class="row">
                <label>
                  {t("place")}{" "}
                  <select
                    {...marks}
                    value={line.place}
                    data-place={line.entrant}
                    onChange={(event) => change(index, { place: Number(event.currentTarget.value) })}
                  >
                    {shown.map((_, at) => (
                      <option key={at} value={at + 1}>
                        {at + 1}
                      </option>
                    ))}
                  </select>
                </label>
                <label>
                  {t("pawns_home_score")}{" "}
                  <input
                    type="number"
                    min={-10_000}
                    max={10_000}
                    value={line.score}
                    onInput={(event) => change(index, { score: event.currentTarget.value })}
                  />
                </label>
                <label class="row">
                  <input
                    type="checkbox"
                    data-no-show={line.entrant}
                    checked={line.noShow}
                    onChange={(event) => change(index, { noShow: event.currentTarget.checked })}
                  />{" "}
                  {t("did_not_come")}
                </label>
              </span>
            )}
          </Field>
        ))}
        <Field text={t("reason")} at="/reason" trouble={trouble}>
          {(marks) => (
            <input
              {...marks}
              name="reason"
              required
              maxLength={LONGEST}
              value={reason}
              onInput={(event) => setReason(event.currentTarget.value)}
            />
          )}
        </Field>
        {table.result && hasLaterRounds && (
          <Check text={t("take_back")} at="/take_back" trouble={trouble} value={takeBack} set={setTakeBack} />
        )}
        <Refused trouble={trouble} fields={["/seats", "/reason", "/take_back"]} />
        <p>
          <button data-give-result disabled={busy}>
            {t(table.result ? "change_result" : "give_result")}
          </button>
        </p>
      </form>
    </details>
  );
}

/**
 * The lines of the form when it opens: the table's result, or without a result the entrants in the order of the table.
 */
function linesOf(table: RoundTable): Line[] {
  if (table.result) {
    return table.result.seats.map((seat) => ({
      entrant: seat.entrant,
      place: seat.place,
      score: String(seat.score),
      noShow: seat.no_show,
    }));
  }
  return table.entrants.map((entrant, index) => ({ entrant, place: index + 1, score: "", noShow: false }));
}
