// The part of the form that creates a tournament which few people need. It is closed at first.
import type { JSX } from "preact";
import type { RuleSet } from "../api/types";
import { Check } from "../form/Check";
import { Count } from "../form/Count";
import { Fold } from "../form/Fold";
import { Field } from "../form/problems";
import { Select } from "../form/Select";
import { t } from "../i18n";
import { Board } from "./CreateBoard";
import { PointsOfPlaces, TieBreaks } from "./CreateScoring";
import { lateText } from "./Terms";
import { LATE, type PartProps } from "./wish";

/** The JSON Pointers of the values that have their fields here. */
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
          <Select
            text={t("when_late")}
            at="/turn_timer/then"
            trouble={trouble}
            name="late"
            value={wish.late}
            choices={LATE.map((word) => [word, lateText(word)])}
            set={(late) => set({ late })}
          />
          <Check
            text={t("late_automatic")}
            at="/turn_timer/automatic"
            trouble={trouble}
            value={wish.lateAutomatic}
            set={(lateAutomatic) => set({ lateAutomatic })}
          />
        </>
      )}
      <Count
        text={t("robot_pause")}
        at="/robot_pause_milliseconds"
        trouble={trouble}
        name="robot_pause"
        min={0}
        max={10_000}
        usual={500}
        value={wish.robotPause}
        set={(robotPause) => set({ robotPause })}
      />
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
