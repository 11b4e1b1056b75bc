// `/lab`: write rules and their scenarios, see the board at once, play, simulate, compare and publish them.
import type { JSX } from "preact";
import { memo } from "preact/compat";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { read } from "../api/client";
import type { RuleSetSummary } from "../api/types";
import { language, t } from "../i18n";
import { Bench } from "./Bench";
import { useChecking } from "./checking";
import { Editor, type Mark } from "./Editor";
import { useKept } from "./kept";
import { lineOf } from "./simulation";
import { Problems } from "./Problems";
import { DRAFT_PREFIX } from "./publishing";
import { Questions } from "./Questions";
import { firstScenario, scenarioMarks, ScenarioResults, useScenarios } from "./Scenarios";
import type { Schema } from "./schema";
import { Panel, Tabs } from "./Tabs";
import { QUIET, villageFile } from "./village";
import "./lab.css";

/** The names of the settings that store the typed texts. */
const RULES = "pagade.draft";
const SCENARIOS = "pagade.scenarios";

const SteadyQuestions = memo(Questions);

interface BeginWithProps {
  sets: RuleSetSummary[];
  onText: (text: string) => void;
}

export function Lab(): JSX.Element {
  const [text, setText, isKept] = useKept(RULES, () => villageFile(QUIET));
  const [scenarios, setScenarios, areKept] = useKept(SCENARIOS, () => "");
  const [edition, setEdition] = useState(0);
  const replace = useCallback((next: string): void => {
    setText(next);
    setEdition((number) => number + 1);
  }, []);
  const [schema, setSchema] = useState<Schema>();
  const [sets, setSets] = useState<RuleSetSummary[]>([]);
  const [show, setShow] = useState<{ line: number }>();
  const [page, setPage] = useState("rules");
  const checking = useChecking(text);
  const { check } = checking;
  const playable = check?.playable ?? false;
  const running = useScenarios(playable ? text : undefined, scenarios);
  const problems = check?.problems ?? [];
  const marks = useMemo(() => problems.filter((problem) => problem.file === "text").map(markOf), [check]);
  const failures = useMemo(() => scenarioMarks(running.run), [running.run]);
  const extended = /^extends:\s*["']?([\w.-]+)/m.exec(text)?.[1];
  const base = sets.find((set) => set.id === extended);

  useEffect(() => {
    read<Schema>("/v1/rule-language/schema").then(setSchema, () => undefined);
    const wanted = new URLSearchParams(location.hash.slice(1)).get("base");
    if (wanted && /^[a-z0-9-]+$/.test(wanted)) {
      history.replaceState(null, "", "/lab");
      replace(extending(wanted));
    }
  }, []);
  useEffect(() => {
    const shown = (list: { rule_sets: RuleSetSummary[] }): void =>
      setSets(list.rule_sets.filter((set) => !set.id.startsWith(DRAFT_PREFIX)));
    read<{ rule_sets: RuleSetSummary[] }>("/v1/rule-sets").then(shown, () => undefined);
  }, [language.value]);

  /** Shows a line of the text in the editor. */
  const showLine = (line: number): void => setShow({ line });
  const choosePage = (name: string): void => {
    if (name === "scenarios" && !scenarios.trim()) setScenarios(firstScenario(check?.rule_set?.id ?? "my-game"));
    setShow(undefined);
    setPage(name);
  };
  /** Shows a rule line, such as `landing.pair`, where the text has it. */
  const showRule = (name: string): void => {
    const line = lineOf(text, name);
    if (!line) return;
    setPage("rules");
    showLine(line);
  };
  const failed = running.run ? running.run.failed + running.run.files.filter((file) => file.problem).length : 0;
  return (
    <main class="lab">
      <div class="write">
        <header class="row spread">
          <h1>{t("lab")}</h1>
          <BeginWith sets={sets} onText={replace} />
        </header>
        <SteadyQuestions onText={replace} />
        <Tabs
          label={t("files")}
          chosen={page}
          onChoose={choosePage}
          tabs={[
            { name: "rules", label: t("rule_text") },
            {
              name: "scenarios",
              label: (
                <>
                  {t("scenarios")} {running.run && <Tally passed={running.run.passed} failed={failed} />}
                </>
              ),
            },
          ]}
        />
        {page === "rules" ? (
          <Panel name="rules">
            <Editor
              key="rules"
              label={t("rule_text")}
              text={text}
              edition={edition}
              marks={marks}
              known={{ schema, sets }}
              onText={setText}
              show={show}
            />
            <Problems problems={problems} onShow={showLine} />
          </Panel>
        ) : (
          <Panel name="scenarios">
            <Editor
              key="scenarios"
              label={t("scenarios")}
              text={scenarios}
              edition={0}
              marks={failures}
              onText={setScenarios}
              show={show}
            />
            <ScenarioResults running={running} playable={playable} onShow={showLine} />
          </Panel>
        )}
        {!(isKept && areKept) && (
          <p class="note warn" role="alert">
            {t("not_kept")}
          </p>
        )}
      </div>
      <Bench
        text={text}
        checking={checking}
        base={base}
        sets={sets}
        onText={replace}
        onRule={showRule}
      />
    </main>
  );
}

/** A list of rule sets. The chosen one is extended by a new text. The list is not drawn again while somebody types. */
const BeginWith = memo(function BeginWith({ sets, onText }: BeginWithProps): JSX.Element {
  return (
    <select
      aria-label={t("begin_with")}
      value=""
      onChange={(event) => {
        const id = event.currentTarget.value;
        if (id) onText(extending(id));
        event.currentTarget.value = "";
      }}
    >
      <option value="">{t("begin_with")}</option>
      {sets.map((set) => (
        <option key={set.id} value={set.id}>
          {set.title}
        </option>
      ))}
    </select>
  );
});

function Tally({ passed, failed }: { passed: number; failed: number }): JSX.Element {
  return (
    <span class="tally">
      <span class="unseen">{t("scenarios_state", { passed, failed })}</span>
      <span aria-hidden="true">
        {passed > 0 && `✓${passed}`} {failed > 0 && <b>✗{failed}</b>}
      </span>
    </span>
  );
}

function markOf(problem: {
  line: number;
  column: number;
  width: number;
  severity: "error" | "warning";
  message: string;
  help?: string | null | undefined;
}): Mark {
  const { line, column, width, severity, message, help } = problem;
  return { line, column, width, severity, message: [message, help].filter(Boolean).join("\n") };
}

/** The shortest rule file that is a variant of this rule set. */
const extending = (id: string): string =>
  [
    `rules: my-${id}`,
    "version: 1.0.0",
    `title: My ${id.replace(/-/g, " ")}`,
    `extends: ${id}`,
    "sources: [House rules]",
    "",
  ].join("\n");
