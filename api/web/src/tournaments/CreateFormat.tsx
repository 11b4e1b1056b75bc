// The part of the form that creates a tournament: its format, with the fields of the format.
import type { JSX } from "preact";
import { Check } from "../form/Check";
import { Field } from "../form/problems";
import { maybe, t } from "../i18n";
import { OptionInput } from "../options/OptionInput";
import { FIELDS, formatValue, hasSmallerTables, type Kind, KINDS, type PartProps, type Wish } from "./wish";

export function Format({ wish, set, trouble }: PartProps): JSX.Element {
  return (
    <fieldset>
      <legend>{t("format")}</legend>
      <Field text={t("format_kind")} at="/format/kind" trouble={trouble} hint={t(`about_${wish.kind}`)}>
        {(marks) => (
          <select
            {...marks}
            name="kind"
            value={wish.kind}
            onChange={(event) => set({ kind: event.currentTarget.value as Kind })}
          >
            {KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {t(`format_${kind}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
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
        <Field text={t("field_smaller_tables")} at="/format/smaller_tables" trouble={trouble}>
          {(marks) => (
            <select
              {...marks}
              name="smaller_tables"
              value={wish.smallerTables}
              onChange={(event) => set({ smallerTables: event.currentTarget.value as Wish["smallerTables"] })}
            >
              <option value="">{t("if_rules_allow")}</option>
              <option value="yes">{t("yes")}</option>
              <option value="no">{t("no")}</option>
            </select>
          )}
        </Field>
      )}
      <Field text={t("team_size")} at="/team_size" trouble={trouble}>
        {(marks) => (
          <select
            {...marks}
            name="team_size"
            value={wish.teamSize}
            onChange={(event) => set({ teamSize: Number(event.currentTarget.value) })}
          >
            {[1, 2, 3, 4].map((size) => (
              <option key={size} value={size}>
                {size === 1 ? t("everybody_alone") : t("teams_of", { count: size })}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field text={t("seeding")} at="/seeding" trouble={trouble}>
        {(marks) => (
          <select
            {...marks}
            name="seeding"
            value={wish.seeding}
            onChange={(event) => set({ seeding: event.currentTarget.value as Wish["seeding"] })}
          >
            <option value="lots">{t("seeding_lots")}</option>
            <option value="as_listed">{t("seeding_as_listed")}</option>
          </select>
        )}
      </Field>
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
