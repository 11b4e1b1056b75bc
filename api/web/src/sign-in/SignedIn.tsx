// The page `/signed-in`, to which the identity provider brings people back.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call, pause, read, Refusal, refusalOf } from "../api/client";
import type { PlayerView } from "../api/types";
import { t } from "../i18n";
import { player, type Player, storePlayer } from "../player";
import { troubleText } from "../play/words";
import { go } from "../route";
import { complete } from "./oauth";
import { provider, signIn } from "./provider";

/** A person who has signed in, and the address at which the person goes on. */
interface Arrived {
  me: Player;
  back: string;
}

export function SignedIn(): JSX.Element {
  const at = provider.value;
  const [trouble, setTrouble] = useState<Refusal>();
  /** The person who has signed in, if the guest of this browser could not be taken over. */
  const [waiting, setWaiting] = useState<Arrived>();
  const [address] = useState(() => new URL(location.href));
  const fail = (error: unknown): void => setTrouble(refusalOf(error));
  const enter = ({ me, back }: Arrived): void => {
    storePlayer(me);
    go(back, true);
  };
  /** Takes over the guest of this browser. If that fails, the person decides whether to go on without the guest. */
  const claimAndEnter = async (arrived: Arrived): Promise<void> => {
    setTrouble(undefined);
    setWaiting(undefined);
    try {
      await claimGuest(arrived.me);
      enter(arrived);
    } catch (error) {
      setWaiting(arrived);
      fail(error);
    }
  };
  useEffect(() => {
    if (!at) return;
    // The code is removed from the address. It can be used only once, and copies of the address should not contain it.
    history.replaceState(null, "", location.pathname);
    complete(at, address)
      .then(async ({ token, refresh, back }) => {
        const { id, name } = (await read<{ player: PlayerView }>("/v1/me", token)).player;
        const account = { earlier: [], ...(refresh && { refresh }) };
        await claimAndEnter({ me: { id, token, name: name ?? "", account }, back });
      })
      .catch(fail);
  }, [at]);
  if (!trouble)
    return (
      <main class="plain">
        <p aria-busy="true">{t("signing_in")}</p>
      </main>
    );
  return (
    <main class="plain">
      <h1>{t(waiting ? "signed_in" : "sign_in_failed")}</h1>
      <p role="alert">{waiting ? t("guest_not_claimed", { reason: troubleText(trouble) }) : troubleText(trouble)}</p>
      <p class="row">
        {waiting ? (
          <>
            <button class="primary" data-claim onClick={() => void claimAndEnter(waiting)}>
              {t("try_again")}
            </button>
            <button data-go-on onClick={() => enter(waiting)}>
              {t("go_on_without")}
            </button>
          </>
        ) : (
          <>
            {at && (
              <button class="primary" onClick={() => void signIn(at).catch(fail)}>
                {t("sign_in")}
              </button>
            )}
            <a class="button" href="/">
              {t("to_games")}
            </a>
          </>
        )}
      </p>
    </main>
  );
}

/** Transfers everything of this browser's guest to the player who has signed in. */
async function claimGuest({ id, token }: Player): Promise<void> {
  const guest = player.peek();
  if (!guest || guest.account) return;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call("POST", `/v1/players/${id}/claims`, { body: { token: guest.token }, token });
    } catch (error) {
      // With 412, another command of the player came first.
      if (refusalOf(error).status !== 412 || attempt > 3) throw error;
      await pause(300);
    }
  }
}
