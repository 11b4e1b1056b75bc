// The beginner's way: a few questions, whose answers become a short rule file.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { t } from "../i18n";
import { QUIET, villageFile, type Village } from "./village";

export function Questions({ onText }: { onText: (text: string) => void }): JSX.Element {
  const [answers, setAnswers] = useState<Village>(QUIET);
  const ask = (name: keyof Village, label: string, choices: [string, string][]): JSX.Element => (
    <label class="field">
      <span>{label}</span>
      <select
        name={name}
        value={answers[name]}
        onChange={(event) => setAnswers({ ...answers, [name]: event.currentTarget.value })}
      >
        {choices.map(([value, word]) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </select>
    </label>
  );
  const no: [string, string] = ["no", t("no")];
  const yes: [string, string] = ["yes", t("yes")];
  return (
    <details class="questions">
      <summary>{t("village")}</summary>
      <label class="field">
        <span>{t("village_name")}</span>
        <input
          name="name"
          value={answers.name}
          maxLength={60}
          onInput={(event) => setAnswers({ ...answers, name: event.currentTarget.value })}
        />
      </label>
      {ask("dice", t("village_dice"), [
        ["2", "2"],
        ["3", "3"],
      ])}
      {ask("start", t("village_start"), [
        ["6 7 12 12", "6, 7, 12, 12"],
        ["1 1 12 12", "1, 1, 12, 12"],
        ["12 12 12 12", "12, 12, 12, 12"],
        ["out", t("village_out")],
      ])}
      {ask("cuts", t("village_cuts"), [
        ["0", "0"],
        ["1", "1"],
        ["2", "2"],
      ])}
      {ask("closed", t("village_closed"), [
        ["lap", t("village_lap")],
        ["wait", t("village_wait")],
      ])}
      {ask("again", t("village_again"), [no, yes])}
      {ask("pairs", t("village_pairs"), [no, yes])}
      <button onClick={() => onText(villageFile(answers))}>{t("village_write")}</button>
    </details>
  );
}
