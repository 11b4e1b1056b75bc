// The list of players, with the turn, the pawns at home, the counters and the places.
import type { JSX } from "preact";
import type { Session } from "./session";
import { t } from "../i18n";
import { SeatSign, isDark } from "../board/glyph";
import { seatName } from "./words";

export function Sign({ seat, paint, order }: { seat: string; paint: string; order: string[] }): JSX.Element {
  return (
    <svg class="sign" viewBox="-1.1 -1.1 2.2 2.2" aria-hidden="true">
      <circle r="1" fill={paint} />
      <g transform="scale(0.5)" fill={isDark(paint) ? "#fff" : "#222"}>
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
  if (!game || !layout) return null;
  const names = { game, rules, layout };
  const order = layout.seats.map((seat) => seat.seat);
  return (
    <ul class="seats" aria-label={t("players")}>
      {game.seats.map((seat) => {
        const home = session.pawns.value.filter((pawn) => pawn.seat === seat.seat && pawn.place === layout.home).length;
        const rank = game.ranking.find((one) => one.seat === seat.seat);
        const counters = Object.entries(game.counters[seat.seat] ?? {}).filter(
          ([name]) => rules?.texts[`counters.seat.${name}`],
        );
        const robot = kept?.robots.includes(seat.seat);
        const due = game.turn === seat.seat;
        return (
          <li key={seat.seat} class={`${due ? "due" : ""}${seat.gave_up ? " gave-up" : ""}`} aria-current={due ? "true" : undefined}>
            <Sign seat={seat.seat} paint={seat.paint} order={order} />
            <span class="who">
              <b>{seat.name ?? seatName(seat.seat, names)}</b>
              <small>
                {!seat.taken && game.status === "open"
                  ? t("free_seat")
                  : robot
                    ? t("robot")
                    : kept && seat.seat in kept.seats
                      ? t(Object.keys(kept.seats).length - kept.robots.length > 1 ? "here" : "you")
                      : t("elsewhere")}
                {counters.map(([name, value]) => ` · ${rules?.texts[`counters.seat.${name}`]} ${value}`)}
              </small>
            </span>
            {rank ? (
              <span class="rank">{rank.place}.</span>
            ) : (
              <span class="home" title={t("pawns_home", { home, pawns: layout.pawns })}>
                <svg viewBox="0 0 16 16" aria-hidden="true">
                  <path d="M2 8 8 2l6 6v6H2Z" />
                </svg>
                {home}/{layout.pawns}
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
