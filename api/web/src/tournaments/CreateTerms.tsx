// The parts of the form that creates a tournament: the clock, who may enter, and the prizes.
import type { JSX } from "preact";
import { Check } from "../form/Check";
import { Field } from "../form/problems";
import { t } from "../i18n";
import { duration, timeText } from "../tables/time";
import type { PartProps, Wish } from "./wish";

/** The times for a decision to choose from, in seconds. */
const TIMES = [0, 15, 30, 60, 180, 86_400];
/** The times within which an entrant has to come, in seconds. */
const NO_SHOWS = [0, 60, 300, 600, 86_400];
/** The greatest number of entrants that the service takes. */
const MOST_ENTRANTS = 1024;

export function Clock({ wish, set, trouble }: PartProps): JSX.Element {
  return (
    <fieldset>
      <legend>{t("clock")}</legend>
      <Field text={t("option_time_per_turn")} at="/turn_timer/seconds" trouble={trouble}>
        {(marks) => (
          <select
            {...marks}
            name="time"
            value={wish.time}
            onChange={(event) => set({ time: Number(event.currentTarget.value) })}
          >
            {TIMES.map((seconds) => (
              <option key={seconds} value={seconds}>
                {timeText(seconds)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {wish.time > 0 && (
        <>
          <Field text={t("forfeit_after")} at="/turn_timer/forfeit_after" trouble={trouble} hint={t("empty_never")}>
            {(marks) => (
              <input
                {...marks}
                type="number"
                name="forfeit_after"
                min={1}
                max={100}
                value={wish.forfeitAfter}
                onInput={(event) => set({ forfeitAfter: event.currentTarget.value })}
              />
            )}
          </Field>
          <Field text={t("no_show")} at="/no_show/seconds" trouble={trouble}>
            {(marks) => (
              <select
                {...marks}
                name="no_show"
                value={wish.noShow}
                onChange={(event) => set({ noShow: Number(event.currentTarget.value) })}
              >
                {NO_SHOWS.map((seconds) => (
                  <option key={seconds} value={seconds}>
                    {seconds === 0 ? t("no_show_none") : duration(seconds)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          {wish.noShow > 0 && (
            <Field text={t("withdraw_after")} at="/no_show/withdraw_after" trouble={trouble} hint={t("empty_never")}>
              {(marks) => (
                <input
                  {...marks}
                  type="number"
                  name="withdraw_after"
                  min={1}
                  max={64}
                  value={wish.withdrawAfter}
                  onInput={(event) => set({ withdrawAfter: event.currentTarget.value })}
                />
              )}
            </Field>
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
      <Field text={t("registration")} at="/registration" trouble={trouble}>
        {(marks) => (
          <select
            {...marks}
            name="registration"
            value={wish.registration}
            onChange={(event) => set({ registration: event.currentTarget.value as Wish["registration"] })}
          >
            {(["open", "invited", "list"] as const).map((word) => (
              <option key={word} value={word}>
                {t(`entry_${word}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field text={t("most_entrants")} at="/most_entrants" trouble={trouble}>
        {(marks) => (
          <input
            {...marks}
            type="number"
            name="most"
            min={2}
            max={MOST_ENTRANTS}
            placeholder={String(MOST_ENTRANTS)}
            value={wish.most}
            onInput={(event) => set({ most: event.currentTarget.value })}
          />
        )}
      </Field>
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
