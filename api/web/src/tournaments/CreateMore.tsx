// The part of the form that creates a tournament which few people need. It is closed at first.
import type { JSX } from "preact";
import type { RuleSet } from "../api/types";
import { Check } from "../form/Check";
import { Fold } from "../form/Fold";
import { Field } from "../form/problems";
import { t } from "../i18n";
import { Board } from "./CreateBoard";
import { PointsOfPlaces, TieBreaks } from "./CreateScoring";
import { lateText } from "./Terms";
import { LATE, type PartProps, type Wish } from "./wish";

/** The places in the request that have their fields here. */
export const MORE_FIELDS = [
  "/version",
  "/boards",
  "/turn_timer/then",
  "/turn_timer/automatic",
  "/robot_pause_milliseconds",
  "/points",
  "/tie_breaks",
  "/seed",
];

export function More({ rules, ...part }: PartProps & { rules: RuleSet | undefined }): JSX.Element {
  const { wish, set, trouble } = part;
  return (
    <Fold text={t("more_choices")} fields={MORE_FIELDS} trouble={trouble} class="more-choices">
      <Board {...part} rules={rules} />
      {wish.time > 0 && (
        <>
          <Field text={t("when_late")} at="/turn_timer/then" trouble={trouble}>
            {(marks) => (
              <select
                {...marks}
                name="late"
                value={wish.late}
                onChange={(event) => set({ late: event.currentTarget.value as Wish["late"] })}
              >
                {LATE.map((word) => (
                  <option key={word} value={word}>
                    {lateText(word)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Check
            text={t("late_automatic")}
            at="/turn_timer/automatic"
            trouble={trouble}
            value={wish.lateAutomatic}
            set={(lateAutomatic) => set({ lateAutomatic })}
          />
        </>
      )}
      <Field text={t("robot_pause")} at="/robot_pause_milliseconds" trouble={trouble}>
        {(marks) => (
          <input
            {...marks}
            type="number"
            name="robot_pause"
            min={0}
            max={10_000}
            placeholder="500"
            value={wish.robotPause}
            onInput={(event) => set({ robotPause: event.currentTarget.value })}
          />
        )}
      </Field>
      <PointsOfPlaces {...part} />
      <TieBreaks {...part} />
      <Field text={t("seed_of_lots")} at="/seed" trouble={trouble} hint={t("seed_about")}>
        {(marks) => (
          <input
            {...marks}
            name="seed"
            value={wish.seed}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => set({ seed: event.currentTarget.value })}
          />
        )}
      </Field>
    </Fold>
  );
}
