// The friends of this browser's player, the open requests, and the blocked players.
import { useEffect, useState } from "preact/hooks";
import { call, read } from "../api/client";
import type { FriendList } from "../api/types";
import { useWork, type Work } from "../form/work";
import { player } from "../player";

/**
 * The list of this browser's player in which another player is: friends, open requests from the other player
 * (`requests`) or to the other player (`asked`), blocked players, or none.
 */
export type Bond = "none" | "friends" | "requests" | "asked" | "blocked";

export interface Friends extends Omit<Work, "run"> {
  /** `undefined` until the list was read, and if nobody is signed in. */
  list: FriendList | undefined;
  bondWith: (other: string) => Bond;
  /** Asks a player to be a friend, or accepts the request of this player. */
  ask: (other: string) => void;
  /** Ends a friendship; withdraws or declines a request. */
  end: (other: string) => void;
  block: (other: string, isBlocked: boolean) => void;
}

/** The time after which the list is read again, in milliseconds: others ask and answer meanwhile. */
const BEAT = 10_000;

export function useFriends(): Friends {
  const [list, setList] = useState<FriendList>();
  const { run, ...work } = useWork();
  const me = player.value;
  const path = `/v1/players/${me?.id}`;
  const load = async (): Promise<void> => setList(await read<FriendList>(`${path}/friends`, player.peek()?.token));
  useEffect(() => {
    setList(undefined);
    if (!me) return;
    void run(load);
    const timer = setInterval(() => {
      if (!document.hidden) void load().catch(() => undefined);
    }, BEAT);
    return () => clearInterval(timer);
  }, [me?.id, me?.token]);
  const send = (method: string, what: string): void =>
    void run(async () => {
      await call(method, `${path}/${what}`, { token: player.peek()?.token, ...(method === "POST" && { body: {} }) });
      await load();
    });
  return {
    ...work,
    list,
    bondWith: (other) => {
      if (list?.blocked.includes(other)) return "blocked";
      const kinds = ["friends", "requests", "asked"] as const;
      return kinds.find((kind) => list?.[kind].some((one) => one.player === other)) ?? "none";
    },
    ask: (other) => send("POST", `friends/${other}`),
    end: (other) => send("DELETE", `friends/${other}`),
    block: (other, isBlocked) => send(isBlocked ? "PUT" : "DELETE", `blocked/${other}`),
  };
}
