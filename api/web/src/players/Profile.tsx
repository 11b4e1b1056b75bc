// The page `/players/{id}`: what a player has reached in games that count; on the player's own page, the chips, too.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { read, Refusal, refusalOf } from "../api/client";
import type { PlayerStatistics, PlayerView, RuleSetSummary } from "../api/types";
import { Unopened } from "../form/notes";
import { language, t } from "../i18n";
import { forgetPlayer, player } from "../player";
import { chipsText } from "../tables/chips";
import "../tables/tables.css";
import { FriendLists, Friendship } from "./FriendLists";

export function Profile({ id }: { id: string }): JSX.Element {
  const [statistics, setStatistics] = useState<PlayerStatistics>();
  const [own, setOwn] = useState<PlayerView>();
  const [titles, setTitles] = useState<ReadonlyMap<string, string>>(new Map());
  const [trouble, setTrouble] = useState<Refusal>();
  const isMine = player.value?.id === id;
  useEffect(() => {
    setOwn(undefined);
    read<PlayerStatistics>(`/v1/players/${id}/statistics`).then(setStatistics, (error: unknown) =>
      setTrouble(refusalOf(error)),
    );
    if (isMine)
      read<{ player?: PlayerView }>("/v1/me", player.peek()?.token).then(
        (me) => setOwn(me.player),
        () => undefined,
      );
    read<{ rule_sets: RuleSetSummary[] }>("/v1/rule-sets").then(
      (list) => setTitles(new Map(list.rule_sets.map((set) => [set.id, set.title]))),
      () => undefined,
    );
  }, [language.value, isMine]);
  if (trouble) return <Unopened title={t("no_player")} trouble={trouble} to="/leaderboards" toText={t("leaderboards")} />;
  if (!statistics)
    return (
      <main class="plain">
        <p aria-busy="true">{t("loading")}</p>
      </main>
    );
  const { level, experience, next_level: next, played, won, lost, streak } = statistics;
  return (
    <main class="lobby profile">
      <header>
        <p class="facts">
          <a href="/leaderboards">{t("leaderboards")}</a>
        </p>
        <h1 dir="auto">{statistics.name ?? t("nameless")}</h1>
      </header>
      {own && (
        <p class="box chips" data-balance={own.balance}>
          {own.registered ? t("balance_of", { chips: chipsText(own.balance) }) : t("guests_have_no_chips")}
          {own.staked > 0 && ` · ${t("staked_of", { chips: chipsText(own.staked) })}`}
        </p>
      )}
      {own?.registered && (
        <p>
          <button data-sign-out onClick={forgetPlayer}>
            {t("sign_out")}
          </button>
        </p>
      )}
      {player.value && !isMine && <Friendship other={id} />}
      <section class="box" aria-labelledby="reached">
        <h2 id="reached">{t("reached")}</h2>
        <p>
          {t("level_of", { level, experience })}
          {next !== undefined && ` ${t("next_level_at", { experience: next })}`}
        </p>
        <p class="facts">
          {t("games_won_lost", { played, won, lost })}
          {streak > 1 && ` · ${t("streak_of", { count: streak })}`}
        </p>
        {statistics.badges.length > 0 && (
          <ul class="row">
            {statistics.badges.map((badge) => (
              <li key={badge.id} class="badge">
                {badge.text ?? badge.id}
              </li>
            ))}
          </ul>
        )}
      </section>
      {statistics.rule_sets.length === 0 && <p>{t("nothing_counts_yet")}</p>}
      {statistics.rule_sets.length > 0 && (
        <section class="box" aria-labelledby="by-game">
          <h2 id="by-game">{t("games")}</h2>
          <div class="scroll" tabIndex={0} role="group" aria-label={t("games")}>
            <table class="board-lines">
              <thead>
                <tr>
                  <th scope="col">{t("game")}</th>
                  <th scope="col">{t("played")}</th>
                  <th scope="col">{t("won")}</th>
                  <th scope="col">{t("experience")}</th>
                  <th scope="col">{t("rating")}</th>
                </tr>
              </thead>
              <tbody>
                {statistics.rule_sets.map((one) => (
                  <tr key={one.rule_set} data-rule-set={one.rule_set}>
                    <th scope="row">
                      <a href={`/leaderboards/${one.rule_set}`}>{titles.get(one.rule_set) ?? one.rule_set}</a>
                    </th>
                    <td>{one.played}</td>
                    <td>{one.won}</td>
                    <td>{one.experience}</td>
                    <td
                      title={t("rating_about")}
                    >{`${one.rating.value.toFixed(1)} ± ${one.rating.uncertainty.toFixed(1)}`}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <p class="facts">{t("rating_about")}</p>
        </section>
      )}
      {isMine && <FriendLists />}
    </main>
  );
}
