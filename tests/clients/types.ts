// The types that an app needs, as openapi-typescript generates them. This file is compiled and not run: if a type has
// lost a field, or allows any value, the compiler reports an error.

import type { components, operations, paths } from "../../target/clients/openapi-typescript/schema";

type Answer<Name extends "create_game" | "create_tournament"> =
  operations[Name]["responses"][201]["content"]["application/json"];
type Legal = paths["/v1/games/{id}/legal"]["get"]["responses"][200]["content"]["application/json"]["legal"][number];
type GameEvent = components["schemas"]["EventView"];

export const game = (created: Answer<"create_game">): string => created.game.id;
export const tournament = (created: Answer<"create_tournament">): string => created.tournament.id;
export const touchable = (legal: Legal): string[] => (legal.voluntary ? [] : legal.pawns);
// The word of an event decides which fields it has.
export const walked = (event: GameEvent): string[] => (event.event === "moved" ? event.path : []);

// @ts-expect-error: no event has this word.
export const misspelled = (event: GameEvent): boolean => event.event === "gameover";
// @ts-expect-error: a throw has no path.
export const thrown = (event: GameEvent): string[] => (event.event === "thrown" ? event.path : []);
