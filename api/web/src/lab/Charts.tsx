// Charts of simulations: how long games last, and how often each seat wins. Each chart has a text that says the same.
import type { ComponentChildren, JSX } from "preact";
import type { SimulationResults } from "../api/types";
import { language, t } from "../i18n";

export interface Series {
  name: string;
  results: SimulationResults;
  games: number;
}

/** The formats of numbers in use, by language and digits. Making one takes much longer than using it. */
const formats = new Map<string, Intl.NumberFormat>();

export function number(value: number, digits = 0): string {
  const key = `${language.value} ${digits}`;
  let format = formats.get(key);
  if (!format) {
    const options = { maximumFractionDigits: digits, minimumFractionDigits: digits };
    formats.set(key, (format = new Intl.NumberFormat(language.value, options)));
  }
  return format.format(value);
}

export const percent = (value: number): string =>
  new Intl.NumberFormat(language.value, { style: "percent", maximumFractionDigits: 1 }).format(value);

const WIDTH = 420;
const HEIGHT = 170;
const MARGIN = { left: 14, right: 14, top: 12, bottom: 28 };

/** A chart of the lengths of games: the number of games by turns. The first series is filled, the second is a line. */
export function Lengths({ series }: { series: Series[] }): JSX.Element {
  const bars = series.flatMap((one) => one.results.turns.bars);
  const from = Math.min(...bars.map((bar) => bar.from));
  const to = Math.max(...bars.map((bar) => bar.to)) + 1;
  // The share of the games for each single turn of a bar, so that bars of different widths can be compared.
  const density = (bar: { from: number; to: number; games: number }, games: number): number =>
    bar.games / games / (bar.to - bar.from + 1);
  const highest = Math.max(
    ...series.flatMap((one) => one.results.turns.bars.map((bar) => density(bar, one.games))),
    1e-9,
  );
  const x = (turns: number): number =>
    MARGIN.left + ((turns - from) / Math.max(to - from, 1)) * (WIDTH - MARGIN.left - MARGIN.right);
  const y = (value: number): number =>
    HEIGHT - MARGIN.bottom - (value / highest) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  const floor = y(0);
  const outline = (one: Series): string => {
    const corners = one.results.turns.bars.map((bar) => {
      const top = y(density(bar, one.games)).toFixed(1);
      return `L${x(bar.from).toFixed(1)} ${top}L${x(bar.to + 1).toFixed(1)} ${top}`;
    });
    const [first, last] = [one.results.turns.bars[0]!, one.results.turns.bars.at(-1)!];
    return `M${x(first.from).toFixed(1)} ${floor}${corners.join("")}L${x(last.to + 1).toFixed(1)} ${floor}`;
  };
  const said = series.map((one) =>
    t("length_said", {
      name: one.name,
      mean: number(one.results.turns.mean, 1),
      p5: number(one.results.turns.p5),
      p95: number(one.results.turns.p95),
    }),
  );
  return (
    <figure class="chart">
      <figcaption>{t("chart_length")}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${t("chart_length")}: ${said.join(" ")}`}>
        {series.map((one, index) => (
          <path key={one.name} class={`series-${index}`} d={outline(one)} />
        ))}
        <line class="axis" x1={MARGIN.left} x2={WIDTH - MARGIN.right} y1={floor} y2={floor} />
        {ticks(from, to).map((turns) => (
          <g key={turns}>
            <line class="axis" x1={x(turns)} x2={x(turns)} y1={floor} y2={floor + 4} />
            <text x={x(turns)} y={HEIGHT - 8} text-anchor="middle">
              {number(turns)}
            </text>
          </g>
        ))}
        {series.map((one, index) => (
          <line
            key={one.name}
            class={`mean series-${index}`}
            x1={x(one.results.turns.mean)}
            x2={x(one.results.turns.mean)}
            y1={MARGIN.top}
            y2={floor}
          />
        ))}
      </svg>
      {series.length > 1 && <Legend series={series} />}
    </figure>
  );
}

/** About five round numbers between two ends, for the ticks of an axis. */
function ticks(from: number, to: number): number[] {
  const rough = (to - from) / 5;
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough) ?? power;
  const found: number[] = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) found.push(at);
  return found;
}

function Legend({ series }: { series: Series[] }): JSX.Element {
  return (
    <p class="legend">
      {series.map((one, index) => (
        <span key={one.name}>
          <svg viewBox="0 0 22 12" aria-hidden="true">
            <path class={`series-${index}`} d="M1 10V2H21V10" />
          </svg>
          {one.name}
        </span>
      ))}
    </p>
  );
}

const ROW = 30;

/** A chart of how often each seat wins, with the interval in which the true share lies, and the fair share. */
export function Fairness({ series, nameOf }: { series: Series[]; nameOf: (seat: string) => string }): JSX.Element {
  const rows = series.flatMap((one, index) => one.results.wins.map((win) => ({ ...win, index, name: one.name })));
  const fair = series[0]!.results.first.fair;
  const most = Math.min(1, Math.max(...rows.map((row) => row.interval[1] ?? row.rate), fair) * 1.12);
  const left = 104;
  const x = (share: number): number => left + (share / most) * (WIDTH - left - 58);
  const height = rows.length * ROW + 24;
  const said = rows.map((row) => `${row.name}, ${nameOf(row.seat)}: ${percent(row.rate)}`);
  return (
    <figure class="chart">
      <figcaption>{t("chart_wins")}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={`${t("chart_wins")}: ${said.join("; ")}`}>
        {rows.map((row, at) => {
          const middle = at * ROW + ROW / 2;
          const [low = row.rate, high = row.rate] = row.interval;
          return (
            <g key={`${row.index} ${row.seat}`}>
              <text x={left - 8} y={middle + 4} text-anchor="end">
                {shortened(nameOf(row.seat))}
              </text>
              <rect
                class={`bar series-${row.index}`}
                x={left}
                y={middle - 8}
                width={Math.max(x(row.rate) - left, 0.5)}
                height={16}
                rx={3}
              />
              <path class="interval" d={`M${x(low)} ${middle - 4}v8m0-4H${x(high)}m0-4v8`} />
              <text x={WIDTH - 2} y={middle + 4} text-anchor="end">
                {percent(row.rate)}
              </text>
            </g>
          );
        })}
        <line class="fair" x1={x(fair)} x2={x(fair)} y1={2} y2={rows.length * ROW} />
        <text x={x(fair)} y={height - 8} text-anchor="middle">
          {t("fair_share", { share: percent(fair) })}
        </text>
      </svg>
      {series.length > 1 && <Legend series={series} />}
    </figure>
  );
}

const shortened = (text: string): string => (text.length > 13 ? `${text.slice(0, 12)}…` : text);

/** The key figures of simulations, side by side. */
export function Figures({ series }: { series: Series[] }): JSX.Element {
  const row = (key: Parameters<typeof t>[0], value: (results: SimulationResults) => ComponentChildren): JSX.Element => (
    <tr>
      <th scope="row">{t(key)}</th>
      {series.map((one) => (
        <td key={one.name}>{value(one.results)}</td>
      ))}
    </tr>
  );
  const signed = (value: number): string => `${value > 0 ? "+" : ""}${percent(value)}`;
  return (
    <table class="figures">
      <thead>
        <tr>
          <th scope="col">{t("per_game")}</th>
          {series.map((one) => (
            <th key={one.name} scope="col">
              {one.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {row("figure_turns", ({ turns }) => number(turns.mean, 1))}
        {row("figure_middle", ({ turns }) => `${number(turns.p5)} – ${number(turns.median)} – ${number(turns.p95)}`)}
        {row("figure_longest", ({ turns }) => number(turns.longest))}
        {row("figure_first", (results) => number(results.turns_to_first, 1))}
        {row("figure_throws", (results) => number(results.throws, 1))}
        {row("figure_cuts", (results) => number(results.cuts, 2))}
        {row("figure_passes", (results) => number(results.passes, 1))}
        {row("figure_decisions", (results) => number(results.decisions, 1))}
        {row("figure_choice", (results) => number(results.legal_actions, 1))}
        {row("figure_beginner", ({ first }) => (
          <>
            {signed(first.advantage)}{" "}
            <small>
              {signed(first.interval[0] ?? 0)} … {signed(first.interval[1] ?? 0)}
            </small>
          </>
        ))}
        {row("figure_stuck", (results) => number(results.stuck))}
      </tbody>
    </table>
  );
}
