// Times that are counted down.
import { useEffect, useState } from "preact/hooks";
import { serverNow } from "../api/client";

/** Whole seconds until a time of the service, counted down; `undefined` without a time. */
export function useSecondsTo(deadline: string | undefined): number | undefined {
  return useSeconds(
    deadline === undefined ? undefined : performance.now() + Date.parse(deadline) - serverNow(),
    deadline,
  );
}

/**
 * Whole seconds until `end`, a time as `performance.now()` counts it, rounded up; `undefined` without an end. The
 * countdown starts again only when `key` changes: an `end` that is computed anew for the same moment has the same key.
 */
export function useSeconds(end: number | undefined, key: unknown = end): number | undefined {
  const secondsTo = (moment: number): number => Math.max(0, Math.ceil((moment - performance.now()) / 1000));
  const [left, setLeft] = useState(end === undefined ? undefined : secondsTo(end));
  useEffect(() => {
    setLeft(end === undefined ? undefined : secondsTo(end));
    if (end === undefined) return;
    const timer = setInterval(() => setLeft(secondsTo(end)), 250);
    return () => clearInterval(timer);
  }, [key]);
  return left;
}
