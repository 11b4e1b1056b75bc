// `/lab`: write rules, see the board at once, play the variant, publish it.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { call, read, Refusal } from "../api/client";
import type { Check, Layout, RuleProblem, RuleSetSummary } from "../api/types";
import { Board } from "../board/Board";
import { t } from "../i18n";
import { setting } from "../keep";
import { startOf } from "../pages/Home";
import { againstRobots, create } from "../play/create";
import { refusalOf } from "../play/session";
import { troubleText } from "../play/words";
import { Editor } from "./Editor";
import type { Schema } from "./schema";
import { QUIET, villageFile, type Village } from "./village";

const DRAFT = "pagade.draft";
/** Time from the last key to the check. */
const PATIENCE = 60;

export function Lab(): JSX.Element {
  const [text, setText] = useState(() => setting(DRAFT) || villageFile(QUIET));
  const [edition, setEdition] = useState(0);
  const replace = (next: string): void => {
    setText(next);
    setEdition((number) => number + 1);
  };
  const [check, setCheck] = useState<Check>();
  const [board, setBoard] = useState<Layout>();
  const [schema, setSchema] = useState<Schema>();
  const [sets, setSets] = useState<RuleSetSummary[]>([]);
  const [show, setShow] = useState<{ line: number }>();
  const [trouble, setTrouble] = useState<Refusal>();
  const [said, setSaid] = useState("");
  const [busy, setBusy] = useState(false);
  const asked = useRef(0);

  useEffect(() => {
    read<Schema>("/v1/rule-language/schema").then(setSchema, () => undefined);
    read<{ rule_sets: RuleSetSummary[] }>("/v1/rule-sets").then((list) => setSets(list.rule_sets), () => undefined);
    const base = new URLSearchParams(location.hash.slice(1)).get("base");
    if (base && /^[a-z0-9-]+$/.test(base)) {
      history.replaceState(null, "", "/lab");
      replace(extending(base));
    }
  }, []);

  useEffect(() => {
    setting(DRAFT, text);
    const number = (asked.current += 1);
    const timer = setTimeout(() => {
      call<Check>("POST", "/v1/rule-checks?board=true", { body: { text } }).then(
        (answer) => {
          if (number !== asked.current) return;
          setTrouble(undefined);
          setCheck(answer);
          if (answer.board) setBoard(answer.board);
        },
        (error: unknown) => number === asked.current && setTrouble(refusalOf(error)),
      );
    }, PATIENCE);
    return () => clearTimeout(timer);
  }, [text]);

  /** Publishes the text, with a higher version if this one is published already. */
  const publish = async (): Promise<RuleSetSummary> => {
    let wish = text;
    for (let attempt = 0; ; attempt += 1) {
      try {
        const set = await call<RuleSetSummary>("POST", "/v1/rule-sets", { body: { text: wish } });
        if (wish !== text) replace(wish);
        return set;
      } catch (error) {
        const refusal = refusalOf(error);
        const same = check?.rule_set && wish === text && (await publishedAs(check.rule_set));
        if (refusal.problem.code !== "rule_set_exists" || attempt >= 30) throw refusal;
        if (same) return check.rule_set!;
        const next = raised(wish);
        if (!next) throw refusal;
        wish = next;
      }
    }
  };
  const act = async (then: (set: RuleSetSummary) => Promise<void> | void): Promise<void> => {
    setBusy(true);
    setTrouble(undefined);
    setSaid("");
    try {
      await then(await publish());
    } catch (error) {
      setTrouble(refusalOf(error));
    }
    setBusy(false);
  };
  const play = (): Promise<void> =>
    act(async (set) => {
      const seats = board?.tables[0]?.players ?? board?.seats.map((seat) => seat.seat) ?? [];
      await create({ ruleSet: set.id, version: set.version, title: set.title, players: againstRobots(seats) });
    });

  const problems = check?.problems ?? [];
  return (
    <main class="lab">
      <div class="write">
        <header class="row spread">
          <h1>{t("lab")}</h1>
          <select
            aria-label={t("begin_with")}
            value=""
            onChange={(event) => {
              const id = event.currentTarget.value;
              if (id) replace(extending(id));
            }}
          >
            <option value="">{t("begin_with")}</option>
            {sets.map((set) => <option key={set.id} value={set.id}>{set.title}</option>)}
          </select>
        </header>
        <Questions onText={replace} />
        <Editor text={text} edition={edition} problems={problems} schema={schema} onText={setText} show={show} />
        <Problems problems={problems} onShow={(line) => setShow({ line })} />
      </div>
      <div class="see">
        <div class={`table${check && !check.playable ? " stale" : ""}`}>
          {board && <Board layout={board} label={t("board_of", { game: check?.rule_set?.title ?? "" })} pawns={startOf(board)} labels={board.seats[0]?.seat} />}
        </div>
        <p class="state" role="status" data-playable={check?.playable}>
          {check && (check.playable ? t("playable", { title: check.rule_set?.title ?? "" }) : t("not_playable", { count: problems.filter((one) => one.severity === "error").length }))}
        </p>
        {trouble && <p class="note warn" role="alert">{troubleText(trouble)}</p>}
        {said && <p class="note" role="status">{said}</p>}
        <p class="row">
          <button class="primary" disabled={busy || !check?.playable} onClick={() => void play()}>{t("publish_play")}</button>
          <button disabled={busy || !check?.playable} onClick={() => void act((set) => setSaid(t("published", { title: set.title, version: set.version })))}>{t("publish")}</button>
        </p>
        <p class="hint">{t("publish_help")}</p>
      </div>
    </main>
  );
}

/** A variant of a set, as short as possible. */
const extending = (id: string): string =>
  [`rules: my-${id}`, "version: 1.0.0", `title: My ${id.replace(/-/g, " ")}`, `extends: ${id}`, "sources: [House rules]", ""].join("\n");

/** Whether this very text is published under its id and version. */
async function publishedAs(set: RuleSetSummary): Promise<boolean> {
  try {
    const there = await read<RuleSetSummary>(`/v1/rule-sets/${set.id}?version=${encodeURIComponent(set.version)}`);
    return there.digest === set.digest;
  } catch {
    return false;
  }
}

/** The text with the last number of its version raised by one. */
function raised(text: string): string | undefined {
  const version = /^(version:\s*["']?(?:\d+\.)*)(\d+)/m.exec(text);
  if (!version) return undefined;
  return text.replace(version[0], `${version[1]}${Number(version[2]) + 1}`);
}

function Problems({ problems, onShow }: { problems: RuleProblem[]; onShow: (line: number) => void }): JSX.Element {
  return (
    <ul class="problems" aria-label={t("problems")}>
      {problems.map((problem) => (
        <li key={`${problem.file} ${problem.line} ${problem.column} ${problem.code}`} class={problem.severity}>
          <button class="quiet" onClick={() => onShow(problem.line)}>
            <b>{problem.file === "text" ? `${problem.line}:${problem.column}` : problem.file}</b> {problem.message}
            {problem.help && <small>{problem.help}</small>}
          </button>
        </li>
      ))}
    </ul>
  );
}

function Questions({ onText }: { onText: (text: string) => void }): JSX.Element {
  const [answers, setAnswers] = useState<Village>(QUIET);
  const ask = (name: keyof Village, label: string, choices: [string, string][]): JSX.Element => (
    <label class="field">
      <span>{label}</span>
      <select name={name} value={answers[name]} onChange={(event) => setAnswers({ ...answers, [name]: event.currentTarget.value })}>
        {choices.map(([value, word]) => <option key={value} value={value}>{word}</option>)}
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
        <input name="name" value={answers.name} maxLength={60} onInput={(event) => setAnswers({ ...answers, name: event.currentTarget.value })} />
      </label>
      {ask("dice", t("village_dice"), [["2", "2"], ["3", "3"]])}
      {ask("cuts", t("village_cuts"), [["0", "0"], ["1", "1"], ["2", "2"]])}
      {ask("closed", t("village_closed"), [["lap", t("village_lap")], ["wait", t("village_wait")]])}
      {ask("again", t("village_again"), [no, yes])}
      {ask("pairs", t("village_pairs"), [no, yes])}
      <button onClick={() => onText(villageFile(answers))}>{t("village_write")}</button>
    </details>
  );
}
