// Notes about what is the matter: a connection that is lost, and a request that was refused.
import type { ComponentChildren, JSX } from "preact";
import type { Refusal } from "../api/client";
import { t } from "../i18n";
import { troubleText } from "../play/words";

/** Says that the connection is lost, unless it is there. */
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
  children,
  ...rest
}: {
  trouble: Refusal | undefined;
  class?: string;
  children?: ComponentChildren;
}): JSX.Element | null {
  if (!trouble) return null;
  return (
    <div class={["note warn", rest.class].filter(Boolean).join(" ")} role="alert">
      {troubleText(trouble)}
      {children}
    </div>
  );
}
