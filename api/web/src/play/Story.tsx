// The events of the game as sentences, the newest last. Screen readers announce new sentences.
import type { JSX } from "preact";
import { memo } from "preact/compat";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { language, t } from "../i18n";
import type { Session } from "./session";
import { inOrder } from "./stage";
import { seatName, told } from "./words";

export function Story({ session }: { session: Session }): JSX.Element {
  const game = session.game.value;
  const rules = session.rules.value;
  const layout = session.layout.value;
  const story = session.story.value;
  const last = session.at.value ?? Infinity;
  const list = useRef<HTMLDivElement>(null);
  // The sentences are made again only if their contents change. Of the game, they contain only the names of the
  // players.
  const named = game?.seats.map((seat) => seat.name ?? "").join("\n");
  const lines = useMemo(() => {
    const names = { game, rules, layout };
    const paints = new Map(layout?.seats.map((seat) => [seat.seat, seat.paint]));
    return inOrder(story).flatMap((event) => {
      const text = event.step <= last && told(event, names);
      if (!text) return [];
      const seat = event.seat && seatName(event.seat, names);
      return [<Line key={event.id} kind={event.event} text={text} seat={seat} paint={paints.get(event.seat ?? "")} />];
    });
  }, [story, last, named, rules, layout, language.value]);
  // A layout effect: other effects run after a frame, so that the scrolled list would need another one.
  useLayoutEffect(() => {
    const element = list.current;
    if (element) element.scrollTop = element.scrollHeight;
  }, [lines.length]);
  return (
    <section class="story" aria-labelledby="story">
      <h2 id="story">{t("story")}</h2>
      <div class="lines" ref={list} role="log" tabIndex={0} aria-label={t("story")}>
        <ol>{lines}</ol>
      </div>
    </section>
  );
}

interface LineProps {
  kind: string;
  text: string;
  /** The name of the seat that the event is about, and its colour. */
  seat: string | undefined;
  paint: string | undefined;
}

const Line = memo(function Line({ kind, text, seat, paint }: LineProps): JSX.Element {
  return (
    <li class={`is-${kind}`}>
      {seat && <i class="dot" style={{ background: paint }} title={seat} />}
      {text}
    </li>
  );
});
