// The parts of the form that creates a tournament: the format with its fields, the clock, who may enter, and prizes.
import type { JSX } from "preact";
import type { Refusal } from "../api/client";
import { Field } from "../form/problems";
import { maybe, t } from "../i18n";
import { OptionInput } from "../options/OptionInput";
import { duration, timeText } from "../tables/time";
import { FIELDS, formatValue, type Kind, KINDS, type Set, type Wish } from "./wish";

interface Props {
  wish: Wish;
  set: Set;
  trouble: Refusal | undefined;
}

/** The times for a decision to choose from, in seconds. */
const TIMES = [0, 15, 30, 60, 180, 86_400];
/** The times within which an entrant has to come, in seconds. */
const NO_SHOWS = [0, 60, 300, 600, 86_400];
const MOST_ENTRANTS = 512;

/** A check box with its text. */
function Check({ text, at, trouble, value, set }: { text: string; at: string; trouble: Refusal | undefined; value: boolean; set: (value: boolean) => void }): JSX.Element {
  return (
    <Field text={text} at={at} trouble={trouble}>
      {(marks) => <input {...marks} type="checkbox" name={at.slice(1)} checked={value} onChange={(event) => set(event.currentTarget.checked)} />}
    </Field>
  );
}

export function Form({ wish, set, trouble }: Props): JSX.Element {
  return (
    <fieldset>
      <legend>{t("format")}</legend>
      <Field text={t("format_kind")} at="/format/kind" trouble={trouble} hint={t(`about_${wish.kind}`)}>
        {(marks) => (
          <select {...marks} name="kind" value={wish.kind} onChange={(event) => set({ kind: event.currentTarget.value as Kind })}>
            {KINDS.map((kind) => <option key={kind} value={kind}>{t(`format_${kind}`)}</option>)}
          </select>
        )}
      </Field>
      {FIELDS[wish.kind].map((field) => (
        <Field key={field.name} text={maybe(`field_${field.name}`) ?? field.name} at={`/format/${field.name}`} trouble={trouble}>
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
      <Field text={t("team_size")} at="/team_size" trouble={trouble}>
        {(marks) => (
          <select {...marks} name="team_size" value={wish.teamSize} onChange={(event) => set({ teamSize: Number(event.currentTarget.value) })}>
            {[1, 2, 3, 4].map((size) => <option key={size} value={size}>{size === 1 ? t("everybody_alone") : t("teams_of", { count: size })}</option>)}
          </select>
        )}
      </Field>
      <Field text={t("seeding")} at="/seeding" trouble={trouble}>
        {(marks) => (
          <select {...marks} name="seeding" value={wish.seeding} onChange={(event) => set({ seeding: event.currentTarget.value as Wish["seeding"] })}>
            <option value="lots">{t("seeding_lots")}</option>
            <option value="as_listed">{t("seeding_as_listed")}</option>
          </select>
        )}
      </Field>
      {wish.kind !== "arena" && <Check text={t("automatic_rounds")} at="/automatic" trouble={trouble} value={wish.automatic} set={(automatic) => set({ automatic })} />}
      <Check text={t("wish_same_dice")} at="/same_dice" trouble={trouble} value={wish.sameDice} set={(sameDice) => set({ sameDice })} />
    </fieldset>
  );
}

export function Clock({ wish, set, trouble }: Props): JSX.Element {
  return (
    <fieldset>
      <legend>{t("clock")}</legend>
      <Field text={t("option_time_per_turn")} at="/turn_timer/seconds" trouble={trouble}>
        {(marks) => (
          <select {...marks} name="time" value={wish.time} onChange={(event) => set({ time: Number(event.currentTarget.value) })}>
            {TIMES.map((seconds) => <option key={seconds} value={seconds}>{timeText(seconds)}</option>)}
          </select>
        )}
      </Field>
      {wish.time > 0 && (
        <>
          <Field text={t("forfeit_after")} at="/turn_timer/forfeit_after" trouble={trouble}>
            {(marks) => <input {...marks} type="number" name="forfeit_after" min={1} max={100} value={wish.forfeitAfter} onInput={(event) => set({ forfeitAfter: event.currentTarget.value })} />}
          </Field>
          <Field text={t("no_show")} at="/no_show" trouble={trouble}>
            {(marks) => (
              <select {...marks} name="no_show" value={wish.noShow} onChange={(event) => set({ noShow: Number(event.currentTarget.value) })}>
                {NO_SHOWS.map((seconds) => <option key={seconds} value={seconds}>{seconds === 0 ? t("no_show_none") : duration(seconds)}</option>)}
              </select>
            )}
          </Field>
        </>
      )}
    </fieldset>
  );
}

export function Registration({ wish, set, trouble }: Props): JSX.Element {
  return (
    <fieldset>
      <legend>{t("entrants")}</legend>
      <Field text={t("registration")} at="/registration" trouble={trouble}>
        {(marks) => (
          <select {...marks} name="registration" value={wish.registration} onChange={(event) => set({ registration: event.currentTarget.value as Wish["registration"] })}>
            {(["open", "invited", "list"] as const).map((word) => <option key={word} value={word}>{t(`entry_${word}`)}</option>)}
          </select>
        )}
      </Field>
      <Field text={t("most_entrants")} at="/most_entrants" trouble={trouble}>
        {(marks) => <input {...marks} type="number" name="most" min={2} max={MOST_ENTRANTS} placeholder={String(MOST_ENTRANTS)} value={wish.most} onInput={(event) => set({ most: event.currentTarget.value })} />}
      </Field>
      {wish.registration !== "list" && <Check text={t("late_entries")} at="/late_entries" trouble={trouble} value={wish.lateEntries} set={(lateEntries) => set({ lateEntries })} />}
      <Check text={t("robots_may_enter")} at="/robots" trouble={trouble} value={wish.robots} set={(robots) => set({ robots })} />
    </fieldset>
  );
}

export function Prizes({ wish, set, trouble }: Props): JSX.Element {
  const say = (part: { pointer?: string; detail: string }): string => {
    const index = /^\/prizes\/(\d+)/.exec(part.pointer ?? "")?.[1];
    return index === undefined ? part.detail : t("in_line", { line: Number(index) + 1, problem: part.detail });
  };
  return (
    <Field text={t("wish_prizes")} at="/prizes" trouble={trouble} say={say} class="tall">
      {(marks) => <textarea {...marks} name="prizes" rows={3} value={wish.prizes} onInput={(event) => set({ prizes: event.currentTarget.value })} />}
    </Field>
  );
}
