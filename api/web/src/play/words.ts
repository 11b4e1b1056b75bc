// Events and actions in words.
import type { Game, GameEvent, Layout, LegalAction, RuleSet } from "../api/types";
import type { Refusal } from "../api/client";
import type { Reached } from "../api/limits";
import { language, maybe, t } from "../i18n";
import { seatOfPawn } from "./colours";
import { numbersOf, numberText } from "./Dice";

export interface Names {
  game?: Game | undefined;
  rules?: RuleSet | undefined;
  layout?: Layout | undefined;
}

const capital = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

export function seatName(seat: string | undefined, { rules }: Names): string {
  return capital(rules?.texts[`seats.${seat}`] ?? seat ?? "");
}

/** The seat that has to decide: the seat whose turn it is, or another one that the rules ask. */
export const decider = (game: Game): string | undefined => game.asked ?? game.turn ?? undefined;

/** The name of the player at a seat, or the name of the seat if the player has no name. */
export function playerName(seat: string | undefined, names: Names): string {
  const person = names.game?.seats.find((one) => one.seat === seat)?.name;
  return person ?? seatName(seat, names);
}

export function placeName(place: string | undefined, { layout, rules }: Names): string {
  if (!place) return "";
  if (place === layout?.home) return rules?.texts[`places.${place}`] ?? t("home_place");
  if (place === layout?.out) return rules?.texts[`places.${place}`] ?? t("out_place");
  return place;
}

/** A counter of a seat: its name and its number, or the name alone for what is true. */
export const counterText = (name: string | undefined, value: number | string | boolean): string =>
  value === true ? (name ?? "") : `${name} ${value}`;

/** An event as a sentence; `undefined` for events that the story leaves out. */
export function told(event: GameEvent, names: Names): string | undefined {
  const values = {
    seat: playerName(event.seat, names),
    throw: numbersOf(event.throw).join(" + "),
    from: placeName(event.from, names),
    to: placeName(event.to, names),
    number: event.number ?? 0,
    owner: event.pawn ? playerName(seatOfPawn(event.pawn), names) : "",
    by: event.by?.[0] ? playerName(seatOfPawn(event.by[0]), names) : "",
    name: event.name ?? "",
    choice: names.rules?.texts[`choices.${event.choice}`] ?? event.choice ?? "",
    counter: names.rules?.texts[`counters.${event.seat ? "seat" : "game"}.${event.counter}`] ?? event.counter ?? "",
    value: String(event.value ?? ""),
  };
  if (event.event === "joined" && !event.name) return undefined;
  if (event.event === "joined" || event.event === "left_seat") values.seat = seatName(event.seat, names);
  if (event.event === "moved" && event.from === names.layout?.out) return t("event_entered", values);
  if (event.event === "entered" || event.event === "created" || event.event === "counter_changed") return undefined;
  const isOfTeam = names.layout?.seats.some((seat) => seat.seat === event.seat && seat.partner);
  if (event.event === "player_finished" && isOfTeam) return t("event_partner_finished", values);
  if (event.event === "player_finished") return t("event_player_finished", { ...values, place: event.number ?? 0 });
  return maybe(`event_${event.event}`, values);
}

/** A legal action as a line of text, such as "12 → 16". */
export function actionText(action: LegalAction, names: Names): string {
  if (action.kind === "pass") return t("pass");
  if (action.kind === "choice") {
    const argument = action.action.split(" ").slice(1).join(" ");
    return [action.text ?? action.action, argument].filter(Boolean).join(": ");
  }
  const to = placeName(action.to, names);
  const enters = action.from !== undefined && action.from === names.layout?.out;
  const way = enters ? t("enter_at", { to }) : `${placeName(action.from, names)} → ${to}`;
  return [way, ...namedParts(action)].join(", ");
}

/** The throw and the pawns that the text of an action names, as in `20-24:4@2` and `12~2-15:3`. */
function namedParts(action: LegalAction): string[] {
  const pawns = /~([\d+]+)[-=]/.exec(action.action)?.[1];
  const thrown = /@(\d+)$/.exec(action.action)?.[1];
  const parts: string[] = [];
  if (pawns) parts.push(t("by_pawn", { number: pawns }));
  if (thrown) parts.push(t("by_throw", { number: thrown }));
  return parts;
}

/** The text of an action for screen readers. It also names the numbers spent and the captures. */
export function actionLabel(action: LegalAction, names: Names): string {
  if (action.kind !== "move") return actionText(action, names);
  const label = t(action.movers.length > 1 ? "move_label_group" : "move_label", {
    from: placeName(action.from, names),
    to: placeName(action.to, names),
    numbers: action.spends.map(numberText).join(" + "),
    count: action.movers.length,
  });
  const captures = action.captured.length > 0 ? [t("captures", { count: action.captured.length })] : [];
  return [label, ...namedParts(action), ...captures].join(", ");
}

export function troubleText(refusal: Refusal): string {
  if (refusal.reached) return limitText(refusal.reached);
  const problems = refusal.problem.problems?.map((part) => part.detail).join("; ");
  const own = maybe(`problem_${refusal.problem.code}`, refusal.problem.values);
  return own ?? (problems || refusal.problem.detail || refusal.problem.title || refusal.problem.code);
}

/** Which limit was reached, and when the service accepts the next request. */
export function limitText({ limit, seconds }: Reached): string {
  const format = new Intl.RelativeTimeFormat(language.value);
  const time = seconds < 120 ? format.format(seconds, "second") : format.format(Math.ceil(seconds / 60), "minute");
  return t(`limit_${limit}`, { time });
}
