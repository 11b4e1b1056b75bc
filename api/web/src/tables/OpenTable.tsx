// The form that opens a table. Its options are changed at the table itself.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call, read, Refusal } from "../api/client";
import type { Layout, RuleSetSummary, Table } from "../api/types";
import { t } from "../i18n";
import { setting } from "../keep";
import { LONGEST_NAME, needPlayer, player } from "../player";
import { refusalOf } from "../play/session";
import { troubleText } from "../play/words";
import { go } from "../route";
import { timeText } from "./time";

/** The times for a decision to choose from, in seconds. */
const TIMES = [0, 30, 60, 180, 86_400];

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
    read<Layout>(`/v1/rule-sets/${ruleSet}/layout`).then(setLayout, (error: unknown) => setTrouble(refusalOf(error)));
  }, [ruleSet, open]);
  const create = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setTrouble(undefined);
    try {
      const me = await needPlayer(name);
      const seats = layout?.tables[table]?.players;
      const body = {
        rule_set: ruleSet,
        ...(title.trim() && { title: title.trim() }),
        ...(seats && { seats }),
        options: { time_per_turn: time, private: isPrivate },
      };
      const created = await call<Table>("POST", "/v1/tables", { body, token: me.token });
      go(`/tables/${created.id}`);
    } catch (error) {
      setTrouble(refusalOf(error));
      setBusy(false);
    }
  };
  return (
    <details class="box open-table" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("open_table")}</summary>
      <form onSubmit={(event) => void create(event)}>
        <label class="field">
          <span>{t("game")}</span>
          <select name="rule_set" value={ruleSet} onChange={(event) => setRuleSet(event.currentTarget.value)}>
            {sets.length === 0 && <option value={ruleSet}>{ruleSet}</option>}
            {sets.map((set) => <option key={set.id} value={set.id}>{set.title}</option>)}
          </select>
        </label>
        {layout && layout.tables.length > 1 && (
          <label class="field">
            <span>{t("table")}</span>
            <select value={table} onChange={(event) => setTable(Number(event.currentTarget.value))}>
              {layout.tables.map((one, index) => <option key={one.players.join()} value={index}>{t("players_count", { counts: one.players.length })}</option>)}
            </select>
          </label>
        )}
        <label class="field">
          <span>{t("table_title")}</span>
          <input name="title" value={title} maxLength={80} onInput={(event) => setTitle(event.currentTarget.value)} />
        </label>
        <label class="field">
          <span>{t("your_name")}</span>
          <input name="name" value={name} maxLength={LONGEST_NAME} autocomplete="nickname" onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <label class="field">
          <span>{t("option_time_per_turn")}</span>
          <select value={time} onChange={(event) => setTime(Number(event.currentTarget.value))}>
            {TIMES.map((seconds) => <option key={seconds} value={seconds}>{timeText(seconds)}</option>)}
          </select>
        </label>
        <label class="field">
          <span>{t("option_private")}</span>
          <input type="checkbox" name="private" checked={isPrivate} onChange={(event) => setPrivate(event.currentTarget.checked)} />
        </label>
        <p class="facts">{t("options_later")}</p>
        {trouble && <p class="note warn" role="alert">{troubleText(trouble)}</p>}
        <button class="primary" disabled={busy}>{t("open_table")}</button>
      </form>
    </details>
  );
}
