// The form that opens a table. Its options are changed at the table itself.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call, read, Refusal, refusalOf } from "../api/client";
import type { Layout, RuleSetSummary, Table } from "../api/types";
import { Field, Refused } from "../form/problems";
import { t } from "../i18n";
import { setting } from "../keep";
import { LONGEST_NAME, needPlayer, player, type Player } from "../player";
import { go } from "../route";
import { timeText } from "./time";

/** The times for a decision to choose from, in seconds. */
const TIMES = [0, 30, 60, 180, 86_400];

/** The places in the requests for whose mistakes the form has a field. */
const FIELDS = ["/rule_set", "/seats", "/players", "/title", "/name", "/options/time_per_turn", "/options/private"];

/** The rule set that the address names, as in `/tables#open=pagade`. */
const wished = (): string => new URLSearchParams(location.hash.slice(1)).get("open") ?? "";

export function OpenTable({ sets }: { sets: RuleSetSummary[] }): JSX.Element {
  const [open, setOpen] = useState(location.hash.startsWith("#open"));
  const [ruleSet, setRuleSet] = useState(wished() || "pagade");
  const [layout, setLayout] = useState<Layout>();
  const [table, setTable] = useState(0);
  const [title, setTitle] = useState("");
  const [name, setName] = useState(player.value?.name || (setting("pagade.name") ?? ""));
  const [time, setTime] = useState(60);
  const [isPrivate, setPrivate] = useState(false);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Refusal>();
  useEffect(() => {
    if (!open) return;
    setTable(0);
    setLayout(undefined);
    // An answer that comes after another rule set was chosen is not used.
    let isStale = false;
    read<Layout>(`/v1/rule-sets/${ruleSet}/layout`).then(
      (found) => !isStale && setLayout(found),
      (error: unknown) => !isStale && setTrouble(refusalOf(error)),
    );
    return () => {
      isStale = true;
    };
  }, [ruleSet, open]);
  const create = async (event: Event): Promise<void> => {
    event.preventDefault();
    await sit(async (me) => {
      const seats = layout?.tables[table]?.players;
      const body = {
        rule_set: ruleSet,
        ...(title.trim() && { title: title.trim() }),
        ...(seats && { seats }),
        options: { time_per_turn: time, private: isPrivate },
      };
      return call<Table>("POST", "/v1/tables", { body, token: me.token });
    });
  };
  const quickPlay = (): Promise<void> =>
    sit((me) => {
      const players = layout?.tables[table]?.players.length;
      const body = { rule_set: ruleSet, ...(players && { players }), options: { time_per_turn: time } };
      return call<Table>("POST", "/v1/quick-play", { body, token: me.token });
    });
  const sit = async (at: (me: Player) => Promise<Table>): Promise<void> => {
    setBusy(true);
    setTrouble(undefined);
    try {
      const found = await at(await needPlayer(name));
      go(`/tables/${found.id}`);
    } catch (error) {
      setTrouble(refusalOf(error));
      setBusy(false);
    }
  };
  return (
    <details class="box open-table" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("open_table")}</summary>
      <form onSubmit={(event) => void create(event)}>
        <Field text={t("game")} at="/rule_set" trouble={trouble}>
          {(marks) => (
            <select
              {...marks}
              name="rule_set"
              value={ruleSet}
              onChange={(event) => setRuleSet(event.currentTarget.value)}
            >
              {sets.length === 0 && <option value={ruleSet}>{ruleSet}</option>}
              {sets.map((set) => (
                <option key={set.id} value={set.id}>
                  {set.title}
                </option>
              ))}
            </select>
          )}
        </Field>
        {layout && layout.tables.length > 1 && (
          <Field text={t("table")} at={["/seats", "/players"]} trouble={trouble}>
            {(marks) => (
              <select {...marks} value={table} onChange={(event) => setTable(Number(event.currentTarget.value))}>
                {layout.tables.map((one, index) => (
                  <option key={one.players.join()} value={index}>
                    {t("players_count", { counts: one.players.length })}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        <Field text={t("table_title")} at="/title" trouble={trouble}>
          {(marks) => (
            <input
              {...marks}
              name="title"
              value={title}
              maxLength={80}
              onInput={(event) => setTitle(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field text={t("your_name")} at="/name" trouble={trouble}>
          {(marks) => (
            <input
              {...marks}
              name="name"
              value={name}
              maxLength={LONGEST_NAME}
              autocomplete="nickname"
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field text={t("option_time_per_turn")} at="/options/time_per_turn" trouble={trouble}>
          {(marks) => (
            <select {...marks} value={time} onChange={(event) => setTime(Number(event.currentTarget.value))}>
              {TIMES.map((seconds) => (
                <option key={seconds} value={seconds}>
                  {timeText(seconds)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field text={t("option_private")} at="/options/private" trouble={trouble}>
          {(marks) => (
            <input
              {...marks}
              type="checkbox"
              name="private"
              checked={isPrivate}
              onChange={(event) => setPrivate(event.currentTarget.checked)}
            />
          )}
        </Field>
        <p class="facts">{t("options_later")}</p>
        <Refused trouble={trouble} fields={FIELDS} />
        <p class="row">
          <button class="primary" disabled={busy}>
            {t("open_table")}
          </button>
          <button type="button" data-quick-play disabled={busy} onClick={() => void quickPlay()}>
            {t("quick_play")}
          </button>
        </p>
        <p class="facts">{t("quick_play_about")}</p>
      </form>
    </details>
  );
}
