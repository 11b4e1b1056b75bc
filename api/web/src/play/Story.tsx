// The events of the game as sentences, the newest last. Screen readers announce new sentences.
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../i18n";
import type { Session } from "./session";
import { seatName, told } from "./words";

export function Story({ session }: { session: Session }): JSX.Element {
  const names = { game: session.game.value, rules: session.rules.value, layout: session.layout.value };
  const list = useRef<HTMLDivElement>(null);
  const lines = session.story.value
    .filter((event) => event.step <= (session.at.value ?? Infinity))
    .map((event) => ({ event, text: told(event, names) }))
    .filter((line) => line.text);
  const paints = new Map(names.layout?.seats.map((seat) => [seat.seat, seat.paint]));
  useEffect(() => {
    const element = list.current;
    if (element) element.scrollTop = element.scrollHeight;
  }, [lines.length]);
  return (
    <section class="story" aria-labelledby="story">
      <h2 id="story">{t("story")}</h2>
      <div class="lines" ref={list} role="log" tabIndex={0} aria-label={t("story")}>
        <ol>
          {lines.map(({ event, text }) => (
            <li key={event.id} class={`is-${event.event}`}>
              {event.seat && (
                <i class="dot" style={{ background: paints.get(event.seat) }} title={seatName(event.seat, names)} />
              )}
              {text}
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
