import { language, t } from "../i18n";

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** The time limit for a decision in words. `seconds` is 0 if there is none. */
export function timeText(seconds: number): string {
  if (seconds === 0) return t("no_time_limit");
  const [unit, length] = UNITS.find(([, one]) => seconds % one === 0)!;
  const format = new Intl.NumberFormat(language.value, { style: "unit", unit, unitDisplay: "long" });
  return t("time_per_turn", { time: format.format(seconds / length) });
}
