// Statistics of a rule set: a simulation, played when somebody asks for it.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Refusal, refusalOf } from "../api/client";
import type { Layout, OptionValue, RuleSet, Simulation } from "../api/types";
import { Trouble } from "../form/notes";
import { t } from "../i18n";
import { Fairness, Figures, Lengths, number } from "../lab/Charts";
import { simulate } from "../lab/simulation";
import "../lab/lab.css";
import { seatName } from "../play/words";

const GAMES = 500;

interface Props {
  rules: RuleSet;
  layout: Layout;
  options: Record<string, OptionValue>;
}

export function Statistics({ rules, layout, options }: Props): JSX.Element {
  const [state, setState] = useState<Simulation>();
  const [trouble, setTrouble] = useState<Refusal>();
  const [busy, setBusy] = useState(false);
  const stop = useRef<AbortController>();
  useEffect(() => () => stop.current?.abort(), []);
  const start = async (): Promise<void> => {
    const controller = new AbortController();
    stop.current = controller;
    setBusy(true);
    setTrouble(undefined);
    try {
      await simulate(
        { rule_set: rules.id, version: rules.version, options, robots: ["hunter"], games: GAMES },
        setState,
        controller.signal,
      );
    } catch (error) {
      setTrouble(refusalOf(error));
    }
    setBusy(false);
  };
  const series = state?.results
    ? [{ name: rules.title, results: state.results, games: Math.max(state.played, 1) }]
    : [];
  return (
    <section class="statistics">
      <h2>{t("rules_statistics")}</h2>
      <p class="hint">{t("statistics_help")}</p>
      <p class="row">
        <button data-simulate disabled={busy} onClick={() => void start()}>
          {t("simulate")}
        </button>
        {busy && (
          <button data-cancel onClick={() => stop.current?.abort()}>
            {t("cancel")}
          </button>
        )}
      </p>
      {state && (
        <p class="progress">
          <progress max={state.games} value={state.played} aria-label={t("sim_progress")} />
          <span role="status" data-ended={state.status === "ended"}>
            {t("sim_played", { played: number(state.played), games: number(state.games) })}
          </span>
        </p>
      )}
      <Trouble trouble={trouble} />
      {series.length > 0 && (
        <div class="outcome">
          <Lengths series={series} />
          <Fairness series={series} nameOf={(seat) => seatName(seat, { rules, layout })} />
          <Figures series={series} />
        </div>
      )}
    </section>
  );
}
