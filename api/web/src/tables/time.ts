import { t } from "../i18n";

/** The time limit for a decision in words. `seconds` is 0 if there is none. */
export function timeText(seconds: number): string {
  if (seconds === 0) return t("no_time_limit");
  if (seconds % 86_400 === 0) return t("days_per_turn", { count: seconds / 86_400 });
  if (seconds % 3_600 === 0) return t("hours_per_turn", { count: seconds / 3_600 });
  if (seconds % 60 === 0 && seconds > 60) return t("minutes_per_turn", { count: seconds / 60 });
  return t("seconds_per_turn", { count: seconds });
}
