import { language, t } from "../i18n";

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** A time in words, in the largest unit that divides it. */
export function duration(seconds: number): string {
  const [unit, length] = UNITS.find(([, one]) => seconds % one === 0)!;
  return new Intl.NumberFormat(language.value, { style: "unit", unit, unitDisplay: "long" }).format(seconds / length);
}

/** The time limit for a decision in words. `seconds` is 0 if there is none. */
export const timeText = (seconds: number): string =>
  seconds === 0 ? t("no_time_limit") : t("time_per_turn", { time: duration(seconds) });
