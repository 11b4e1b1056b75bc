// The page `/signed-in`, to which the identity provider brings people back.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call, pause, read, Refusal, refusalOf } from "../api/client";
import type { PlayerView, SignInProvider } from "../api/types";
import { t } from "../i18n";
import { player, storePlayer } from "../player";
import { troubleText } from "../play/words";
import { go } from "../route";
import { complete } from "./oauth";
import { provider, signIn } from "./provider";

export function SignedIn(): JSX.Element {
  const at = provider.value;
  const [trouble, setTrouble] = useState<Refusal>();
  /** Why the guest of this browser was not taken over, and the address at which to go on. */
  const [unclaimed, setUnclaimed] = useState<{ reason: Refusal; back: string }>();
  const [address] = useState(() => new URL(location.href));
  useEffect(() => {
    if (!at) return;
    // The code in the address is used once, and a copied address does not contain it.
    history.replaceState(null, "", location.pathname);
    finish(at, address).then(
      ({ back, reason }) => (reason ? setUnclaimed({ reason, back }) : go(back, true)),
      (error: unknown) => setTrouble(refusalOf(error)),
    );
  }, [at]);
  if (unclaimed)
    return (
      <main class="plain">
        <h1>{t("signed_in")}</h1>
        <p>{t("guest_not_claimed", { reason: troubleText(unclaimed.reason) })}</p>
        <p>
          <a class="button primary" href={unclaimed.back}>
            {t("go_on")}
          </a>
        </p>
      </main>
    );
  if (trouble)
    return (
      <main class="plain">
        <h1>{t("sign_in_failed")}</h1>
        <p role="alert">{troubleText(trouble)}</p>
        <p class="row">
          {at && (
            <button
              class="primary"
              onClick={() => void signIn(at).catch((error: unknown) => setTrouble(refusalOf(error)))}
            >
              {t("sign_in")}
            </button>
          )}
          <a class="button" href="/">
            {t("to_games")}
          </a>
        </p>
      </main>
    );
  return (
    <main class="plain">
      <p aria-busy="true">{t("signing_in")}</p>
    </main>
  );
}

/** Signs the person in, and takes over the guest of this browser. `reason` says why that was refused. */
async function finish(at: SignInProvider, address: URL): Promise<{ back: string; reason?: Refusal }> {
  const { token, refresh, back } = await complete(at, address);
  const me = await read<{ player: PlayerView }>("/v1/me", token);
  const guest = player.peek();
  let reason: Refusal | undefined;
  if (guest && !guest.account) reason = await claim(me.player.id, token, guest.token);
  const account = { earlier: [], ...(refresh && { refresh }) };
  storePlayer({ id: me.player.id, token, name: me.player.name ?? guest?.name ?? "", account });
  return { back, ...(reason && { reason }) };
}

async function claim(id: string, token: string, guest: string): Promise<Refusal | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await call("POST", `/v1/players/${id}/claims`, { body: { token: guest }, token });
      return undefined;
    } catch (error) {
      const refusal = refusalOf(error);
      // Two commands of the new player at one time.
      if (refusal.status !== 412 || attempt > 3) return refusal;
      await pause(300);
    }
  }
}
