// The part of the form that creates a tournament: the version of the rules, and the seats of the board that play.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { read } from "../api/client";
import type { Layout, RuleSet, RuleSetSummary } from "../api/types";
import { Select } from "../form/Select";
import { t } from "../i18n";
import { seatName } from "../play/words";
import { boardsOf } from "./request";
import { type PartProps, tableSizes } from "./wish";

export function Board({ wish, set, trouble, rules }: PartProps & { rules: RuleSet | undefined }): JSX.Element {
  const [versions, setVersions] = useState<string[]>([]);
  const [tables, setTables] = useState<string[][]>([]);
  const options = Object.entries(wish.options).map(([name, value]) => `${name}:${value}`);
  useEffect(() => {
    setVersions([]);
    return readNewest<{ rule_sets: RuleSetSummary[] }>(`/v1/rule-sets/${wish.ruleSet}/versions`, (found) =>
      setVersions(found.rule_sets.map((one) => one.version).reverse()),
    );
  }, [wish.ruleSet]);
  useEffect(() => {
    setTables([]);
    const query = new URLSearchParams({
      ...(wish.version && { version: wish.version }),
      ...(options.length > 0 && { options: options.join() }),
    });
    return readNewest<Layout>(`/v1/rule-sets/${wish.ruleSet}/layout?${query}`, (found) =>
      setTables(found.tables.map((table) => table.players)),
    );
  }, [wish.ruleSet, wish.version, options.join()]);
  const boards = boardsOf(wish);
  return (
    <>
      {versions.length > 1 && (
        <Select
          text={t("version_of_rules")}
          at="/version"
          trouble={trouble}
          name="version"
          value={wish.version}
          choices={[
            ["", t("newest_version", { version: versions[0]! })],
            ...versions.map((version) => [version, version] as const),
          ]}
          set={(version) => set({ version, options: {}, boards: {} })}
        />
      )}
      {tableSizes(wish).map((size) => {
        const count = size * wish.teamSize;
        const offered = tables.filter((seats) => seats.length === count);
        const chosen = wish.boards[count];
        if (offered.length < 2 && !chosen) return null;
        const isOffered = !chosen || offered.some((seats) => seats.join() === chosen.join());
        return (
          <Select
            key={count}
            text={t("seats_that_play", { count })}
            at={`/boards/${boards.findIndex((seats) => seats.length === count)}`}
            trouble={trouble}
            name={`board-${count}`}
            value={chosen?.join() ?? ""}
            choices={[
              ["", t("seats_even")],
              ...(isOffered ? offered : [...offered, chosen]).map(
                (seats) => [seats.join(), seats.map((seat) => seatName(seat, { rules })).join(", ")] as const,
              ),
            ]}
            set={(seats) => {
              const { [count]: _, ...others } = wish.boards;
              set({ boards: seats ? { ...others, [count]: seats.split(",") } : others });
            }}
          />
        );
      })}
    </>
  );
}

/** Reads a path, and calls `take` with the answer. After a call of the returned function, `take` is not called. */
function readNewest<T>(path: string, take: (found: T) => void): () => void {
  let isStale = false;
  read<T>(path).then(
    (found) => !isStale && take(found),
    () => undefined,
  );
  return () => {
    isStale = true;
  };
}
