// The problems of a rule text as a list. Each leads to its line.
import type { JSX } from "preact";
import type { RuleProblem } from "../api/types";
import { t } from "../i18n";

/** Largest number of problems that are shown. The others are mostly consequences of the first. */
const MOST = 100;

export function Problems({
  problems,
  onShow,
}: {
  problems: RuleProblem[];
  onShow: (line: number) => void;
}): JSX.Element | null {
  if (problems.length === 0) return null;
  return (
    <ul class="problems" aria-label={t("problems")}>
      {problems.slice(0, MOST).map((problem) => (
        <li key={`${problem.file} ${problem.line} ${problem.column} ${problem.code}`} class={problem.severity}>
          <button class="quiet" onClick={() => onShow(problem.line)}>
            <b>{problem.file === "text" ? `${problem.line}:${problem.column}` : problem.file}</b>{" "}
            <Words text={problem.message} />
            {problem.help && (
              <small>
                <Words text={problem.help} />
              </small>
            )}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** A sentence of the service. Words of rule files stand between backticks. */
function Words({ text }: { text: string }): JSX.Element {
  return <>{text.split("`").map((part, index) => (index % 2 ? <code key={index}>{part}</code> : part))}</>;
}
