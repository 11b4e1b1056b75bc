// The terms of a tournament, which are fixed when it is created. The part of the page is closed at first.
import type { JSX } from "preact";
import { Fragment } from "preact";
import type { OptionValue, RuleSet, Tournament } from "../api/types";
import { maybe, t } from "../i18n";
import { robotName } from "../play/robots";
import { seatName } from "../play/words";
import { duration, timeText } from "../tables/time";
import { LISTS, SINGLE } from "./points";
import type { TournamentSession } from "./session";

/** A term, its value, and the attribute `data-term`; `false` or `undefined` if the tournament has no such term. */
type Row = [term: string, value: string, name?: string] | false | undefined;

/** The text for a late decision: how the service decides, or the robot that decides. */
export const lateText = (word: string): string => maybe(`late_then_${word}`) ?? robotName(word);

const yesNo = (truth: boolean): string => t(truth ? "yes" : "no");

export function Terms({ session }: { session: TournamentSession }): JSX.Element | null {
  const tournament = session.tournament.value;
  if (!tournament) return null;
  const rules = session.rules.value;
  const rows = [
    [t("version_of_rules"), tournament.rule_set.version] as Row,
    ...optionRows(tournament, rules),
    ...formatRows(tournament, rules),
    ...clockRows(tournament),
    ...entryRows(tournament),
    ...scoringRows(tournament),
    [t(tournament.seed ? "seed_of_lots" : "seed_hash"), tournament.seed ?? tournament.seed_hash, "seed"] as Row,
  ].filter((row) => row !== false && row !== undefined);
  return (
    <details class="box terms">
      <summary>{t("terms")}</summary>
      <dl>
        {rows.map(([term, value, name]) => (
          <Fragment key={term}>
            <dt dir="auto">{term}</dt>
            <dd dir="auto" data-term={name}>
              {value}
            </dd>
          </Fragment>
        ))}
      </dl>
    </details>
  );
}

function optionRows({ options }: Tournament, rules: RuleSet | undefined): Row[] {
  const say = (name: string, value: OptionValue): string =>
    typeof value === "boolean" ? yesNo(value) : (rules?.texts[`options.${name}.${value}`] ?? String(value));
  return Object.entries(options).map(([name, value]) => [rules?.texts[`options.${name}`] ?? name, say(name, value)]);
}

function formatRows({ format, boards, ...terms }: Tournament, rules: RuleSet | undefined): Row[] {
  const { kind, seconds, ...numbers } = format;
  const fields = Object.entries(numbers).filter(([, value]) => value != null);
  return [
    [t("format_kind"), t(`format_${kind}`)],
    ...fields.map(([name, value]): Row => [
      maybe(`field_${name}`) ?? name,
      typeof value === "boolean" ? yesNo(value) : String(value),
      name,
    ]),
    seconds != null && [t("time_open"), duration(seconds)],
    [t("team_size"), terms.team_size === 1 ? t("everybody_alone") : t("teams_of", { count: terms.team_size })],
    ...boards.map((seats): Row => [
      t("seats_that_play", { count: seats.length }),
      seats.map((seat) => seatName(seat, { rules })).join(", "),
      `board-${seats.length}`,
    ]),
    [t("seeding"), t(`seeding_${terms.seeding}`)],
    [t("automatic_rounds"), yesNo(terms.automatic)],
    [t("wish_same_dice"), yesNo(terms.same_dice)],
  ];
}

function clockRows({ turn_timer: timer, no_show: noShow, ...terms }: Tournament): Row[] {
  const never = t("never");
  return [
    [t("clock"), timeText(timer?.seconds ?? 0)],
    timer && [t("when_late"), lateText(timer.then ?? "random"), "late"],
    timer && [t("late_automatic"), yesNo(timer.automatic ?? false), "late_automatic"],
    timer && [t("forfeit_after"), String(timer.forfeit_after ?? never), "forfeit_after"],
    timer && [t("no_show"), noShow ? duration(noShow.seconds) : t("no_show_none"), "no_show"],
    noShow && [t("withdraw_after"), String(noShow.withdraw_after ?? never), "withdraw_after"],
    [t("robot_pause"), String(terms.robot_pause_milliseconds ?? 500), "robot_pause"],
  ];
}

function entryRows(terms: Tournament): Row[] {
  return [
    [t("registration"), t(`entry_${terms.registration}`)],
    [t("most_entrants"), String(terms.most_entrants)],
    terms.registration !== "list" && [t("late_entries"), yesNo(terms.late_entries)],
    [t("robots_may_enter"), yesNo(terms.robots)],
  ];
}

function scoringRows({ points, tie_breaks: tieBreaks, boards, team_size: team }: Tournament): Row[] {
  const sizes = ([2, 3, 4] as const).filter((size) => boards.some((seats) => seats.length === size * team));
  const order = tieBreaks.map((word, at) => `${at + 1}. ${t(`tie_${word}`)}`);
  return [
    ...sizes.map((size): Row => [
      t("points_at_table", { count: size }),
      points[LISTS[size]].join(" · "),
      `points-${LISTS[size]}`,
    ]),
    ...SINGLE.map((name): Row => [t(`points_${name}`), String(points[name] ?? 0), `points-${name}`]),
    [t("tie_breaks"), order.join(" · ") || t("no_tie_break"), "tie_breaks"],
  ];
}
