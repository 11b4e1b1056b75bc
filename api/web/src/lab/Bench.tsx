// The right side of the lab: the board of the rules that are being written, whether they can be played, and the tools
// that try them.
import type { JSX } from "preact";
import { memo } from "preact/compat";
import { useMemo, useState } from "preact/hooks";
import type { RuleSetSummary } from "../api/types";
import { Board } from "../board/Board";
import { Trouble } from "../form/notes";
import { t } from "../i18n";
import { startOf } from "../pages/Home";
import type { Checking } from "./checking";
import { Compare } from "./Compare";
import { PlayPublish } from "./PlayPublish";
import { Simulate } from "./Simulate";
import { Panel, Tabs } from "./Tabs";

/** The board, which is drawn anew only when it has changed. */
const SteadyBoard = memo(Board);

interface Props {
  text: string;
  checking: Checking;
  /** The rule set that the text extends. */
  base: RuleSetSummary | undefined;
  sets: RuleSetSummary[];
  onText: (text: string) => void;
  /** Shows a rule line, such as `landing.pair`, in the text. */
  onRule: (name: string) => void;
}

export function Bench({ text, checking, base, sets, onText, onRule }: Props): JSX.Element {
  const [tool, setTool] = useState("play");
  const { check, board, trouble, redraw } = checking;
  const playable = check?.playable ?? false;
  const problems = check?.problems ?? [];
  const start = useMemo(() => (board ? startOf(board) : []), [board]);
  return (
    <div class="see" data-redraw={redraw.time} data-redraws={redraw.count}>
      <div class={`table${playable ? "" : " stale"}`}>
        {board && (
          <SteadyBoard
            layout={board}
            label={t("board_of", { game: check?.rule_set?.title ?? "" })}
            pawns={start}
            labels={board.seats[0]?.seat}
          />
        )}
      </div>
      <p class="state" role="status" data-playable={playable}>
        {!text.trim() && t("lab_empty")}
        {check &&
          (playable
            ? t("playable", { title: check.rule_set?.title ?? "" })
            : t("not_playable", { count: problems.filter((one) => one.severity === "error").length }))}
      </p>
      <Trouble trouble={trouble} />
      <Tabs
        label={t("tools")}
        chosen={tool}
        onChoose={setTool}
        tabs={[
          { name: "play", label: t("tool_play") },
          { name: "simulate", label: t("tool_simulate") },
          { name: "compare", label: t("tool_compare") },
        ]}
      />
      {/* The simulation stays when another tab is shown: it may run for a while. */}
      <div hidden={tool !== "simulate"}>
        <Panel name="simulate">
          <Simulate
            text={text}
            set={check?.rule_set ?? undefined}
            layout={board}
            playable={playable}
            base={base}
            onLine={onRule}
          />
        </Panel>
      </div>
      {tool === "play" && (
        <Panel name="play">
          <PlayPublish
            text={text}
            set={check?.rule_set ?? undefined}
            layout={board}
            playable={playable}
            onText={onText}
          />
        </Panel>
      )}
      {tool === "compare" && (
        <Panel name="compare">
          <Compare text={text} playable={playable} base={base} sets={sets} />
        </Panel>
      )}
    </div>
  );
}
