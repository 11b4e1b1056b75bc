// The page `/leaderboards/{rule_set}`: registered players by their experience in a rule set.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { read } from "../api/client";
import type { Leaderboard, RuleSetSummary } from "../api/types";
import { Trouble } from "../form/notes";
import { Refused } from "../form/problems";
import { useWork } from "../form/work";
import { language, t } from "../i18n";
import { player } from "../player";
import { go, reopen } from "../route";
import "../tables/tables.css";

/** Number of players on a page of the list. */
const PAGE = 50;

export function Leaderboards({ id }: { id: string }): JSX.Element {
  const ruleSet = id || "pagade";
  const [sets, setSets] = useState<RuleSetSummary[]>([]);
  const [season, setSeason] = useState("");
  const [board, setBoard] = useState<Leaderboard>();
  const { trouble, run } = useWork();
  const path = (cursor?: string): string => {
    const query = new URLSearchParams({ limit: String(PAGE), ...(season && { season }), ...(cursor && { cursor }) });
    return `/v1/leaderboards/${ruleSet}?${query}`;
  };
  useEffect(() => {
    read<{ rule_sets: RuleSetSummary[] }>("/v1/rule-sets").then(
      (list) => setSets([...list.rule_sets].sort((a, b) => a.title.localeCompare(b.title))),
      () => undefined,
    );
  }, [language.value]);
  useEffect(() => {
    setBoard(undefined);
    // An answer that comes after another rule set or season was chosen is not used.
    let isStale = false;
    void run(async () => {
      const found = await read<Leaderboard>(path(), player.peek()?.token);
      if (!isStale) setBoard(found);
    });
    return () => {
      isStale = true;
    };
  }, [ruleSet, season]);
  const more = (): void =>
    void run(async () => {
      const next = await read<Leaderboard>(path(board?.next_cursor), player.peek()?.token);
      setBoard({ ...next, lines: [...(board?.lines ?? []), ...next.lines] });
    });
  const { mine } = board ?? {};
  return (
    <main class="lobby">
      <h1>{t("leaderboards")}</h1>
      <p class="facts">{t("leaderboards_about")}</p>
      <div class="filters row">
        <label>
          {t("game")}{" "}
          <select
            name="rule_set"
            value={ruleSet}
            onChange={(event) => go(`/leaderboards/${event.currentTarget.value}`)}
          >
            {sets.length === 0 && <option value={ruleSet}>{ruleSet}</option>}
            {sets.map((set) => (
              <option key={set.id} value={set.id}>
                {set.title}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t("season")}{" "}
          <input
            name="season"
            value={season}
            maxLength={40}
            placeholder={t("all_times")}
            onChange={(event) => setSeason(event.currentTarget.value.trim())}
          />
        </label>
      </div>
      {trouble?.status === 422 ? <Refused trouble={trouble} /> : <Trouble trouble={trouble} again={reopen} />}
      {!board && !trouble && <p aria-busy="true">{t("loading")}</p>}
      {board && board.lines.length === 0 && <p>{t("nobody_counts_yet")}</p>}
      {mine && <p class="note">{t("your_rank", { rank: mine.rank, players: board!.players })}</p>}
      {board && board.lines.length > 0 && (
        <table class="board-lines ranked">
          <thead>
            <tr>
              <th scope="col">{t("place")}</th>
              <th scope="col">{t("name")}</th>
              <th scope="col">{t("experience")}</th>
            </tr>
          </thead>
          <tbody>
            {board.lines.map((line) => (
              <tr key={line.player} data-line={line.player} class={line.player === player.value?.id ? "mine" : ""}>
                <td>{line.rank}</td>
                <th scope="row" dir="auto">
                  <a href={`/players/${line.player}`}>{line.name ?? t("nameless")}</a>
                </th>
                <td>{line.experience}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {board?.next_cursor && (
        <p>
          <button onClick={more}>{t("show_more")}</button>
        </p>
      )}
    </main>
  );
}
