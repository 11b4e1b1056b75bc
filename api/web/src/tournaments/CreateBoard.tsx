// The part of the form that creates a tournament: the version of the rules, and the seats of the board that play.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { read } from "../api/client";
import type { Layout, RuleSet, RuleSetSummary } from "../api/types";
import { Field } from "../form/problems";
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
        <Field text={t("version_of_rules")} at="/version" trouble={trouble}>
          {(marks) => (
            <select
              {...marks}
              name="version"
              value={wish.version}
              onChange={(event) => set({ version: event.currentTarget.value, options: {}, boards: {} })}
            >
              <option value="">{t("newest_version", { version: versions[0]! })}</option>
              {versions.map((version) => (
                <option key={version} value={version}>
                  {version}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {tableSizes(wish).map((size) => {
        const count = size * wish.teamSize;
        const choices = tables.filter((seats) => seats.length === count);
        const chosen = wish.boards[count];
        if (choices.length < 2 && !chosen) return null;
        const isOffered = !chosen || choices.some((seats) => seats.join() === chosen.join());
        return (
          <Field
            key={count}
            text={t("seats_that_play", { count })}
            at={`/boards/${boards.findIndex((seats) => seats.length === count)}`}
            trouble={trouble}
          >
            {(marks) => (
              <select
                {...marks}
                name={`board-${count}`}
                value={chosen?.join() ?? ""}
                onChange={(event) => {
                  const { [count]: _, ...others } = wish.boards;
                  const seats = event.currentTarget.value;
                  set({ boards: seats ? { ...others, [count]: seats.split(",") } : others });
                }}
              >
                <option value="">{t("seats_even")}</option>
                {(isOffered ? choices : [...choices, chosen]).map((seats) => (
                  <option key={seats.join()} value={seats.join()}>
                    {seats.map((seat) => seatName(seat, { rules })).join(", ")}
                  </option>
                ))}
              </select>
            )}
          </Field>
        );
      })}
    </>
  );
}

/** Reads this path. The function that is returned drops the answer, for a path that is no longer wanted. */
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
