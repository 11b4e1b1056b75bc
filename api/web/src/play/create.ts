// The creation of games: the players of the seats, and the tokens that the browser stores.
import { call } from "../api/client";
import type { Created, CreateGame, OptionValue } from "../api/types";
import { keep } from "../keep";
import { go } from "../route";

export type Player = "me" | "robot" | "easy" | "invited";

/** The robots of the service, by the words that the page uses for them. */
const ROBOTS: Partial<Record<Player, "hunter" | "random">> = { robot: "hunter", easy: "random" };

export interface Plan {
  ruleSet: string;
  version?: string;
  title: string;
  players: Record<string, Player>;
  options?: Record<string, OptionValue>;
  name?: string;
}

/**
 * Creates a game and opens it. Without invited players, one token plays all seats that people have (a hot-seat game).
 * Otherwise the game is private, the seats of this page are taken, and invited players join the others.
 */
export async function create(plan: Plan): Promise<void> {
  const seats = Object.keys(plan.players);
  const mine = seats.filter((seat) => plan.players[seat] === "me");
  const invites = seats.some((seat) => plan.players[seat] === "invited");
  const robots = Object.fromEntries(
    seats.flatMap((seat) => {
      const kind = ROBOTS[plan.players[seat]!];
      return kind ? [[seat, kind] as const] : [];
    }),
  );
  const body: CreateGame = {
    rule_set: plan.ruleSet,
    players: seats,
    ...(Object.keys(robots).length > 0 && { robots }),
    ...(plan.version && { version: plan.version }),
    ...(plan.options && Object.keys(plan.options).length > 0 && { options: plan.options }),
  };
  if (invites) {
    body.private = true;
    body.seats = {};
    for (const seat of mine) {
      const named = plan.name && plan.players[seat] === "me" && mine.indexOf(seat) === 0;
      body.seats[seat] = named ? { name: plan.name! } : {};
    }
  } else {
    body.hot_seat = true;
  }
  const created = await call<Created>("POST", "/v1/games", { body });
  const tokens = invites ? (created.seats ?? {}) : Object.fromEntries(mine.map((seat) => [seat, created.token]));
  keep({
    id: created.game.id,
    rule_set: plan.ruleSet,
    title: plan.title,
    at: Date.now(),
    seats: tokens,
    owner: created.token,
    ...(created.invitation && { invitation: created.invitation }),
  });
  go(`/play/${created.game.id}`);
}

/** The players of a game against robots: the person of this browser has the first seat, robots have the others. */
export function againstRobots(seats: string[]): Record<string, Player> {
  return Object.fromEntries(seats.map((seat, index) => [seat, index === 0 ? "me" : "robot"] as const));
}
