// The identity provider at which people sign in, if the operator has set one. The code that talks with it is loaded
// when it is needed.
import { signal } from "@preact/signals";
import { read, renewWith } from "../api/client";
import type { SignInProvider } from "../api/types";
import { type Account, isExpired, type Player, player, storedPlayer, storePlayer } from "../player";

/** The provider; `undefined` if the operator offers no sign-in, or the service has not answered yet. */
export const provider = signal<SignInProvider | undefined>(undefined);

/** Settles when the service has answered which provider it has. */
let asked: Promise<unknown> = Promise.resolve();

/** Asks the service for the provider, and makes requests renew expired tokens. */
export function startSignIn(): void {
  renewWith(renew);
  asked = read<{ provider?: SignInProvider }>("/v1/sign-in").then(
    (found) => (provider.value = found.provider),
    // Without an answer there is no sign-in. Other parts of the page say that the service is away.
    () => undefined,
  );
}

/** The provider as people know it: the host of its address. */
export const providerName = ({ issuer }: SignInProvider): string => new URL(issuer).host;

/** The address to which the provider brings people back. */
export const BACK = "/signed-in";

/** Leaves the page for the provider, which brings the person back to `BACK`. */
export async function signIn(at: SignInProvider): Promise<void> {
  const { begin } = await import("./oauth");
  location.assign(await begin(at, location.pathname === BACK ? "/" : location.pathname));
}

/**
 * The token that replaces an expired token of the player; `undefined` if there is none. Several requests, and several
 * tabs, may ask at once: only the first one asks the provider, because a refresh token is used once.
 */
async function renew(token: string): Promise<string | undefined> {
  // Browsers have locks only on pages with TLS. Without TLS nobody signs in.
  if (!navigator.locks) return undefined;
  return navigator.locks.request("pagade.sign-in", async () => {
    const known = storedPlayer();
    if (!known?.account) return undefined;
    if (known.token !== token && !known.account.earlier.includes(token)) return undefined;
    if (known.token !== token) {
      player.value = known;
      return known.token;
    }
    const next = await refreshed(known, known.account);
    if (next) storePlayer(next);
    else isExpired.value = true;
    return next?.token;
  });
}

async function refreshed(known: Player, { refresh, earlier }: Account): Promise<Player | undefined> {
  await asked;
  const at = provider.peek();
  if (!at || !refresh) return undefined;
  const { renewed } = await import("./oauth");
  const grant = await renewed(at, refresh).catch(() => undefined);
  if (!grant) return undefined;
  const account = { refresh: grant.refresh ?? refresh, earlier: [...earlier, known.token].slice(-MOST_EARLIER) };
  return { ...known, token: grant.token, account };
}

/**
 * Number of earlier tokens that are remembered, so that a stream that was opened with one of them continues with the
 * present token.
 */
const MOST_EARLIER = 3;
