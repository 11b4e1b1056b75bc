// The part of the frame that says who is signed in, or offers to sign in.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Refusal, refusalOf } from "../api/client";
import { Trouble } from "../form/notes";
import { t } from "../i18n";
import { isExpired, player } from "../player";
import { provider, providerName, signIn } from "./provider";

export function Account(): JSX.Element | null {
  const at = provider.value;
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Refusal>();
  const me = player.value;
  if (me?.account && !isExpired.value) {
    return (
      <a class="account" href={`/players/${me.id}`} dir="auto" data-account={me.id}>
        {me.name || t("nameless")}
      </a>
    );
  }
  if (!at) return null;
  const begin = (): void => {
    setBusy(true);
    setTrouble(undefined);
    signIn(at)
      .catch((error: unknown) => setTrouble(refusalOf(error)))
      .finally(() => setBusy(false));
  };
  return (
    <>
      <button
        class="account"
        data-sign-in
        disabled={busy}
        title={t("sign_in_about", { provider: providerName(at) })}
        onClick={begin}
      >
        {t("sign_in")}
      </button>
      <Trouble trouble={trouble} class="account-trouble" />
    </>
  );
}
