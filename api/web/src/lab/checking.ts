// The check of a rule text while it is typed: problems, and the board.
import { useLayoutEffect, useState } from "preact/hooks";
import { call, type Refusal, refusalOf } from "../api/client";
import { heavyLeft } from "../api/limits";
import type { Check, Layout } from "../api/types";

/** Time from the last key to the check, in milliseconds. */
const PATIENCE = 20;
/**
 * If less than this share of the client's quota of rule texts is left, the page checks the text only after a pause in
 * typing, not after each key. So some quota is left for scenarios and simulations.
 */
const RESERVE = 0.2;
const LONG_PATIENCE = 700;
/** Pause before the service is asked again after it did not answer, in milliseconds. */
const RETRY = 3000;

export interface Checking {
  check: Check | undefined;
  /** The board of the last text that had no errors. */
  board: Layout | undefined;
  trouble: Refusal | undefined;
  /** How often the board was drawn, and the milliseconds from the last key until then. */
  redraw: { count: number; time: number };
}

export function useChecking(text: string): Checking {
  const [check, setCheck] = useState<Check>();
  const [board, setBoard] = useState<Layout>();
  const [trouble, setTrouble] = useState<Refusal>();
  const [redraw, setRedraw] = useState({ count: 0, time: 0 });
  const [again, setAgain] = useState(0);
  // A layout effect, because other effects wait for the next frame.
  useLayoutEffect(() => {
    const typed = performance.now();
    const stop = new AbortController();
    if (!text.trim()) {
      setCheck(undefined);
      setTrouble(undefined);
      return;
    }
    const ask = async (): Promise<void> => {
      try {
        const answer = await call<Check>("POST", "/v1/rule-checks?board=true", { body: { text }, signal: stop.signal });
        if (stop.signal.aborted) return;
        setTrouble(undefined);
        setCheck(answer);
        // The picture stays as it is if the board is the same, although its text is another one.
        const { board: next } = answer;
        if (next) setBoard((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
        requestAnimationFrame(() => {
          // The frame with the new board is drawn after this function. The next task runs when it is drawn, and takes
          // the time.
          setTimeout(() => {
            const time = Math.round(performance.now() - typed);
            if (!stop.signal.aborted) setRedraw(({ count }) => ({ count: count + 1, time }));
          });
        });
      } catch (error) {
        if (stop.signal.aborted) return;
        const refusal = refusalOf(error);
        setTrouble(refusal);
        // If the service refuses the text, for example because it is very long, the result of the earlier text is
        // removed.
        if (refusal.status >= 400 && refusal.status < 429) setCheck(undefined);
        if (refusal.status === 0) setTimeout(() => !stop.signal.aborted && setAgain((count) => count + 1), RETRY);
      }
    };
    const timer = setTimeout(() => void ask(), heavyLeft() < RESERVE ? LONG_PATIENCE : PATIENCE);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text, again]);
  return { check, board, trouble, redraw };
}
