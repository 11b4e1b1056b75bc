// The differences between the rules that are being written and another rule set.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call, type Refusal, refusalOf } from "../api/client";
import type { RuleComparison, RuleSetSummary } from "../api/types";
import { Trouble } from "../form/notes";
import { t } from "../i18n";

interface Props {
  text: string;
  playable: boolean;
  base: RuleSetSummary | undefined;
  sets: RuleSetSummary[];
}

/** Time from the last change to the comparison, in milliseconds. */
const PATIENCE = 500;
/** The keys of the head, which every variant changes. They are no rules. */
const HEAD = new Set(["rules", "version", "title", "sources", "about", "region", "period"]);

export function Compare({ text, playable, base, sets }: Props): JSX.Element {
  const [chosen, setChosen] = useState<string>();
  const [found, setFound] = useState<RuleComparison>();
  const [trouble, setTrouble] = useState<Refusal>();
  const id = chosen ?? base?.id;
  useEffect(() => {
    if (!id || !playable) return;
    const stop = new AbortController();
    const ask = async (): Promise<void> => {
      try {
        const body = { base: { rule_set: id }, variant: { text } };
        const answer = await call<RuleComparison>("POST", "/v1/rule-comparisons", { body, signal: stop.signal });
        if (stop.signal.aborted) return;
        setFound(answer);
        setTrouble(undefined);
      } catch (error) {
        if (!stop.signal.aborted) setTrouble(refusalOf(error));
      }
    };
    const timer = setTimeout(() => void ask(), PATIENCE);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [id, text, playable]);
  const differences = found?.differences.filter(({ path }) => !HEAD.has(path) && !path.startsWith("titles.")) ?? [];
  return (
    <>
      <label class="field">
        <span>{t("compare_with")}</span>
        <select name="base" value={id ?? ""} onChange={(event) => setChosen(event.currentTarget.value)}>
          <option value="" disabled>
            …
          </option>
          {sets.map((set) => (
            <option key={set.id} value={set.id}>
              {set.title}
            </option>
          ))}
        </select>
      </label>
      {!playable && <p class="note">{t("scenarios_wait")}</p>}
      <Trouble trouble={trouble} />
      {found && differences.length === 0 && <p data-differences="0">{t("no_difference")}</p>}
      {differences.length > 0 && (
        <ul class="differences" data-differences={differences.length}>
          {differences.map(({ path, change, base: before, variant: after }) => (
            <li key={`${path} ${change}`} class={change}>
              <p>
                <code>{path}</code> <small>{t(`change_${change}`)}</small>
              </p>
              {before !== undefined && <del>{before}</del>}
              {after !== undefined && <ins>{after}</ins>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
