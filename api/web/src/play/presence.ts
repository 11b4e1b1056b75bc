// The players and watchers who follow the game now. They are read at intervals, but only if people at different places
// play.
import { useEffect, useState } from "preact/hooks";
import { read } from "../api/client";
import type { Presence } from "../api/types";
import type { Session } from "./session";

/** The time after which presence is read again, in milliseconds. */
const BEAT = 6_000;

export function usePresence(session: Session): Presence | undefined {
  const [presence, setPresence] = useState<Presence>();
  const game = session.game.value;
  const people = game?.seats.filter((seat) => seat.taken && !seat.robot).length ?? 0;
  const isShared = Boolean(game && !game.hot_seat && people > 0 && game.seats.length > 1 && game.status !== "finished");
  const online = session.online.value;
  useEffect(() => {
    if (!isShared || !online) return setPresence(undefined);
    let isOver = false;
    const load = (): void => {
      if (document.hidden) return;
      read<Presence>(`/v1/games/${session.id}/presence`, session.token).then(
        (found) => !isOver && setPresence(found),
        () => undefined,
      );
    };
    load();
    const timer = setInterval(load, BEAT);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [session, isShared, online, people]);
  return presence;
}
