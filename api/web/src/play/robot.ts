// A simple player: it captures if it can, goes home, forms no plans. It sees what every client sees.
import type { Layout, LegalAction } from "../api/types";

export function decide(legal: LegalAction[], layout: Layout | undefined): string {
  // Voluntary actions, such as leaving home again, can make games endless.
  const moves = legal.filter((action) => action.kind === "move" && !action.voluntary);
  const open = moves.length > 0 ? moves : legal;
  const worth = (action: LegalAction): number =>
    action.captured.length * 30 +
    (action.to === layout?.home ? 12 : 0) +
    (action.from === layout?.out ? 10 : 0) +
    Math.min(action.path.length, 12) * 0.4 +
    Math.random() * 6;
  let best = open[0];
  let most = -Infinity;
  for (const action of open) {
    const value = worth(action);
    if (value > most) [best, most] = [action, value];
  }
  return best?.action ?? "pass";
}
