// The parts of the form that creates a tournament: the clock, who may enter, and the prizes.
import type { JSX } from "preact";
import { Check } from "../form/Check";
import { Count } from "../form/Count";
import { Field } from "../form/problems";
import { Select } from "../form/Select";
import { t } from "../i18n";
import { duration, timeText } from "../tables/time";
import type { PartProps } from "./wish";

/** The times for a decision to choose from, in seconds. */
const TIMES = [0, 15, 30, 60, 180, 86_400];
/** The times within which an entrant has to come, in seconds. */
const NO_SHOWS = [0, 60, 300, 600, 86_400];
/** The greatest number of entrants that the service accepts. */
const MOST_ENTRANTS = 1024;

export function Clock({ wish, set, trouble }: PartProps): JSX.Element {
  return (
    <fieldset>
      <legend>{t("clock")}</legend>
      <Select
        text={t("time_for_decision")}
        at="/turn_timer/seconds"
        trouble={trouble}
        name="time"
        value={wish.time}
        choices={TIMES.map((seconds) => [seconds, timeText(seconds)])}
        set={(time) => set({ time })}
      />
      {wish.time > 0 && (
        <>
          <Count
            text={t("forfeit_after")}
            at="/turn_timer/forfeit_after"
            trouble={trouble}
            hint={t("empty_never")}
            name="forfeit_after"
            min={1}
            max={100}
            value={wish.forfeitAfter}
            set={(forfeitAfter) => set({ forfeitAfter })}
          />
          <Select
            text={t("no_show")}
            at="/no_show/seconds"
            trouble={trouble}
            name="no_show"
            value={wish.noShow}
            choices={NO_SHOWS.map((seconds) => [seconds, seconds === 0 ? t("no_show_none") : duration(seconds)])}
            set={(noShow) => set({ noShow })}
          />
          {wish.noShow > 0 && (
            <Count
              text={t("withdraw_after")}
              at="/no_show/withdraw_after"
              trouble={trouble}
              hint={t("empty_never")}
              name="withdraw_after"
              min={1}
              max={64}
              value={wish.withdrawAfter}
              set={(withdrawAfter) => set({ withdrawAfter })}
            />
          )}
        </>
      )}
    </fieldset>
  );
}

export function Registration({ wish, set, trouble }: PartProps): JSX.Element {
  return (
    <fieldset>
      <legend>{t("entrants")}</legend>
      <Select
        text={t("registration")}
        at="/registration"
        trouble={trouble}
        name="registration"
        value={wish.registration}
        choices={(["open", "invited", "list"] as const).map((word) => [word, t(`entry_${word}`)])}
        set={(registration) => set({ registration })}
      />
      <Count
        text={t("most_entrants")}
        at="/most_entrants"
        trouble={trouble}
        name="most"
        min={2}
        max={MOST_ENTRANTS}
        usual={MOST_ENTRANTS}
        value={wish.most}
        set={(most) => set({ most })}
      />
      {wish.registration !== "list" && (
        <Check
          text={t("late_entries")}
          at="/late_entries"
          trouble={trouble}
          value={wish.lateEntries}
          set={(lateEntries) => set({ lateEntries })}
        />
      )}
      <Check
        text={t("robots_may_enter")}
        at="/robots"
        trouble={trouble}
        value={wish.robots}
        set={(robots) => set({ robots })}
      />
    </fieldset>
  );
}

export function Prizes({ wish, set, trouble }: PartProps): JSX.Element {
  const say = (part: { pointer?: string; detail: string }): string => {
    const index = /^\/prizes\/(\d+)/.exec(part.pointer ?? "")?.[1];
    return index === undefined ? part.detail : t("in_line", { line: Number(index) + 1, problem: part.detail });
  };
  return (
    <Field text={t("wish_prizes")} at="/prizes" trouble={trouble} say={say} class="tall">
      {(marks) => (
        <textarea
          {...marks}
          name="prizes"
          rows={3}
          value={wish.prizes}
          onInput={(event) => set({ prizes: event.currentTarget.value })}
        />
      )}
    </Field>
  );
}
