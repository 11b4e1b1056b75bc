// The chat of a table. Lines are plain text; a line can be reported, and removed by its author or the master.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { language, t } from "../i18n";
import { player } from "../player";
import type { TableSession } from "./session";

/** The longest line of the chat. */
const LONGEST = 300;

export function Chat({ session }: { session: TableSession }): JSX.Element | null {
  const [text, setText] = useState("");
  const [reported, setReported] = useState<ReadonlySet<number>>(new Set());
  const list = useRef<HTMLDivElement>(null);
  const table = session.table.value;
  const lines = session.chat.lines.value;
  const newest = lines.at(-1)?.line;
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [newest]);
  if (!table || (!session.seat.value && !session.watches.value)) return null;
  const me = player.value?.id;
  const isMaster = session.isMaster.value;
  const say = async (event: Event): Promise<void> => {
    event.preventDefault();
    const line = text.trim();
    // Text that was typed while the line was being sent stays.
    if (line && (await session.say(line))) setText((now) => (now === text ? "" : now));
  };
  const report = (line: number): void => {
    void session.command("POST", `chat/${line}/reports`, {}).then(() => {
      if (!session.trouble.peek()) setReported(new Set([...reported, line]));
    });
  };
  return (
    <section class="box chat" aria-labelledby="chat">
      <h2 id="chat">{t("chat")}</h2>
      <div class="lines" ref={list} role="log" tabIndex={0} aria-label={t("chat")}>
        {lines.length === 0 && <p class="facts">{t("chat_empty")}</p>}
        <ol>
          {lines.map((line) => (
            <li key={line.line} data-line={line.line}>
              <p>
                <b dir="auto">{line.name ?? t("nameless")}</b>{" "}
                <small class="facts">
                  {new Date(line.at).toLocaleTimeString(language.value, { timeStyle: "short" })}
                </small>
                {line.reports ? <span class="badge">{t("reports_count", { count: line.reports })}</span> : null}
              </p>
              {line.text === undefined ? (
                <p class="facts">{t("line_removed")}</p>
              ) : (
                <p class="said" dir="auto">
                  {line.text}
                </p>
              )}
              {line.text !== undefined && (
                <span class="tools">
                  {line.player !== me && (
                    <button
                      class="quiet"
                      disabled={reported.has(line.line)}
                      onClick={() => report(line.line)}
                      aria-label={t("report_line", { line: line.line })}
                    >
                      {t(reported.has(line.line) ? "reported" : "report")}
                    </button>
                  )}
                  {(line.player === me || isMaster) && (
                    <button
                      class="quiet"
                      onClick={() => void session.remove(line.line)}
                      aria-label={t("remove_line", { line: line.line })}
                    >
                      {t("remove")}
                    </button>
                  )}
                </span>
              )}
            </li>
          ))}
        </ol>
      </div>
      <form class="say" onSubmit={(event) => void say(event)}>
        <label>
          <span class="unseen">{t("say_label")}</span>
          <input
            value={text}
            maxLength={LONGEST}
            placeholder={t("say_label")}
            autocomplete="off"
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <button class="primary" disabled={session.busy.value || !text.trim()}>
          {t("say")}
        </button>
      </form>
    </section>
  );
}
