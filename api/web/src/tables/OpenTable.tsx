// The form that opens a table. The options of the game are chosen later, at the table.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call, read } from "../api/client";
import type { Layout, RuleSetSummary, Table } from "../api/types";
import { Check } from "../form/Check";
import { Field, Refused } from "../form/problems";
import { Select } from "../form/Select";
import { useWork } from "../form/work";
import { t } from "../i18n";
import { setting } from "../keep";
import { LONGEST_NAME, needPlayer, player, type Player } from "../player";
import { seatName } from "../play/words";
import { go } from "../route";
import { timeText } from "./time";

/** The times for a decision to choose from, in seconds. */
const TIMES = [0, 30, 60, 180, 86_400];

/** The JSON Pointers of the values whose mistakes the form shows at a field. */
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
  const { busy, trouble, run } = useWork();
  useEffect(() => {
    if (!open) return;
    setTable(0);
    setLayout(undefined);
    // An answer that comes after another rule set was chosen is not used.
    let isStale = false;
    read<Layout>(`/v1/rule-sets/${ruleSet}/layout`).then(
      (found) => !isStale && setLayout(found),
      // If the board cannot be read, the service chooses the seats.
      () => undefined,
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
    await run(async () => go(`/tables/${(await at(await needPlayer(name))).id}`));
  };
  return (
    <details class="box open-table" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("open_table")}</summary>
      <form onSubmit={(event) => void create(event)}>
        <Select
          text={t("game")}
          at="/rule_set"
          trouble={trouble}
          name="rule_set"
          value={ruleSet}
          choices={sets.length > 0 ? sets.map(({ id, title }) => [id, title]) : [[ruleSet, ruleSet]]}
          set={setRuleSet}
        />
        {layout && layout.tables.length > 1 && (
          <Select
            text={t("table")}
            at={["/seats", "/players"]}
            trouble={trouble}
            name="seats"
            value={table}
            choices={layout.tables.map(({ players }, index) => [index, seatsText(players, layout)])}
            set={setTable}
          />
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
        <Select
          text={t("time_for_decision")}
          at="/options/time_per_turn"
          trouble={trouble}
          name="time"
          value={time}
          choices={TIMES.map((seconds) => [seconds, timeText(seconds)])}
          set={setTime}
        />
        <Check
          text={t("option_private")}
          at="/options/private"
          trouble={trouble}
          name="private"
          value={isPrivate}
          set={setPrivate}
        />
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

/** The number of players. Also their seats, if several combinations of seats have this number. */
function seatsText(seats: string[], layout: Layout): string {
  const counts = t("players_count", { counts: seats.length });
  const isAlone = layout.tables.filter(({ players }) => players.length === seats.length).length === 1;
  return isAlone ? counts : `${counts}: ${seats.map((seat) => seatName(seat, {})).join(", ")}`;
}
