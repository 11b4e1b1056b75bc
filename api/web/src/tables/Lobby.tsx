// The page `/tables`: the open tables, the tables of this player, games to watch, and the form that opens a table.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { read, Refusal, refusalOf } from "../api/client";
import type { GameSummary, RuleSetSummary, TableSummary } from "../api/types";
import { Trouble } from "../form/notes";
import { inLine, language, t } from "../i18n";
import { player } from "../player";
import { stakesText } from "./chips";
import { OpenTable } from "./OpenTable";
import "./tables.css";
import { timeText } from "./time";
import { You } from "./You";

/** Greatest stake of a table, in chips. */
const MOST_STAKE = 1_000_000;

/** The time after which the list is read again, in milliseconds. */
const BEAT = 8_000;

interface Page {
  tables: TableSummary[];
  next_cursor?: string;
}

export function Lobby(): JSX.Element {
  const [sets, setSets] = useState<RuleSetSummary[]>([]);
  const [ruleSet, setRuleSet] = useState("");
  const [free, setFree] = useState(true);
  const [isPrivate, setPrivate] = useState("");
  const [stake, setStake] = useState("");
  const [page, setPage] = useState<Page>();
  const [more, setMore] = useState<TableSummary[]>([]);
  const [cursor, setCursor] = useState<string>();
  const [mine, setMine] = useState<TableSummary[]>([]);
  const [games, setGames] = useState<GameSummary[]>([]);
  const [trouble, setTrouble] = useState<Refusal>();
  const query = new URLSearchParams({
    limit: "20",
    ...(ruleSet && { rule_set: ruleSet }),
    ...(free && { free: "true" }),
    ...(isPrivate && { private: isPrivate }),
    ...(stake && { bet: stake }),
  }).toString();
  useEffect(() => {
    read<{ rule_sets: RuleSetSummary[] }>("/v1/rule-sets").then(
      (list) => setSets([...list.rule_sets].sort((a, b) => a.title.localeCompare(b.title))),
      () => undefined,
    );
  }, [language.value]);
  useEffect(() => {
    let isOver = false;
    const load = async (): Promise<void> => {
      try {
        const found = await read<Page>(`/v1/tables?${query}`);
        const live = await read<{ games: GameSummary[] }>("/v1/games?status=playing&limit=12");
        const own = await readMine();
        if (isOver) return;
        setPage(found);
        setGames(live.games);
        setMine(own);
        setTrouble(undefined);
      } catch (error) {
        if (!isOver) setTrouble(refusalOf(error));
      }
    };
    setMore([]);
    setCursor(undefined);
    void load();
    const timer = setInterval(() => {
      if (!document.hidden) void load();
    }, BEAT);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [query, player.value?.id]);
  const titles = new Map(sets.map((set) => [set.id, set.title]));
  const next = cursor ?? page?.next_cursor;
  const readMore = async (): Promise<void> => {
    try {
      const found = await read<Page>(`/v1/tables?${query}&cursor=${next}`);
      setMore([...more, ...found.tables]);
      setCursor(found.next_cursor ?? "");
    } catch (error) {
      setTrouble(refusalOf(error));
    }
  };
  const first = page?.tables ?? [];
  const known = new Set(first.map((table) => table.id));
  const shown = [...first, ...more.filter((table) => !known.has(table.id))];
  return (
    <main class="lobby">
      <header class="row spread">
        <h1>{t("tables")}</h1>
        <You />
      </header>
      <p class="facts">
        {t("tables_about")} <a href="/leaderboards">{t("leaderboards")}</a>
      </p>
      <Trouble trouble={trouble} />
      <OpenTable sets={sets} />
      {mine.length > 0 && (
        <section aria-labelledby="mine">
          <h2 id="mine">{t("my_tables")}</h2>
          <List tables={mine} titles={titles} />
        </section>
      )}
      <section aria-labelledby="open-tables">
        <h2 id="open-tables">{t("open_tables")}</h2>
        <div class="filters row">
          <label>
            {t("game")}{" "}
            <select value={ruleSet} onChange={(event) => setRuleSet(event.currentTarget.value)}>
              <option value="">{t("all")}</option>
              {sets.map((set) => (
                <option key={set.id} value={set.id}>
                  {set.title}
                </option>
              ))}
            </select>
          </label>
          <label>
            {t("privacy")}{" "}
            <select value={isPrivate} onChange={(event) => setPrivate(event.currentTarget.value)}>
              <option value="">{t("all")}</option>
              <option value="false">{t("public")}</option>
              <option value="true">{t("private")}</option>
            </select>
          </label>
          <label>
            {t("stake")}{" "}
            <input
              type="number"
              name="stake"
              min={0}
              max={MOST_STAKE}
              placeholder={t("all")}
              value={stake}
              onChange={(event) => setStake(event.currentTarget.validity.valid ? event.currentTarget.value : stake)}
            />
          </label>
          <label class="row">
            <input type="checkbox" checked={free} onChange={(event) => setFree(event.currentTarget.checked)} />{" "}
            {t("with_free_seats")}
          </label>
        </div>
        {page ? <List tables={shown} titles={titles} /> : !trouble && <p aria-busy="true">{t("loading")}</p>}
        {page && shown.length === 0 && <p>{t("no_tables")}</p>}
        {next && (
          <p>
            <button onClick={() => void readMore()}>{t("show_more")}</button>
          </p>
        )}
      </section>
      {games.length > 0 && (
        <section aria-labelledby="live">
          <h2 id="live">{t("games_to_watch")}</h2>
          <ul class="rows">
            {games.map((game) => (
              <li key={game.id}>
                <a href={`/watch/${game.id}`}>
                  <b dir="auto">{game.title ?? titles.get(game.rule_set.id) ?? game.rule_set.id}</b>
                  {game.title && <small>{titles.get(game.rule_set.id) ?? game.rule_set.id}</small>}
                  <small>
                    {new Date(game.updated_at).toLocaleString(language.value, {
                      dateStyle: "medium",
                      timeStyle: "short",
                    })}
                  </small>
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </main>
  );
}

/** The tables at which this player sits, watches or is invited. */
async function readMine(): Promise<TableSummary[]> {
  const me = player.peek();
  if (!me) return [];
  const found: TableSummary[] = [];
  for (const role of ["seated", "invited", "watching"]) {
    try {
      const page = await read<Page>(`/v1/players/${me.id}/tables?role=${role}`, me.token);
      found.push(...page.tables.filter((table) => table.status !== "closed"));
    } catch (error) {
      // If the service refuses the player's token, no tables are listed, and the panel of the player shows the problem.
      if (refusalOf(error).status === 0) throw error;
    }
  }
  return found;
}

function List({ tables, titles }: { tables: TableSummary[]; titles: Map<string, string> }): JSX.Element {
  return (
    <ul class="rows">
      {tables.map((table) => {
        const game = titles.get(table.rule_set.id) ?? table.rule_set.id;
        return (
          <li key={table.id} data-table={table.id}>
            <a href={`/tables/${table.id}`}>
              <b dir="auto">{table.title ?? game}</b>
              <small>
                {inLine([table.title && game, table.master_name && t("of_master", { name: table.master_name })])}
              </small>
              <small>
                {table.role && <span class="badge">{t(`role_${table.role}`)}</span>}
                <span class={table.free_seats.length > 0 ? "badge good" : "badge"}>
                  {t("seats_free", { free: table.free_seats.length, seats: table.seats })}
                </span>
                {table.private && <span class="badge">{t("private")}</span>}
                {table.icon === "competitive" && table.bet > 0 && <span class="badge">{stakesText(table.bet)}</span>}
                {table.status === "playing" && <span class="badge">{t("in_play")}</span>}
                {` ${timeText(table.time_per_turn)}`}
              </small>
            </a>
          </li>
        );
      })}
    </ul>
  );
}
