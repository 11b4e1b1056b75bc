// The throw and the numbers of the hand.
import type { JSX } from "preact";
import type { Game, Layout } from "../api/types";
import { t } from "../i18n";

const PIPS: Record<number, [number, number][]> = {
  1: [[0, 0]],
  2: [
    [-1, -1],
    [1, 1],
  ],
  3: [
    [-1, -1],
    [0, 0],
    [1, 1],
  ],
  4: [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ],
  5: [
    [-1, -1],
    [1, -1],
    [0, 0],
    [-1, 1],
    [1, 1],
  ],
  6: [
    [-1, -1],
    [1, -1],
    [-1, 0],
    [1, 0],
    [-1, 1],
    [1, 1],
  ],
};

/** A number of the hand as people read it: `+20` for the bonus `b20`. */
export const numberText = (number: string): string => number.replace(/^b/, "+");

export function Die({ text, spent, pips }: { text: string; spent?: boolean; pips: boolean }): JSX.Element {
  const dots = pips ? PIPS[Number(text)] : undefined;
  return (
    <span class={`die${spent ? " spent" : ""}`}>
      {dots ? (
        <svg viewBox="-2 -2 4 4" aria-hidden="true">
          {dots.map(([x, y]) => (
            <circle key={`${x} ${y}`} cx={x} cy={y} r="0.42" />
          ))}
        </svg>
      ) : (
        <span aria-hidden="true">{numberText(text)}</span>
      )}
      <span class="unseen">{numberText(text)}</span>
    </span>
  );
}

/** The numbers of a throw: 4 and 3 for `4+3`. The note of lots in parentheses is left out: `4(4)` gives 4. */
export function numbersOf(thrown: string | undefined): string[] {
  return thrown?.replace(/\([^)]*\)/g, "").split("+") ?? [];
}

/** The dice of the last throw, with spent dice drawn faint, and then the other numbers of the hand, such as bonuses. */
export function Hand({ game, layout, rolling }: { game: Game; layout: Layout; rolling: boolean }): JSX.Element {
  const pips = layout.dice.kind === "faces";
  if (rolling) {
    const count = pips ? layout.dice.count : 1;
    return (
      <div class="hand rolling" role="img" aria-label={t("rolling")}>
        {Array.from({ length: Math.min(count, 4) }, (_, index) => (
          <Die key={index} text={String(((index * 3) % 6) + 1)} pips={pips} />
        ))}
      </div>
    );
  }
  const left = [...game.hand];
  const thrown = numbersOf(game.throw);
  const dice = thrown.map((text) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return { text, spent: at < 0 };
  });
  if (dice.length === 0 && left.length === 0) return <div class="hand empty" />;
  return (
    <div class="hand" role="group" aria-label={t("hand")}>
      {dice.map((die, index) => (
        <Die key={index} {...die} pips={pips} />
      ))}
      {left.map((text, index) => (
        <Die key={`more${index}`} text={text} pips={pips && /^\d$/.test(text)} />
      ))}
    </div>
  );
}
