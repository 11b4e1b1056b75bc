// The form that creates a tournament. The rules, form and clock of a tournament do not change afterwards.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call, read } from "../api/client";
import type { OptionValue, RuleSet, RuleSetSummary } from "../api/types";
import { Fold } from "../form/Fold";
import { Field, Refused } from "../form/problems";
import { Select } from "../form/Select";
import { useWork } from "../form/work";
import { language, t } from "../i18n";
import { OptionInput } from "../options/OptionInput";
import { go } from "../route";
import { Format } from "./CreateFormat";
import { More, MORE_FIELDS } from "./CreateMore";
import { Clock, Prizes, Registration } from "./CreateTerms";
import { bodyOf } from "./request";
import { addRights } from "./rights";
import { FIRST, type Set, type Wish } from "./wish";

/** The answer to the request that creates the tournament. No other answer contains the tokens. */
interface Created {
  tournament: { id: string };
  token: string;
  arbiter_token: string;
  invitation?: string;
}

/** The JSON Pointers of the values whose mistakes the form shows at a field. */
const FIELDS = [
  "/rule_set",
  "/title",
  "/format",
  "/options",
  "/team_size",
  "/seeding",
  "/automatic",
  "/same_dice",
  "/registration",
  "/most_entrants",
  "/late_entries",
  "/robots",
  "/turn_timer",
  "/no_show",
  "/prizes",
  ...MORE_FIELDS,
];

export function Create({ sets }: { sets: RuleSetSummary[] }): JSX.Element {
  const [open, setOpen] = useState(location.hash === "#create");
  const [wish, setWish] = useState<Wish>(FIRST);
  const [rules, setRules] = useState<RuleSet>();
  const { busy, trouble, run } = useWork();
  const set: Set = (more) => setWish((before) => ({ ...before, ...more }));
  useEffect(() => {
    if (!open) return;
    // An answer that comes after another rule set was chosen is not used.
    let isStale = false;
    const query = wish.version && `?version=${encodeURIComponent(wish.version)}`;
    read<RuleSet>(`/v1/rule-sets/${wish.ruleSet}${query}`).then(
      (found) => !isStale && setRules(found),
      () => undefined,
    );
    return () => {
      isStale = true;
    };
  }, [wish.ruleSet, wish.version, open, language.value]);
  const create = async (event: Event): Promise<void> => {
    event.preventDefault();
    await run(async () => {
      const created = await call<Created>("POST", "/v1/tournaments", { body: bodyOf(wish) });
      const { id } = created.tournament;
      addRights(id, {
        role: "organiser",
        token: created.token,
        arbiter: created.arbiter_token,
        ...(created.invitation && { invitation: created.invitation }),
      });
      go(`/tournaments/${id}`);
    });
  };
  return (
    <details class="box create" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("create_tournament")}</summary>
      <form onSubmit={(event) => void create(event)}>
        <Select
          text={t("game")}
          at="/rule_set"
          trouble={trouble}
          name="rule_set"
          value={wish.ruleSet}
          choices={sets.length > 0 ? sets.map(({ id, title }) => [id, title]) : [[wish.ruleSet, wish.ruleSet]]}
          set={(ruleSet) => set({ ruleSet, version: "", options: {}, boards: {} })}
        />
        <Field text={t("tournament_title")} at="/title" trouble={trouble}>
          {(marks) => (
            <input
              {...marks}
              name="title"
              value={wish.title}
              maxLength={80}
              onInput={(event) => set({ title: event.currentTarget.value })}
            />
          )}
        </Field>
        <Format wish={wish} set={set} trouble={trouble} />
        <Clock wish={wish} set={set} trouble={trouble} />
        <Registration wish={wish} set={set} trouble={trouble} />
        <Prizes wish={wish} set={set} trouble={trouble} />
        {rules && rules.id === wish.ruleSet && rules.options.length > 0 && (
          <Fold
            text={t("options", { count: rules.options.length })}
            fields={["/options"]}
            trouble={trouble}
            class="rule-options"
          >
            {rules.options.map((option) => (
              <Field key={option.name} text={option.text} at={`/options/${option.name}`} trouble={trouble}>
                {(marks) => (
                  <OptionInput
                    option={option}
                    marks={marks}
                    value={wish.options[option.name] ?? option.default}
                    word={(one) => rules.texts[`options.${option.name}.${one}`] ?? one}
                    set={(value) => set({ options: changed(wish.options, option.name, value, option.default) })}
                  />
                )}
              </Field>
            ))}
          </Fold>
        )}
        <More wish={wish} set={set} trouble={trouble} rules={rules?.id === wish.ruleSet ? rules : undefined} />
        <p class="facts">{t("tournament_terms_stay")}</p>
        <Refused trouble={trouble} fields={FIELDS} />
        <p>
          <button class="primary" data-create disabled={busy}>
            {t("create_tournament")}
          </button>
        </p>
      </form>
    </details>
  );
}

/** The options with one of them set. An option with its default is left out. */
function changed(options: Wish["options"], name: string, value: OptionValue, usual: OptionValue): Wish["options"] {
  const { [name]: _, ...others } = options;
  return value === usual ? others : { ...others, [name]: value };
}
