// How to play: what a throw allows, what the lines of the rule set say about moves, and the sentences of its sources.
import type { JSX } from "preact";
import type { Layout, RuleSet } from "../api/types";
import { t } from "../i18n";

/** Parts of a rule file about the game as a whole. A sentence that only these parts carry is no rule of play. */
const HEAD = ["title", "titles", "region", "period", "sources", "about"];
/** If there are more sentences than this, they are shown when the reader asks for them. */
const FEW = 30;

interface Props {
  rules: RuleSet;
  layout: Layout;
}

export function RulesWords({ rules, layout }: Props): JSX.Element | null {
  const lines = [...new Set(layout.lines.map((line) => rules.texts[line]).filter((text) => text !== undefined))];
  const isRule = ([, carriers]: [string, string[]]): boolean => carriers.some((carrier) => !HEAD.includes(carrier));
  const sentences = Object.entries(rules.clauses)
    .filter(isRule)
    .flatMap(([clause]) => (rules.clause_texts[clause] ? [[clause, rules.clause_texts[clause]] as const] : []));
  if (lines.length === 0 && sentences.length === 0) return null;
  return (
    <section class="rules-words" aria-labelledby="how-to-play">
      <h2 id="how-to-play">{t("how_to_play")}</h2>
      {lines.length > 0 && (
        <ul>
          {lines.map((line) => (
            <li key={line} dir="auto">
              {line}
            </li>
          ))}
        </ul>
      )}
      {sentences.length > 0 && (
        <details open={sentences.length <= FEW}>
          <summary>{t("rules_sentences", { count: sentences.length })}</summary>
          <dl lang="en">
            {sentences.map(([clause, sentence]) => (
              <div key={clause}>
                <dt>{clause}</dt>
                <dd>{sentence}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </section>
  );
}
