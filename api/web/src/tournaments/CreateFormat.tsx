// The part of the form that creates a tournament: its format, with the fields of the format.
import type { JSX } from "preact";
import { Check } from "../form/Check";
import { Field } from "../form/problems";
import { Select } from "../form/Select";
import { maybe, t } from "../i18n";
import { OptionInput } from "../options/OptionInput";
import { FIELDS, formatValue, hasSmallerTables, KINDS, type PartProps } from "./wish";

/** The numbers of people that an entrant can have. */
const TEAM_SIZES = [1, 2, 3, 4];

export function Format({ wish, set, trouble }: PartProps): JSX.Element {
  return (
    <fieldset>
      <legend>{t("format")}</legend>
      <Select
        text={t("format_kind")}
        at="/format/kind"
        trouble={trouble}
        hint={t(`about_${wish.kind}`)}
        name="kind"
        value={wish.kind}
        choices={KINDS.map((kind) => [kind, t(`format_${kind}`)])}
        set={(kind) => set({ kind })}
      />
      {FIELDS[wish.kind].map((field) => (
        <Field
          key={field.name}
          text={maybe(`field_${field.name}`) ?? field.name}
          at={`/format/${field.name}`}
          trouble={trouble}
        >
          {(marks) => (
            <OptionInput
              option={field}
              marks={marks}
              value={formatValue(wish, field)}
              word={(one) => one}
              set={(value) => set({ format: { ...wish.format, [field.name]: value } })}
            />
          )}
        </Field>
      ))}
      {hasSmallerTables(wish) && (
        <Select
          text={t("field_smaller_tables")}
          at="/format/smaller_tables"
          trouble={trouble}
          name="smaller_tables"
          value={wish.smallerTables}
          choices={[
            ["", t("if_rules_allow")],
            ["yes", t("yes")],
            ["no", t("no")],
          ]}
          set={(smallerTables) => set({ smallerTables })}
        />
      )}
      <Select
        text={t("team_size")}
        at="/team_size"
        trouble={trouble}
        name="team_size"
        value={wish.teamSize}
        choices={TEAM_SIZES.map((size) => [size, size === 1 ? t("everybody_alone") : t("teams_of", { count: size })])}
        set={(teamSize) => set({ teamSize })}
      />
      <Select
        text={t("seeding")}
        at="/seeding"
        trouble={trouble}
        name="seeding"
        value={wish.seeding}
        choices={[
          ["lots", t("seeding_lots")],
          ["as_listed", t("seeding_as_listed")],
        ]}
        set={(seeding) => set({ seeding })}
      />
      {wish.kind !== "arena" && (
        <Check
          text={t("automatic_rounds")}
          at="/automatic"
          trouble={trouble}
          value={wish.automatic}
          set={(automatic) => set({ automatic })}
        />
      )}
      <Check
        text={t("wish_same_dice")}
        at="/same_dice"
        trouble={trouble}
        value={wish.sameDice}
        set={(sameDice) => set({ sameDice })}
      />
    </fieldset>
  );
}
