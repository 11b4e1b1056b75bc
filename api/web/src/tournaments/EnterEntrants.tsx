// The form by which the organiser enters people and robots, and the personal links of people without an account.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Field, Refused } from "../form/problems";
import { useWork } from "../form/work";
import { t } from "../i18n";
import { robotName, ROBOTS } from "../play/robots";
import { addRights, rightsIn } from "./rights";
import type { TournamentSession } from "./session";

interface Entrant {
  name: string;
  members?: string[];
  robot?: string;
}

interface Entered {
  entrants: { number: number; tokens: string[] }[];
}

/** The entrants of a text, one a line. A team is written `name: member, member`. */
function entrantsOf(text: string, team: number): Entrant[] {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  return lines.map((line) => {
    if (team === 1) return { name: line };
    const [name = "", members = ""] = line.split(/:(.*)/s);
    return {
      name: name.trim(),
      members: members
        .split(",")
        .map((one) => one.trim())
        .filter(Boolean),
    };
  });
}

/** Robots with names that no entrant has. */
function robotsOf(kind: string, count: number, team: number, taken: Set<string>): Entrant[] {
  const found: Entrant[] = [];
  const word = robotName(kind).replace(/\s*\(.*\)/, "");
  for (let number = 1; found.length < count; number += 1) {
    const name = `${word} ${number}`;
    if (taken.has(name)) continue;
    const members = Array.from({ length: team }, (_, index) => `${name}.${index + 1}`);
    found.push({ name, robot: kind, ...(team > 1 && { members }) });
  }
  return found;
}

export function EnterEntrants({ session }: { session: TournamentSession }): JSX.Element | null {
  const [text, setText] = useState("");
  const [kind, setKind] = useState("hunter");
  const [count, setCount] = useState(1);
  const { busy, trouble, run } = useWork();
  const [sent, setSent] = useState<Entrant[]>([]);
  const tournament = session.tournament.value;
  if (!tournament) return null;
  const team = tournament.team_size;
  const enter = (event: Event, entrants: Entrant[], then: () => void): void => {
    event.preventDefault();
    if (entrants.length === 0) return;
    setSent(entrants);
    void run(async () => {
      const entered = await session.manage<Entered>("POST", "entrants", { entrants });
      const tokens = Object.fromEntries(
        entered.entrants.filter((one) => one.tokens.length > 0).map((one) => [one.number, one.tokens]),
      );
      addRights(session.id, { entrants: { ...rightsIn(session.id)?.entrants, ...tokens } });
      then();
    });
  };
  const say = (part: { pointer?: string; detail: string }): string => {
    const name = sent[Number(/^\/entrants\/(\d+)/.exec(part.pointer ?? "")?.[1] ?? -1)]?.name;
    return name ? `${name}: ${part.detail}` : part.detail;
  };
  const names = new Set(tournament.entrants.map((one) => one.name));
  const wasRobots = sent.some((one) => one.robot);
  return (
    <details class="enter-entrants" open={tournament.status === "open"}>
      <summary>{t("enter_entrants")}</summary>
      <form onSubmit={(event) => enter(event, entrantsOf(text, team), () => setText(""))}>
        <Field
          text={t(team > 1 ? "team_lines" : "name_lines")}
          at="/entrants"
          trouble={wasRobots ? undefined : trouble}
          say={say}
          class="tall"
        >
          {(marks) => (
            <textarea
              {...marks}
              name="names"
              rows={3}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          )}
        </Field>
        <p>
          <button data-enter-people disabled={busy || !text.trim()}>
            {t("enter_people")}
          </button>
        </p>
      </form>
      {tournament.robots && (
        <form onSubmit={(event) => enter(event, robotsOf(kind, count, team, names), () => undefined)}>
          <Field group text={t("sim_robots")} at="/entrants" trouble={wasRobots ? trouble : undefined} say={say}>
            {(marks) => (
              <span class="row">
                <select
                  {...marks}
                  name="robot"
                  aria-label={t("robot")}
                  value={kind}
                  onChange={(event) => setKind(event.currentTarget.value)}
                >
                  {ROBOTS.map((one) => (
                    <option key={one} value={one}>
                      {robotName(one)}
                    </option>
                  ))}
                </select>
                <input
                  type="number"
                  name="robots"
                  aria-label={t("robots_count")}
                  min={1}
                  max={64}
                  value={count}
                  onInput={(event) => setCount(Math.min(64, Math.max(1, Number(event.currentTarget.value))))}
                />
                <button data-enter-robots disabled={busy}>
                  {t("enter_robots")}
                </button>
              </span>
            )}
          </Field>
        </form>
      )}
      <Refused trouble={trouble} fields={["/entrants"]} />
    </details>
  );
}
