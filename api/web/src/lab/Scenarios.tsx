// Scenarios of the rules that are being written. They run after each change, and failures are marked at their lines.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call, type Refusal, refusalOf } from "../api/client";
import type { ScenarioRun } from "../api/types";
import { Trouble } from "../form/notes";
import { t } from "../i18n";
import type { Mark } from "./Editor";

/** Time from the last change to the run, in milliseconds. */
const PATIENCE = 900;

/** A first scenario for the rule set with this id. */
export const firstScenario = (id: string): string =>
  [
    `# ${t("scenario_help")}`,
    `ruleset: ${id}`,
    "scenarios:",
    "  - name: a pawn moves by each die",
    "    script:",
    "      - throw: 3+4",
    "      - allows: [12-15:3]",
    "",
  ].join("\n");

export interface Running {
  run: ScenarioRun | undefined;
  trouble: Refusal | undefined;
  busy: boolean;
}

/** Runs scenarios after each change of the scenarios or the rules. `rules` is undefined while the rules have errors. */
export function useScenarios(rules: string | undefined, scenarios: string): Running {
  const [state, setState] = useState<Running>({ run: undefined, trouble: undefined, busy: false });
  useEffect(() => {
    if (rules === undefined || !scenarios.trim()) return;
    const stop = new AbortController();
    const ask = async (): Promise<void> => {
      setState((known) => ({ ...known, busy: true }));
      try {
        const run = await call<ScenarioRun>("POST", "/v1/scenario-runs", {
          body: { text: rules, scenarios: [scenarios] },
          signal: stop.signal,
        });
        if (!stop.signal.aborted) setState({ run, trouble: undefined, busy: false });
      } catch (error) {
        if (!stop.signal.aborted) setState({ run: undefined, trouble: refusalOf(error), busy: false });
      }
    };
    const timer = setTimeout(() => void ask(), PATIENCE);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [rules, scenarios]);
  return state;
}

/** The marks in the editor: the line of each failure, or the line that cannot be read. */
export function scenarioMarks(run: ScenarioRun | undefined): Mark[] {
  return (run?.files ?? []).flatMap((file) => [
    ...(file.problem ? [{ line: file.problem.line, severity: "error" as const, message: file.problem.message }] : []),
    ...file.scenarios.flatMap(({ failure }) =>
      failure ? [{ line: failure.line, severity: "error" as const, message: expectation(failure) }] : [],
    ),
  ]);
}

const expectation = ({ expected, found }: { expected: string; found: string }): string =>
  `${t("expected", { expected })}\n${t("found", { found })}`;

interface Props {
  running: Running;
  playable: boolean;
  onShow: (line: number) => void;
}

export function ScenarioResults({ running: { run, trouble, busy }, playable, onShow }: Props): JSX.Element {
  return (
    <section class="results" aria-label={t("scenarios")} aria-busy={busy}>
      {!playable && <p class="note">{t("scenarios_wait")}</p>}
      <Trouble trouble={trouble} />
      {run && (
        <p class="state" role="status" data-failed={run.failed + run.files.filter((file) => file.problem).length}>
          {t("scenarios_state", { passed: run.passed, failed: run.failed })}
        </p>
      )}
      <ul class="problems">
        {run?.files.flatMap((file) => [
          ...(file.problem
            ? [
                <li key="problem" class="error">
                  <button class="quiet" onClick={() => onShow(file.problem!.line)}>
                    <b>{file.problem.line}</b> {file.problem.message}
                  </button>
                </li>,
              ]
            : []),
          ...file.scenarios.map((one) => (
            <li key={`${one.line} ${one.name}`} class={one.passed ? "passed" : "error"}>
              <button class="quiet" onClick={() => onShow(one.failure?.line ?? one.line)}>
                <b aria-label={t(one.passed ? "passed" : "failed")}>{one.passed ? "✓" : "✗"}</b> {one.name}
                {one.failure && (
                  <small>
                    {t("expected", { expected: one.failure.expected })}
                    <br />
                    {t("found", { found: one.failure.found })}
                  </small>
                )}
              </button>
            </li>
          )),
        ])}
      </ul>
    </section>
  );
}
