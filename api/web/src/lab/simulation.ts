// Simulations: started, followed until their end, and cancelled.
import { call, pause, Refusal } from "../api/client";
import type { CreateSimulation, Problem, Simulation } from "../api/types";

/** Seconds for which a request waits for news. */
const WAIT = 20;
/** Attempts to reach a service that does not answer, and the pause between them in milliseconds. */
const ATTEMPTS = 20;
const PAUSE = 1000;

/**
 * Starts a simulation and calls `tell` with each state of it. Returns the last state. When `signal` is aborted, the
 * simulation is cancelled; it then ends with the games that were played.
 */
export async function simulate(
  wish: CreateSimulation,
  tell: (state: Simulation) => void,
  signal: AbortSignal,
): Promise<Simulation> {
  let state = await call<Simulation>("POST", "/v1/simulations", { body: wish });
  const path = `/v1/simulations/${state.id}`;
  const cancel = (): void => void call("DELETE", path).catch(() => undefined);
  if (signal.aborted) cancel();
  else signal.addEventListener("abort", cancel, { once: true });
  try {
    let etag = "";
    for (let failures = 0; state.status !== "ended";) {
      tell(state);
      try {
        const headers: Record<string, string> = { Prefer: `wait=${WAIT}` };
        if (etag) headers["If-None-Match"] = etag;
        const response = await fetch(path, { headers, cache: "no-store" });
        if (response.status === 404) throw new Refusal(404, (await response.json()) as Problem);
        if (response.ok) {
          state = (await response.json()) as Simulation;
          etag = response.headers.get("ETag") ?? "";
        } else if (response.status !== 304) throw new Error(`HTTP ${response.status}`);
        failures = 0;
      } catch (error) {
        if (error instanceof Refusal) throw error;
        failures += 1;
        if (failures >= ATTEMPTS) throw new Refusal(0, { code: "unreachable", detail: "" });
        await pause(PAUSE);
      }
    }
  } finally {
    signal.removeEventListener("abort", cancel);
  }
  tell(state);
  return state;
}

/** The number of the line where a text has a rule line, such as `landing.pair`; `undefined` if its base has it. */
export function lineOf(text: string, name: string): number | undefined {
  const id = name.split(".").pop() ?? "";
  const at = text.split("\n").findIndex((line) => new RegExp(`\\bid:\\s*${id}(?![\\w-])`).test(line));
  return at < 0 ? undefined : at + 1;
}
