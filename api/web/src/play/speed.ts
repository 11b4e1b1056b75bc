// How fast events are animated: the choice of the reader, and the wish of the system for less motion.
import { signal } from "@preact/signals";
import { pause } from "../api/client";
import { setting } from "../keep";

/** The factor by which the times of animations are multiplied; 0: no animation. */
export const speed = signal(Number(setting("pagade.speed") ?? 1));
export function setSpeed(value: number): void {
  speed.value = value;
  setting("pagade.speed", String(value));
}

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether pawns walk along their path rather than jump. */
export const isWalking = (): boolean => !still.matches && speed.peek() > 0.2;

/** Waits for a time of an animation. */
export function wait(milliseconds: number): Promise<void> {
  const factor = still.matches ? Math.min(speed.peek(), 0.3) : speed.peek();
  return milliseconds * factor < 1 ? Promise.resolve() : pause(milliseconds * factor);
}
