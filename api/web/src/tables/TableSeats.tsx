// The seats and the watchers of a table, with what this player may do at each of them.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { maybe, t } from "../i18n";
import { LONGEST_NAME, player } from "../player";
import { setting } from "../keep";
import { robotName, ROBOTS } from "../play/robots";
import { Sign } from "../play/Seats";
import { seatName } from "../play/words";
import type { TableSession } from "./session";

export function TableSeats({ session }: { session: TableSession }): JSX.Element | null {
  const [name, setName] = useState(player.value?.name || (setting("pagade.name") ?? ""));
  const table = session.table.value;
  if (!table) return null;
  const layout = session.layout.value;
  const names = { rules: session.rules.value, layout };
  const order = layout?.seats.map((seat) => seat.seat) ?? [];
  const paint = (seat: string): string => layout?.seats.find((one) => one.seat === seat)?.paint ?? "#888888";
  const me = player.value?.id;
  const isClosed = table.status === "closed";
  const stranger = !session.seat.value && !isClosed;
  const canWatch = stranger && !session.watches.value && (table.spectators_allowed || !table.private);
  const busy = session.busy.value;
  const giveSeats = session.isMaster.value && !isClosed;
  const mute = (one: string, muted: boolean): void => void session.command("PATCH", `mutes/${one}`, { muted });
  return (
    <section aria-label={t("table_seats")}>
      <ul class="seats at-table">
        {table.seats.map((seat) => {
          const mine = seat.player !== undefined && seat.player === me;
          const robot = seat.robot;
          const who = seat.name ?? (robot ? robotName(robot) : seat.taken ? t("nameless") : undefined);
          return (
            <li key={seat.seat} data-seat={seat.seat} class={mine ? "mine" : ""}>
              <Sign seat={seat.seat} paint={paint(seat.seat)} order={order} />
              <span class="who">
                <b dir="auto">
                  {seat.player ? <a href={`/players/${seat.player}`}>{who}</a> : (who ?? seatName(seat.seat, names))}
                </b>
                <small>
                  {seat.taken ? seatName(seat.seat, names) : t("free_seat")}
                  {robot && seat.name && ` · ${robotName(robot)}`}
                  {seat.star && (
                    <>
                      {" "}
                      ·{" "}
                      <span class="star" aria-hidden="true">
                        ★
                      </span>{" "}
                      {t("master")}
                    </>
                  )}
                  {mine && ` · ${t("you")}`}
                  {seat.control &&
                    seat.control !== "player" &&
                    maybe(`control_${seat.control}`) &&
                    ` · ${maybe(`control_${seat.control}`)}`}
                  {seat.muted && (
                    <>
                      {" "}
                      · <span data-muted>{t("muted")}</span>
                    </>
                  )}
                  {seat.options_changed && (
                    <>
                      {" "}
                      · <span title={t("options_unread")}>{t("options_unread_short")}</span>
                    </>
                  )}
                </small>
              </span>
              {!seat.taken && stranger && (
                <button
                  data-sit={seat.seat}
                  class="primary"
                  disabled={busy}
                  onClick={() => void session.sit(seat.seat, name)}
                  aria-label={t("sit", { seat: seatName(seat.seat, names) })}
                >
                  {t("sit_here")}
                </button>
              )}
              {!seat.taken && giveSeats && (
                <details class="more">
                  <summary aria-label={t("more_about", { name: seatName(seat.seat, names) })}>⋯</summary>
                  <span class="row">
                    {ROBOTS.map((kind) => (
                      <button
                        key={kind}
                        class="quiet"
                        data-robot={kind}
                        disabled={busy}
                        onClick={() => void session.command("POST", `seats/${seat.seat}/robot`, { robot: kind })}
                      >
                        {t("give_to_robot", { robot: robotName(kind) })}
                      </button>
                    ))}
                  </span>
                </details>
              )}
              {robot && session.isMaster.value && !table.game && (
                <button
                  class="quiet"
                  disabled={busy}
                  onClick={() => void session.command("DELETE", `seats/${seat.seat}`)}
                >
                  {t("free_this_seat")}
                </button>
              )}
              {mine && !isClosed && (
                <Sure
                  text={t("leave_table")}
                  sure={t(session.gameSeat.value ? "leave_gives_up" : "leave_sure")}
                  act={() => void session.command("DELETE", `seats/${seat.seat}`)}
                />
              )}
              {seat.player && !mine && session.isMaster.value && (
                <details class="more">
                  <summary aria-label={t("more_about", { name: who ?? seat.seat })}>⋯</summary>
                  <span class="row">
                    <button
                      class="quiet"
                      data-mute={String(!seat.muted)}
                      disabled={busy}
                      onClick={() => mute(seat.player!, !seat.muted)}
                    >
                      {t(seat.muted ? "unmute" : "mute")}
                    </button>
                    {!table.game && (
                      <button class="quiet" onClick={() => void session.command("DELETE", `seats/${seat.seat}`)}>
                        {t("free_this_seat")}
                      </button>
                    )}
                  </span>
                </details>
              )}
            </li>
          );
        })}
      </ul>
      {stranger && !session.watches.value && (
        <p class="name-field">
          <label>
            {t("your_name")}
            <input
              value={name}
              maxLength={LONGEST_NAME}
              autocomplete="nickname"
              onInput={(event) => setName(event.currentTarget.value)}
            />
          </label>
          {canWatch && (
            <button data-watch disabled={busy} onClick={() => void session.watch(name)}>
              {t("watch_table")}
            </button>
          )}
        </p>
      )}
      {table.watchers.length > 0 && (
        <p class="facts watchers">
          {t("watchers")}:{" "}
          {table.watchers.map((watcher, index) => (
            <span key={watcher.player} dir="auto">
              {index > 0 && ", "}
              {watcher.name ?? t("nameless")}
              {watcher.muted && ` (${t("muted")})`}
              {session.isMaster.value && (
                <button
                  class="quiet"
                  data-mute={String(!watcher.muted)}
                  disabled={busy}
                  onClick={() => mute(watcher.player, !watcher.muted)}
                >
                  {t(watcher.muted ? "unmute" : "mute")}
                </button>
              )}
            </span>
          ))}
          {session.watches.value && me && (
            <button class="quiet" disabled={busy} onClick={() => void session.command("DELETE", `watchers/${me}`)}>
              {t("stop_watching")}
            </button>
          )}
        </p>
      )}
    </section>
  );
}

/** A button that asks once more before it acts. */
export function Sure({
  text,
  sure,
  act,
  ...rest
}: {
  text: string;
  sure: string;
  act: () => void;
  disabled?: boolean;
  [data: `data-${string}`]: string;
}): JSX.Element {
  const [asked, setAsked] = useState(false);
  return (
    <button
      class="quiet"
      {...rest}
      onBlur={() => setAsked(false)}
      onClick={() => {
        setAsked(!asked);
        if (asked) act();
      }}
    >
      {asked ? sure : text}
    </button>
  );
}
