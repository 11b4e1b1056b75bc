// The page `/tournaments`: the tournaments of the service, newest first.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { read, Refusal, refusalOf } from "../api/client";
import type { RuleSetSummary, TournamentSummary } from "../api/types";
import { Trouble } from "../form/notes";
import { language, t } from "../i18n";
import "../tables/tables.css";
import { You } from "../tables/You";
import { Create } from "./Create";
import "./tournaments.css";

interface Page {
  tournaments: TournamentSummary[];
  next_cursor?: string;
}

type Status = TournamentSummary["status"];
const STATUSES: Status[] = ["open", "running", "finished"];

export function Tournaments(): JSX.Element {
  const [status, setStatus] = useState<Status | "">("");
  const [found, setFound] = useState<TournamentSummary[]>();
  const [cursor, setCursor] = useState<string>();
  const [sets, setSets] = useState<RuleSetSummary[]>([]);
  const [trouble, setTrouble] = useState<Refusal>();
  // An answer that comes after another status was chosen is not used.
  const wish = useRef(status);
  wish.current = status;
  const load = async (after?: string): Promise<void> => {
    const query = new URLSearchParams({ limit: "30", ...(status && { status }), ...(after && { cursor: after }) });
    try {
      const page = await read<Page>(`/v1/tournaments?${query}`);
      if (wish.current !== status) return;
      setFound((before) => (after ? [...(before ?? []), ...page.tournaments] : page.tournaments));
      setCursor(page.next_cursor);
      setTrouble(undefined);
    } catch (error) {
      setTrouble(refusalOf(error));
    }
  };
  useEffect(() => {
    setFound(undefined);
    void load();
  }, [status]);
  useEffect(() => {
    read<{ rule_sets: RuleSetSummary[] }>("/v1/rule-sets").then(
      (list) => setSets([...list.rule_sets].sort((a, b) => a.title.localeCompare(b.title))),
      () => undefined,
    );
  }, [language.value]);
  const titles = new Map(sets.map((set) => [set.id, set.title]));
  return (
    <main class="lobby">
      <header class="row spread">
        <h1>{t("tournaments")}</h1>
        <You />
      </header>
      <p class="facts">{t("tournaments_about")}</p>
      <Create sets={sets} />
      <div class="filters row" role="group" aria-label={t("show")}>
        {(["", ...STATUSES] as const).map((one) => (
          <button key={one} aria-pressed={status === one} onClick={() => setStatus(one)}>
            {t(one ? `tournament_${one}` : "all")}
          </button>
        ))}
      </div>
      <Trouble trouble={trouble} again={() => void load()} />
      {!found && !trouble && <p aria-busy="true">{t("loading")}</p>}
      {found?.length === 0 && <p>{t("no_tournaments")}</p>}
      <ul class="rows">
        {found?.map((one) => (
          <li key={one.id} data-tournament={one.id}>
            <a href={`/tournaments/${one.id}`}>
              <b dir="auto">{one.title ?? titles.get(one.rule_set.id) ?? one.rule_set.id}</b>
              <small>{titles.get(one.rule_set.id) ?? one.rule_set.id}</small>
              <small>
                <span class={`badge${one.status === "finished" ? "" : " good"}`}>{t(`tournament_${one.status}`)}</span>
                {t("entrants_count", { count: one.entrants })}
                {one.rounds > 0 && ` · ${t("rounds_count", { count: one.rounds })}`}
              </small>
            </a>
          </li>
        ))}
      </ul>
      {cursor && (
        <p>
          <button onClick={() => void load(cursor)}>{t("show_more")}</button>
        </p>
      )}
    </main>
  );
}
