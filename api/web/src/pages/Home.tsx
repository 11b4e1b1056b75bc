// The page `/`: all games with their boards. Each game has a button that begins a game against robots.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { read, Refusal, refusalOf } from "../api/client";
import type { Layout, RuleSet, RuleSetSummary } from "../api/types";
import { Board, type ShownPawn } from "../board/Board";
import { Trouble } from "../form/notes";
import { inLine, language, t } from "../i18n";
import { forget, kept } from "../keep";
import { againstRobots, create } from "../play/create";
import { reopen } from "../route";

/** Ids of the rule sets at the head of the list: they are easy for beginners, or special to this service. */
const FIRST = [
  "pagade",
  "royal-game-of-ur",
  "chaukabara-7",
  "ludo",
  "pachisi",
  "parchesi-us",
  "snakes-and-ladders",
  "senet",
];

/** Pause before a card that could not be read is read again, in milliseconds. */
const RETRY = 5000;

export function Home(): JSX.Element {
  const [sets, setSets] = useState<RuleSetSummary[]>();
  const [featured, setFeatured] = useState<Layout>();
  const [wish, setWish] = useState("");
  const [trouble, setTrouble] = useState<Refusal>();
  useEffect(() => {
    read<Layout>("/v1/rule-sets/pagade/layout").then(setFeatured, () => undefined);
  }, []);
  useEffect(() => {
    read<{ rule_sets: RuleSetSummary[] }>("/v1/rule-sets").then(
      // Drafts of the rule lab are left out: authors publish them only to try them.
      (list) => setSets(sorted(list.rule_sets.filter((set) => !set.id.startsWith("draft-")))),
      (error: unknown) => setTrouble(refusalOf(error)),
    );
  }, [language.value]);
  const words = wish.toLocaleLowerCase();
  const shown = sets?.filter((set) => `${set.title} ${set.id}`.toLocaleLowerCase().includes(words));
  return (
    <main class="home-page">
      <section class="hero">
        <div>
          <h1>{t("hero")}</h1>
          <p>{t("hero_more", { count: sets?.length ?? 40 })}</p>
          <p class="row">
            <PlayNow id="pagade" text={t("play_pagade")} />
            <a class="button" href="/tables#open">
              {t("open_table")}
            </a>
            <a class="button" href="/tables">
              {t("watch_or_join")}
            </a>
            <a class="button" href="/lab">
              {t("make_rules")}
            </a>
          </p>
        </div>
        {featured && <Board layout={featured} label={t("board_of", { game: "Pagade" })} pawns={startOf(featured)} />}
      </section>
      <Running />
      <section aria-labelledby="games">
        <header class="row spread">
          <h2 id="games">{t("games")}</h2>
          <label class="search">
            <span class="unseen">{t("search")}</span>
            <input
              type="search"
              value={wish}
              placeholder={t("search")}
              onInput={(event) => setWish(event.currentTarget.value)}
            />
          </label>
        </header>
        <Trouble trouble={trouble} again={reopen} />
        <ul class="cards">
          {shown?.map((set) => (
            <Card key={`${set.id} ${language.value}`} set={set} />
          ))}
        </ul>
        {shown?.length === 0 && <p>{t("nothing_found")}</p>}
      </section>
    </main>
  );
}

function sorted(sets: RuleSetSummary[]): RuleSetSummary[] {
  const rank = (set: RuleSetSummary): number => {
    const at = FIRST.indexOf(set.id);
    return at >= 0 ? at : FIRST.length + (set.bundled ? 1 : 0);
  };
  return [...sets].sort((a, b) => rank(a) - rank(b) || a.title.localeCompare(b.title));
}

/** The card of a rule set. Its board is requested when the card is scrolled near the visible part of the page. */
function Card({ set }: { set: RuleSetSummary }): JSX.Element {
  const [layout, setLayout] = useState<Layout>();
  const [rules, setRules] = useState<RuleSet>();
  const card = useRef<HTMLLIElement>(null);
  useEffect(() => {
    const element = card.current;
    if (!element) return;
    let timer = 0;
    const load = (): void => {
      Promise.all([
        read<Layout>(`/v1/rule-sets/${set.id}/layout?digest=${set.digest}`).then(setLayout),
        read<RuleSet>(`/v1/rule-sets/${set.id}?version=${encodeURIComponent(set.version)}`).then(setRules),
      ]).catch(() => (timer = window.setTimeout(load, RETRY)));
    };
    const near = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        near.disconnect();
        load();
      },
      { rootMargin: "200px" },
    );
    near.observe(element);
    return () => {
      near.disconnect();
      clearTimeout(timer);
    };
  }, [set.digest]);
  const start = useMemo(() => (layout ? startOf(layout) : []), [layout]);
  return (
    <li class="card" ref={card} data-set={set.id}>
      <a class="picture" href={`/rules/${set.id}`} aria-label={t("about_game", { game: set.title })}>
        {layout ? <Board layout={layout} label={set.title} pawns={start} /> : <span class="blank" />}
      </a>
      <h3 dir="auto">{set.title}</h3>
      <p class="facts">
        {inLine([
          rules?.region,
          layout && t("players_count", { counts: counts(layout) }),
          layout && diceText(layout),
          rules && lengthText(rules),
        ])}
      </p>
      <p class="about" dir="auto">{rules?.about}</p>
      <p class="row">
        <PlayNow id={set.id} text={t("play")} label={`${t("play")}: ${set.title}`} layout={layout} title={set.title} />
        <a class="button" href={`/tables#open=${set.id}`} aria-label={`${t("open_table")}: ${set.title}`}>
          {t("table_short")}
        </a>
        <a class="button" href={`/rules/${set.id}`} aria-label={`${t("more")}: ${set.title}`}>
          {t("more")}
        </a>
      </p>
    </li>
  );
}

/** The pawns of all seats at the beginning of a game. */
export function startOf(layout: Layout): ShownPawn[] {
  return layout.seats.flatMap((seat) =>
    seat.start.map((place, index) => ({ id: `${seat.seat}-${index + 1}`, seat: seat.seat, place })),
  );
}

export function counts(layout: Layout): string {
  const numbers = [...new Set(layout.tables.map((table) => table.players.length))].sort();
  return numbers.length > 1 ? `${numbers[0]}–${numbers[numbers.length - 1]}` : String(numbers[0] ?? "");
}

export function diceText({ dice }: Layout): string {
  return t(dice.kind === "faces" ? (dice.count === 1 ? "die_one" : "dice_many") : "lots_many", { count: dice.count });
}

/** How long a game at the smallest table lasts, if the service has measured it. */
export function lengthText({ length }: RuleSet): string | undefined {
  return length && t("turns_about", { turns: length.turns < 20 ? length.turns : Math.round(length.turns / 10) * 10 });
}

interface PlayProps {
  id: string;
  text: string;
  label?: string;
  title?: string;
  layout?: Layout | undefined;
}

/** Begins a game against robots at the smallest table. */
export function PlayNow({ id, text, label, title, layout }: PlayProps): JSX.Element {
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Refusal>();
  const play = async (): Promise<void> => {
    setBusy(true);
    setTrouble(undefined);
    try {
      const known = layout ?? (await read<Layout>(`/v1/rule-sets/${id}/layout`));
      const seats = known.tables[0]?.players ?? known.seats.map((seat) => seat.seat);
      await create({ ruleSet: id, title: title ?? text, players: againstRobots(seats) });
    } catch (error) {
      setTrouble(refusalOf(error));
      setBusy(false);
    }
  };
  return (
    <>
      <button class="primary" aria-label={label} disabled={busy} data-play={id} onClick={() => void play()}>
        {text}
      </button>
      <Trouble trouble={trouble} />
    </>
  );
}

/** The six newest games that this browser has stored. */
function Running(): JSX.Element | null {
  const games = kept.value.filter((game) => game.rule_set).slice(0, 6);
  if (games.length === 0) return null;
  return (
    <section class="running" aria-labelledby="running">
      <h2 id="running">{t("my_games")}</h2>
      <ul>
        {games.map((game) => (
          <li key={game.id}>
            <a href={`/play/${game.id}`}>
              <b>{game.title || game.rule_set}</b>
              <small>
                {new Date(game.at).toLocaleString(language.value, { dateStyle: "medium", timeStyle: "short" })}
              </small>
            </a>
            <button
              class="quiet"
              aria-label={t("forget_game", { game: game.title })}
              title={t("forget_game", { game: game.title })}
              onClick={() => forget(game.id)}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
