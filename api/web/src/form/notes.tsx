// Notes about trouble: a lost connection, a refused request, and a page that cannot be opened.
import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { Refusal } from "../api/client";
import { t } from "../i18n";
import { troubleText } from "../play/words";
import { reopen } from "../route";

/** Pause between two checks whether the service answers again, in milliseconds. */
const LOOK = 3000;

/** Whether the same request may succeed later: the service is away, busy or in trouble. */
const isPassing = ({ status }: Refusal): boolean => status === 0 || status === 429 || status >= 500;

/** Calls `again` when a service that did not answer is back. */
function useReturn(trouble: Refusal | undefined, again: (() => void) | undefined): void {
  const isAway = trouble?.problem.code === "unreachable";
  useEffect(() => {
    if (!isAway || !again) return;
    const timer = setInterval(() => {
      if (document.hidden) return;
      fetch("/v1/limits").then(
        (answer) => answer.ok && again(),
        () => undefined,
      );
    }, LOOK);
    return () => clearInterval(timer);
  }, [isAway, Boolean(again)]);
}

/** Is shown in place of a page that cannot be opened. Says why, and opens the page when the service answers again. */
export function Unopened({ title, trouble, to, toText }: UnopenedProps): JSX.Element {
  useReturn(trouble, reopen);
  return (
    <main class="plain">
      <h1>{title}</h1>
      <p role="alert">{troubleText(trouble)}</p>
      <p class="row">
        {isPassing(trouble) && (
          <button class="primary" data-again onClick={reopen}>
            {t("try_again")}
          </button>
        )}
        <a class="button" href={to}>
          {toText}
        </a>
      </p>
    </main>
  );
}

interface UnopenedProps {
  title: string;
  trouble: Refusal;
  /** The address of another page, and the text of the link to it. */
  to: string;
  toText: string;
}

/** Says that the connection is lost. Shows nothing while `online` is true. */
export function Connection({ online }: { online: boolean }): JSX.Element | null {
  if (online) return null;
  return (
    <p class="note warn" role="status">
      {t("offline")}
    </p>
  );
}

/** Says why a request was refused, and what can be done. */
export function Trouble({
  trouble,
  again,
  children,
  ...rest
}: {
  trouble: Refusal | undefined;
  /** Sends the request again. */
  again?: () => void;
  class?: string;
  children?: ComponentChildren;
}): JSX.Element | null {
  useReturn(trouble, again);
  if (!trouble) return null;
  return (
    <div class={["note warn", rest.class].filter(Boolean).join(" ")} role="alert">
      {troubleText(trouble)}
      {again && isPassing(trouble) && (
        <button class="quiet" data-again onClick={again}>
          {t("try_again")}
        </button>
      )}
      {children}
    </div>
  );
}
