// The page `/rules/{id}`: the rules of a game with the path of each colour, and the form that begins a game.
import type { JSX } from "preact";
import { lazy, Suspense } from "preact/compat";
import { useEffect, useMemo, useState } from "preact/hooks";
import { read, Refusal, refusalOf } from "../api/client";
import type { Layout, OptionValue, RuleSet } from "../api/types";
import { Board } from "../board/Board";
import { Unopened } from "../form/notes";
import { inLine, language, t } from "../i18n";
import { Sign } from "../play/Seats";
import { seatName } from "../play/words";
import { counts, diceText, lengthText, startOf } from "./Home";
import { RulesFacts } from "./RulesFacts";
import { RulesWords } from "./RulesWords";
import { SetUp } from "./SetUp";

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
  if (fatal) return <Unopened title={t("no_game")} trouble={fatal} to="/" toText={t("to_games")} />;
  if (!rules || !layout)
    return (
      <main class="plain">
        <p aria-busy="true">{t("loading")}</p>
      </main>
    );
  const order = layout.seats.map((seat) => seat.seat);
  const names = { rules, layout };
  const path = layout.seats.find((seat) => seat.seat === shown);
  const way = path && {
    seat: path.seat,
    from: path.places[0]!.place,
    path: path.places.slice(1).map((place) => place.place),
  };
  return (
    <main class="rules-page">
      <div class="table">
        <Board
          layout={layout}
          label={t("board_of", { game: rules.title })}
          pawns={shown ? [] : start}
          way={way}
          labels={shown}
        />
        <div class="paths" role="group" aria-label={t("paths")}>
          <span>{t("paths")}</span>
          {layout.seats.map((seat) => (
            <button
              key={seat.seat}
              aria-pressed={shown === seat.seat}
              onClick={() => setShown(shown === seat.seat ? undefined : seat.seat)}
            >
              <Sign seat={seat.seat} paint={seat.paint} order={order} /> {seatName(seat.seat, names)}
            </button>
          ))}
        </div>
      </div>
      <div class="side">
        <h1 dir="auto">{rules.title}</h1>
        <p class="facts">
          {inLine([
            rules.region,
            rules.period,
            t("players_count", { counts: counts(layout) }),
            t("pawns_count", { count: layout.pawns }),
            diceText(layout),
            lengthText(rules),
          ])}
        </p>
        {rules.about && <p dir="auto">{rules.about}</p>}
        <SetUp rules={rules} layout={layout} options={options} setOptions={setOptions} wrong={wrong} />
        <RulesWords rules={rules} layout={layout} />
        <RulesFacts rules={rules} layout={layout} />
        <Suspense fallback={null}>
          <Statistics key={rules.digest} rules={rules} layout={layout} options={options} />
        </Suspense>
        <Sources rules={rules} />
      </div>
    </main>
  );
}

function Sources({ rules }: { rules: RuleSet }): JSX.Element {
  const titles = Object.entries(rules.titles ?? {});
  return (
    <section class="sources">
      {rules.sources.length > 0 && (
        <>
          <h2>{t("sources")}</h2>
          <ul>
            {rules.sources.map((source) => (
              <li key={source}>{source}</li>
            ))}
          </ul>
        </>
      )}
      {titles.length > 0 && (
        <>
          <h2>{t("names_elsewhere")}</h2>
          <dl class="names">
            {titles.map(([tag, title]) => (
              <div key={tag}>
                <dt>{languageName(tag)}</dt>
                <dd lang={tag}>{title}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <p>
        <a href={`/v1/rule-sets/${rules.id}/source`}>{t("rule_file")}</a> ·{" "}
        <a href={`/lab#base=${rules.id}`}>{t("make_variant")}</a> ·{" "}
        <a href={`/leaderboards/${rules.id}`}>{t("leaderboards")}</a>
      </p>
    </section>
  );
}

/** A language as people name it, by its tag. A browser may not know it. */
function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames(language.value, { type: "language" }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}
