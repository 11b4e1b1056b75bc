// The page `/rules/{id}`: the rules of a game with the path of each colour, and the form that begins a game.
import type { JSX } from "preact";
import { lazy, Suspense } from "preact/compat";
import { useEffect, useMemo, useState } from "preact/hooks";
import { read, Refusal } from "../api/client";
import type { Layout, Option, OptionValue, RuleSet } from "../api/types";
import { Board } from "../board/Board";
import { language, t } from "../i18n";
import { create, type Player } from "../play/create";
import { refusalOf } from "../play/session";
import { Sign } from "../play/Seats";
import { seatName, troubleText } from "../play/words";
import { counts, diceText, startOf } from "./Home";
import { RulesFacts } from "./RulesFacts";

const Statistics = lazy(() => import("./Statistics").then((module) => module.Statistics));

export function Rules({ id }: { id: string }): JSX.Element {
  const [rules, setRules] = useState<RuleSet>();
  const [layout, setLayout] = useState<Layout>();
  const [options, setOptions] = useState<Record<string, OptionValue>>({});
  const [shown, setShown] = useState<string>();
  const [fatal, setFatal] = useState<Refusal>();
  const [wrong, setWrong] = useState<Refusal>();
  useEffect(() => {
    read<RuleSet>(`/v1/rule-sets/${id}`).then(setRules, (error: unknown) => setFatal(refusalOf(error)));
  }, [id, language.value]);
  useEffect(() => {
    const changed = Object.entries(options);
    const query = changed.length > 0 ? `?options=${changed.map(([name, value]) => `${name}:${value}`).join(",")}` : "";
    read<Layout>(`/v1/rule-sets/${id}/layout${query}`).then(
      (found) => {
        setLayout(found);
        setWrong(undefined);
      },
      (error: unknown) => setWrong(refusalOf(error)),
    );
  }, [id, options]);
  const start = useMemo(() => (layout ? startOf(layout) : []), [layout]);
  if (fatal) {
    return (
      <main class="plain">
        <h1>{t("no_game")}</h1>
        <p>{troubleText(fatal)}</p>
        <p><a class="button" href="/">{t("to_games")}</a></p>
      </main>
    );
  }
  if (!rules || !layout) return <main class="plain"><p aria-busy="true">{t("loading")}</p></main>;
  const order = layout.seats.map((seat) => seat.seat);
  const names = { rules, layout };
  const path = layout.seats.find((seat) => seat.seat === shown);
  const way = path && { seat: path.seat, from: path.places[0]!.place, path: path.places.slice(1).map((place) => place.place) };
  return (
    <main class="rules-page">
      <div class="table">
        <Board layout={layout} label={t("board_of", { game: rules.title })} pawns={shown ? [] : start} way={way} labels={shown} />
        <div class="paths" role="group" aria-label={t("paths")}>
          <span>{t("paths")}</span>
          {layout.seats.map((seat) => (
            <button key={seat.seat} aria-pressed={shown === seat.seat} onClick={() => setShown(shown === seat.seat ? undefined : seat.seat)}>
              <Sign seat={seat.seat} paint={seat.paint} order={order} /> {seatName(seat.seat, names)}
            </button>
          ))}
        </div>
      </div>
      <div class="side">
        <h1>{rules.title}</h1>
        <p class="facts">
          {[rules.region, rules.period, t("players_count", { counts: counts(layout) }), t("pawns_count", { count: layout.pawns }), diceText(layout)]
            .filter(Boolean)
            .join(" · ")}
        </p>
        {rules.about && <p>{rules.about}</p>}
        <SetUp rules={rules} layout={layout} options={options} setOptions={setOptions} wrong={wrong} />
        <RulesFacts rules={rules} layout={layout} />
        <Suspense fallback={null}>
          <Statistics key={rules.digest} rules={rules} layout={layout} options={options} />
        </Suspense>
        <Sources rules={rules} />
      </div>
    </main>
  );
}

interface SetUpProps {
  rules: RuleSet;
  layout: Layout;
  options: Record<string, OptionValue>;
  setOptions: (options: Record<string, OptionValue>) => void;
  wrong: Refusal | undefined;
}

function SetUp({ rules, layout, options, setOptions, wrong }: SetUpProps): JSX.Element {
  const [table, setTable] = useState(0);
  const [wishes, setWishes] = useState<Record<string, Player>>({});
  const [trouble, setTrouble] = useState<Refusal>();
  const [busy, setBusy] = useState(false);
  const names = { rules, layout };
  const order = layout.seats.map((seat) => seat.seat);
  const seats = (layout.tables[table] ?? layout.tables[0])?.players ?? order;
  const players = Object.fromEntries(
    seats.map((seat, index) => [seat, wishes[seat] ?? (index === 0 ? "me" : "robot")] as const),
  ) as Record<string, Player>;
  const begin = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setTrouble(undefined);
    try {
      await create({ ruleSet: rules.id, version: rules.version, title: rules.title, players, options });
    } catch (error) {
      setTrouble(refusalOf(error));
      setBusy(false);
    }
  };
  return (
    <form class="set-up" onSubmit={(event) => void begin(event)}>
      <h2>{t("new_game")}</h2>
      {layout.tables.length > 1 && (
        <label class="field">
          <span>{t("table")}</span>
          <select value={table} onChange={(event) => setTable(Number(event.currentTarget.value))}>
            {layout.tables.map((one, index) => (
              <option key={one.players.join()} value={index}>
                {one.players.length}: {one.players.map((seat) => seatName(seat, names)).join(", ")}
              </option>
            ))}
          </select>
        </label>
      )}
      {seats.map((seat) => (
        <label key={seat} class="field">
          <span>
            <Sign seat={seat} paint={layout.seats.find((one) => one.seat === seat)?.paint ?? "#888888"} order={order} /> {seatName(seat, names)}
          </span>
          <select name={seat} value={players[seat]} onChange={(event) => setWishes({ ...wishes, [seat]: event.currentTarget.value as Player })}>
            <option value="me">{t("player_me")}</option>
            <option value="robot">{t("robot")}</option>
            <option value="easy">{t("robot_easy")}</option>
            <option value="invited">{t("player_invited")}</option>
          </select>
        </label>
      ))}
      {rules.options.length > 0 && (
        <details>
          <summary>{t("options", { count: rules.options.length })}</summary>
          {rules.options.map((option) => (
            <OptionField key={option.name} option={option} rules={rules} value={options[option.name] ?? option.default} set={(value) => {
              const { [option.name]: _, ...others } = options;
              setOptions(value === option.default ? others : { ...others, [option.name]: value });
            }} />
          ))}
        </details>
      )}
      {(wrong ?? trouble) && <p class="note warn" role="alert">{troubleText((wrong ?? trouble)!)}</p>}
      <button class="primary" disabled={busy}>{t("start")}</button>
    </form>
  );
}

interface OptionProps {
  option: Option;
  rules: RuleSet;
  value: OptionValue;
  set: (value: OptionValue) => void;
}

function OptionField({ option, rules, value, set }: OptionProps): JSX.Element {
  const word = (one: string): string => rules.texts[`options.${option.name}.${one}`] ?? one;
  return (
    <label class="field">
      <span>{option.text}</span>
      {option.one_of ? (
        <select value={String(value)} onChange={(event) => set(event.currentTarget.value)}>
          {option.one_of.map((one) => <option key={one} value={one}>{word(one)}</option>)}
        </select>
      ) : typeof option.default === "boolean" ? (
        <input type="checkbox" checked={value === true} onChange={(event) => set(event.currentTarget.checked)} />
      ) : (
        <input type="number" min={option.from ?? undefined} max={option.to ?? undefined} value={Number(value)} onChange={(event) => set(Number(event.currentTarget.value))} />
      )}
    </label>
  );
}

function Sources({ rules }: { rules: RuleSet }): JSX.Element {
  const titles = Object.entries(rules.titles ?? {});
  return (
    <section class="sources">
      {rules.sources.length > 0 && (
        <>
          <h2>{t("sources")}</h2>
          <ul>{rules.sources.map((source) => <li key={source}>{source}</li>)}</ul>
        </>
      )}
      {titles.length > 0 && <p class="facts">{titles.map(([tag, title]) => <span key={tag} lang={tag}>{title} </span>)}</p>}
      <p><a href={`/v1/rule-sets/${rules.id}/source`}>{t("rule_file")}</a> · <a href={`/lab#base=${rules.id}`}>{t("make_variant")}</a> · <a href={`/leaderboards/${rules.id}`}>{t("leaderboards")}</a></p>
    </section>
  );
}
