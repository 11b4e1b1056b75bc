// Simulations of the rules that are being written, beside those of the rule set that they extend.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Refusal, refusalOf } from "../api/client";
import type { CreateSimulation, Layout, RuleSetSummary, Simulation } from "../api/types";
import { t } from "../i18n";
import { troubleText } from "../play/words";
import { Fairness, Figures, Lengths, number, type Series } from "./Charts";
import { lineOf, simulate } from "./simulation";

const GAMES = [100, 1000, 5000, 20_000];
const ROBOTS = ["random", "runner", "hunter", "thinker", "learned"] as const;
type RobotName = (typeof ROBOTS)[number];

interface Props {
  text: string;
  set: RuleSetSummary | undefined;
  layout: Layout | undefined;
  playable: boolean;
  /** The rule set that the text extends. */
  base: RuleSetSummary | undefined;
  onLine: (line: string) => void;
}

/** One of the simulations that run side by side. */
interface Side {
  name: string;
  state: Simulation | undefined;
  trouble: Refusal | undefined;
}

export function Simulate({ text, set, layout, playable, base, onLine }: Props): JSX.Element {
  const [games, setGames] = useState(1000);
  const [robot, setRobot] = useState<RobotName>("hunter");
  const [table, setTable] = useState(0);
  const [beside, setBeside] = useState(true);
  const [sides, setSides] = useState<Side[]>([]);
  const [busy, setBusy] = useState(false);
  const stop = useRef<AbortController>();
  useEffect(() => () => stop.current?.abort(), []);
  const tables = layout?.tables ?? [];
  const start = async (): Promise<void> => {
    const controller = new AbortController();
    stop.current = controller;
    const common = { games, robots: [robot], players: (tables[table] ?? tables[0])?.players ?? null };
    const wishes: [string, CreateSimulation][] = [[set?.title ?? t("this_text"), { ...common, text }]];
    if (beside && base) wishes.push([base.title, { ...common, rule_set: base.id, version: base.version }]);
    const change = (at: number, more: Partial<Side>): void =>
      setSides((known) => known.map((side, index) => (index === at ? { ...side, ...more } : side)));
    setBusy(true);
    setSides(wishes.map(([name]) => ({ name, state: undefined, trouble: undefined })));
    await Promise.all(
      wishes.map(([, wish], index) =>
        simulate(wish, (state) => change(index, { state }), controller.signal).catch((error: unknown) =>
          change(index, { trouble: refusalOf(error) }),
        ),
      ),
    );
    setBusy(false);
  };
  const planned = sides.reduce((sum, side) => sum + (side.state?.games ?? games), 0);
  const played = sides.reduce((sum, side) => sum + (side.state?.played ?? 0), 0);
  return (
    <>
      <form
        class="simulate"
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <label class="field">
          <span>{t("sim_games")}</span>
          <select name="games" value={games} onChange={(event) => setGames(Number(event.currentTarget.value))}>
            {GAMES.map((count) => (
              <option key={count} value={count}>
                {number(count)}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{t("sim_robots")}</span>
          <select name="robot" value={robot} onChange={(event) => setRobot(event.currentTarget.value as RobotName)}>
            {ROBOTS.map((name) => (
              <option key={name} value={name}>
                {t(`sim_robot_${name}`)}
              </option>
            ))}
          </select>
        </label>
        {tables.length > 1 && (
          <label class="field">
            <span>{t("table")}</span>
            <select name="table" value={table} onChange={(event) => setTable(Number(event.currentTarget.value))}>
              {tables.map((one, index) => (
                <option key={one.players.join()} value={index}>
                  {one.players.length}: {one.players.join(", ")}
                </option>
              ))}
            </select>
          </label>
        )}
        {base && (
          <label class="field check">
            <input
              type="checkbox"
              name="beside"
              checked={beside}
              onChange={(event) => setBeside(event.currentTarget.checked)}
            />
            <span>{t("sim_beside", { base: base.title })}</span>
          </label>
        )}
        <p class="row">
          <button class="primary" disabled={busy || !playable}>
            {t("simulate")}
          </button>
          {busy && (
            <button type="button" data-cancel onClick={() => stop.current?.abort()}>
              {t("cancel")}
            </button>
          )}
        </p>
      </form>
      {sides.length > 0 && (
        <p class="progress">
          <progress max={planned} value={played} aria-label={t("sim_progress")} />
          <span role="status" data-ended={sides.every((side) => side.trouble ?? side.state?.status === "ended")}>
            {stateOf(sides, planned, played)}
          </span>
        </p>
      )}
      {sides.map(
        (side) =>
          side.trouble && (
            <p key={side.name} class="note warn" role="alert">
              {side.name}: {troubleText(side.trouble)}
            </p>
          ),
      )}
      <Outcome sides={sides} layout={layout} text={text} onLine={onLine} />
    </>
  );
}

/** How far the simulations are, and why they ended if not all games were played. */
function stateOf(sides: Side[], planned: number, played: number): string {
  const ends = sides.flatMap(({ state }) =>
    state?.ended_by && state.ended_by !== "complete" ? [t(`sim_ended_${state.ended_by}`)] : [],
  );
  const waits = sides.some(({ state }) => state?.status === "waiting") && played === 0;
  return [
    waits ? t("sim_waiting") : t("sim_played", { played: number(played), games: number(planned) }),
    ...new Set(ends),
  ].join(" ");
}

function Outcome({
  sides,
  layout,
  text,
  onLine,
}: {
  sides: Side[];
  layout: Layout | undefined;
  text: string;
  onLine: (line: string) => void;
}): JSX.Element | null {
  const series: Series[] = sides.flatMap(({ name, state }) =>
    state?.results ? [{ name, results: state.results, games: Math.max(state.played, 1) }] : [],
  );
  if (series.length === 0 || !sides[0]?.state?.results) return null;
  const known = new Set(layout?.seats.map((seat) => seat.seat));
  const never = sides[0].state.results.lines.filter((line) => line.fired === 0);
  return (
    <div class="outcome">
      <Lengths series={series} />
      <Fairness
        series={series}
        nameOf={(seat) => (known.has(seat) ? seat.charAt(0).toLocaleUpperCase() + seat.slice(1) : seat)}
      />
      <Figures series={series} />
      <h3>{t("never_fired")}</h3>
      {never.length === 0 ? (
        <p>{t("all_fired")}</p>
      ) : (
        <>
          <p class="hint">{t("never_fired_help")}</p>
          <ul class="lines">
            {never.map(({ line }) => (
              <li key={line}>
                {lineOf(text, line) ? (
                  <button class="quiet" onClick={() => onLine(line)}>
                    <code>{line}</code>
                  </button>
                ) : (
                  // The text does not have this rule line: it comes from the rule set that the text extends.
                  <code>{line}</code>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
