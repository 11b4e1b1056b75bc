// The address of the board of a game.
import type { Game, RuleSet } from "../api/types";

/** The URL path of the layout of a game. It contains the digest of the rules, so that browsers can cache the layout. */
export function layoutPath(game: Game, rules: RuleSet): string {
  const query = new URLSearchParams({ digest: game.rule_set.digest });
  const changed = rules.options.filter((option) => game.options[option.name] !== option.default);
  if (changed.length > 0) {
    query.set("options", changed.map((option) => `${option.name}:${game.options[option.name]}`).join(","));
  }
  query.set("players", game.seats.map((seat) => seat.seat).join(","));
  return `/v1/rule-sets/${game.rule_set.id}/layout?${query}`;
}
