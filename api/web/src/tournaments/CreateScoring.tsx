// The parts of the form that creates a tournament: the points for the places, and the tie-breaks in their order.
import type { JSX } from "preact";
import { Field } from "../form/problems";
import { Select } from "../form/Select";
import { t } from "../i18n";
import { LISTS, SINGLE, usualList, usualSingle } from "./points";
import { placed, TIE_BREAKS, without } from "./tie-breaks";
import { type PartProps, tableSizes } from "./wish";

/** The greatest number of points that the service accepts. */
const MOST_POINTS = 1000;

export function PointsOfPlaces({ wish, set, trouble }: PartProps): JSX.Element {
  const input = (at: string, usual: number): JSX.Element => (
    <input
      type="number"
      name={`points/${at}`}
      min={0}
      max={MOST_POINTS}
      step={1}
      value={wish.points[at] ?? usual}
      onInput={(event) => set({ points: { ...wish.points, [at]: event.currentTarget.value } })}
    />
  );
  return (
    <fieldset class="points">
      <legend>{t("points")}</legend>
      {tableSizes(wish).map((size) => (
        <Field
          key={size}
          group
          text={t("points_at_table", { count: size })}
          at={`/points/${LISTS[size]}`}
          trouble={trouble}
        >
          {(marks) => (
            <span class="row" {...marks}>
              {usualList(size).map((usual, at) => (
                <label key={at}>
                  <small class="facts">{at + 1}.</small> {input(`${LISTS[size]}/${at}`, usual)}
                </label>
              ))}
            </span>
          )}
        </Field>
      ))}
      {SINGLE.map((name) => (
        <Field key={name} text={t(`points_${name}`)} at={`/points/${name}`} trouble={trouble}>
          {() => input(name, usualSingle(name))}
        </Field>
      ))}
    </fieldset>
  );
}

/**
 * A list to choose from for each rank of a tie-break. If a tie-break is chosen for a second rank, the two change ranks.
 */
export function TieBreaks({ wish, set, trouble }: PartProps): JSX.Element {
  const { tieBreaks } = wish;
  const places = tieBreaks.length < TIE_BREAKS.length ? [...tieBreaks, undefined] : tieBreaks;
  return (
    <fieldset class="tie-breaks">
      <legend>{t("tie_breaks")}</legend>
      <p class="facts">{t("tie_breaks_about")}</p>
      {places.map((chosen, at) => (
        <Select
          key={at}
          text={t("tie_break_number", { number: at + 1 })}
          at={`/tie_breaks/${at}`}
          trouble={trouble}
          hint={chosen && t(`about_${chosen}`)}
          name={`tie_break-${at + 1}`}
          value={chosen ?? ""}
          choices={[
            ["", t("no_tie_break")] as const,
            ...TIE_BREAKS.map((word) => [word, t(`tie_${word}`)] as const),
          ]}
          set={(word) => set({ tieBreaks: word ? placed(tieBreaks, at, word) : without(tieBreaks, at) })}
        />
      ))}
    </fieldset>
  );
}
