// The request that the values of the form make.
import { pointsOf } from "./points";
import { USUAL_TIE_BREAKS } from "./tie-breaks";
import { FIELDS, FIRST, formatValue, hasSmallerTables, MINUTES, tableSizes, type Wish } from "./wish";

/** The prizes of the form. Empty lines between others are kept, so that the service reports them. */
export const prizesOf = (wish: Wish): string[] => {
  const text = wish.prizes.trim();
  return text ? text.split("\n").map((line) => line.trim()) : [];
};

function formatOf(wish: Wish): Record<string, unknown> {
  const format: Record<string, unknown> = { kind: wish.kind };
  for (const field of FIELDS[wish.kind]) {
    const value = formatValue(wish, field);
    if (field.name === MINUTES) format[field.name] = Number(value) * 60;
    else if (field.one_of) format[field.name] = Number(value);
    else if (value !== field.default || field.name === "rounds" || field.name === "groups" || field.name === "advance")
      format[field.name] = value;
  }
  if (hasSmallerTables(wish) && wish.smallerTables) format.smaller_tables = wish.smallerTables === "yes";
  return format;
}

/** The times for a turn and for the arrival of entrants, and what happens after each of them. */
function clockOf(wish: Wish): Record<string, unknown> {
  if (wish.time === 0) return {};
  return {
    turn_timer: {
      seconds: wish.time,
      ...(wish.late !== FIRST.late && { then: wish.late }),
      ...(wish.forfeitAfter !== "" && { forfeit_after: Number(wish.forfeitAfter) }),
      ...(wish.lateAutomatic && { automatic: true }),
    },
    ...(wish.noShow > 0 && {
      no_show: {
        seconds: wish.noShow,
        ...(wish.withdrawAfter !== "" && { withdraw_after: Number(wish.withdrawAfter) }),
      },
    }),
  };
}

/** The seats that were chosen for the tables of the format. */
export const boardsOf = (wish: Wish): string[][] =>
  tableSizes(wish).flatMap((size) => {
    const seats = wish.boards[size * wish.teamSize];
    return seats ? [seats] : [];
  });

/** The body of `POST /v1/tournaments`. Values that are defaults are left out. */
export function bodyOf(wish: Wish): Record<string, unknown> {
  const prizes = prizesOf(wish);
  const boards = boardsOf(wish);
  const points = pointsOf(wish.points);
  const isArena = wish.kind === "arena";
  return {
    rule_set: wish.ruleSet,
    ...(wish.version && { version: wish.version }),
    format: formatOf(wish),
    ...(wish.title.trim() && { title: wish.title.trim() }),
    ...(Object.keys(wish.options).length > 0 && { options: wish.options }),
    ...(boards.length > 0 && { boards }),
    ...(wish.teamSize > 1 && { team_size: wish.teamSize }),
    registration: wish.registration,
    ...(wish.most !== "" && { most_entrants: Number(wish.most) }),
    late_entries: wish.lateEntries,
    ...(!isArena && { automatic: wish.automatic }),
    robots: wish.robots,
    ...(wish.robotPause !== "" && { robot_pause_milliseconds: Number(wish.robotPause) }),
    same_dice: wish.sameDice,
    seeding: wish.seeding,
    ...clockOf(wish),
    ...(points && { points }),
    ...(wish.tieBreaks.join() !== USUAL_TIE_BREAKS.join() && { tie_breaks: wish.tieBreaks }),
    ...(prizes.length > 0 && { prizes }),
    ...(wish.seed.trim() && { seed: wish.seed.trim().toLowerCase() }),
  };
}
