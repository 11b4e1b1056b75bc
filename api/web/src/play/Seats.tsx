// The list of players, with the turn, the pawns at home, the counters and the places.
import type { JSX } from "preact";
import type { Session } from "./session";
import { inLine, language, t } from "../i18n";
import { inkOn, SeatSign } from "../board/glyph";
import { Clock } from "./Clock";
import { coloursOf, playerOf } from "./colours";
import { usePresence } from "./presence";
import { robotName } from "./robots";
import { counterText, decider, seatName } from "./words";

export function Sign({ seat, paint, order }: { seat: string; paint: string; order: string[] }): JSX.Element {
  return (
    <svg class="sign" viewBox="-1.1 -1.1 2.2 2.2" aria-hidden="true">
      <circle r="1" fill={paint} />
      <g transform="scale(0.5)" fill={inkOn(paint)}>
        <SeatSign index={order.indexOf(seat)} />
      </g>
    </svg>
  );
}

export function Seats({ session }: { session: Session }): JSX.Element | null {
  const game = session.game.value;
  const layout = session.layout.value;
  const rules = session.rules.value;
  const kept = session.kept.value;
  const presence = usePresence(session);
  if (!game || !layout) return null;
  const names = { game, rules, layout };
  const order = layout.seats.map((seat) => seat.seat);
  const people = game.seats.filter((seat) => !seat.robot);
  const allHere = people.length > 1 && people.every((seat) => kept && seat.seat in kept.seats);
  const watchers = presence?.watchers ?? 0;
  const plays = Object.keys(kept?.seats ?? {}).length > 0;
  return (
    <>
      <ul class="seats" aria-label={t("players")}>
        {game.seats.map((seat) => {
          const own = session.pawns.value.filter((pawn) => playerOf(pawn.seat, layout) === seat.seat);
          const home = own.filter((pawn) => pawn.place === layout.home).length;
          const rank = game.ranking.find((one) => one.seat === seat.seat);
          const counters = Object.entries(game.counters[seat.seat] ?? {}).filter(
            ([name, value]) => value !== false && rules?.texts[`counters.seat.${name}`],
          );
          const due = decider(game) === seat.seat;
          const { control } = seat;
          // The presence may have been read before the service knew the stream of this page. So seats that this page
          // plays count as connected if this page is.
          const told = presence?.seats.find((one) => one.seat === seat.seat);
          const here = told && kept && seat.seat in kept.seats ? { ...told, connected: session.online.value } : told;
          const isPerson = seat.taken && !seat.robot;
          const where = kept && seat.seat in kept.seats ? (allHere ? "" : t("you")) : plays ? t("elsewhere") : "";
          const robot = seat.robot && (seat.name ? robotName(seat.robot) : seatName(seat.seat, names));
          const about = [
            !seat.taken && game.status === "open" ? t("free_seat") : robot || where,
            here && isPerson && !here.connected && presenceText(here),
            (control === "automatic" || control === "abandoned") && t(`control_${control}`),
            seat.gave_up && t(`gave_up_${seat.gave_up}`),
            ...counters.map(([name, value]) => counterText(rules?.texts[`counters.seat.${name}`], value)),
          ];
          return (
            <li
              key={seat.seat}
              class={`${due ? "due" : ""}${seat.gave_up ? " gave-up" : ""}`}
              aria-current={due ? "true" : undefined}
            >
              {coloursOf(seat.seat, layout).map(({ seat, paint }) => (
                <Sign key={seat} seat={seat} paint={paint} order={order} />
              ))}
              <span class="who">
                <b dir="auto">
                  {seat.name ?? (seat.robot ? robotName(seat.robot) : seatName(seat.seat, names))}
                  {here && isPerson && (
                    <i
                      class={here.connected ? "present" : "absent"}
                      data-connected={here.connected}
                      role="img"
                      aria-label={t(here.connected ? "connected" : "not_connected")}
                      title={presenceText(here)}
                    />
                  )}
                </b>
                <small>
                  {inLine(about)}
                  {seat.agrees_to && seat.agrees_to !== "play" && <b> · {t(`agrees_to_${seat.agrees_to}`)}</b>}
                </small>
              </span>
              {kept &&
                seat.seat in kept.seats &&
                (control === "automatic" || (control === "robot" && seat.return_until)) && (
                  <button
                    data-return
                    onClick={() => void session.post(`seats/${seat.seat}/return`, {}, session.tokenOf(seat.seat))}
                  >
                    {t("come_back")}
                  </button>
                )}
              {due && <Clock session={session} />}
              {rank ? (
                <span class="rank">{rank.place}.</span>
              ) : (
                <span class="home" title={t("pawns_home", { home, pawns: own.length })}>
                  <svg viewBox="0 0 16 16" aria-hidden="true">
                    <path d="M2 8 8 2l6 6v6H2Z" />
                  </svg>
                  {home}/{own.length}
                </span>
              )}
            </li>
          );
        })}
      </ul>
      {watchers > 0 && <p class="facts watching">{t("watchers_count", { count: watchers })}</p>}
    </>
  );
}

function presenceText(seat: { connected: boolean; last_seen?: string | null }): string {
  if (seat.connected) return t("connected");
  if (!seat.last_seen) return t("not_connected");
  return t("last_seen", { time: new Date(seat.last_seen).toLocaleTimeString(language.value, { timeStyle: "short" }) });
}
