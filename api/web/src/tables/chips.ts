// Stakes of games, and gains of players, in words.
import type { Table } from "../api/types";
import { language, maybe, t } from "../i18n";

type PastGame = Table["past_games"][number];

/** A change as a number with its sign. */
const signed = (value: number): string =>
  new Intl.NumberFormat(language.value, { signDisplay: "exceptZero" }).format(value);

export const chipsText = (chips: number): string =>
  t("chips_count", { chips: new Intl.NumberFormat(language.value).format(chips) });

/** The stake and the pot of a game; empty if nothing is staked. */
export const stakesText = (bet: number, pot?: number): string =>
  bet === 0
    ? ""
    : [
        t("stake_of", { chips: chipsText(bet) }),
        ...(pot === undefined ? [] : [t("pot_of", { chips: chipsText(pot) })]),
      ].join(" · ");

/** What a settled game has brought a player, such as "+150 chips, +12 experience"; empty for practice games. */
export function gainText({ chips, experience }: PastGame["players"][number]): string {
  const parts = [
    ...(chips === undefined ? [] : [t("chips_gain", { chips: signed(chips) })]),
    ...(experience ? [t("experience_gain", { experience: signed(experience) })] : []),
  ];
  return parts.join(", ");
}

/** Why a game counts for chips only; `undefined` if it counts in full. */
export const notScoredText = (reason: string | undefined): string | undefined =>
  reason ? (maybe(`not_scored_${reason}`) ?? reason) : undefined;
