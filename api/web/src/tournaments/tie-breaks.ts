// The tie-breaks and their order, as the form that creates a tournament has them.
import type { Tournament } from "../api/types";

export type TieBreak = Tournament["tie_breaks"][number];

export const TIE_BREAKS: TieBreak[] = [
  "buchholz",
  "buchholz_cut1",
  "sonneborn_berger",
  "direct_meeting",
  "wins",
  "score_difference",
  "lots",
];

/** The tie-breaks that the service uses if a request has none. */
export const USUAL_TIE_BREAKS: TieBreak[] = ["buchholz", "direct_meeting", "wins", "score_difference", "lots"];

/** The list with this tie-break at this place. If the list has it elsewhere, the two change places. */
export function placed(list: TieBreak[], at: number, word: TieBreak): TieBreak[] {
  const changed = [...list];
  const before = list.indexOf(word);
  if (before >= 0 && at < list.length) changed[before] = list[at]!;
  else if (before >= 0) changed.splice(before, 1);
  changed[Math.min(at, changed.length)] = word;
  return changed;
}

/** The list without the tie-break at this place. */
export const without = (list: TieBreak[], at: number): TieBreak[] => list.filter((_, index) => index !== at);
