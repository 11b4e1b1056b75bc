// Signs people in by an authorization code with PKCE (RFC 7636), as a client without a secret.
import * as oauth from "oauth4webapi";
import { Refusal } from "../api/client";
import type { SignInProvider } from "../api/types";
import { BACK, providerName } from "./provider";

/** The token for the service, and the refresh token that renews it. */
export interface Grant {
  token: string;
  refresh?: string;
}

/** What the page remembers while the person is at the provider. */
interface Started {
  state: string;
  nonce: string;
  verifier: string;
  /** The address to which the person comes back. */
  back: string;
}

const STARTED = "pagade.sign-in";
/** The time after which a provider without an answer is given up, in milliseconds. */
const LONGEST_ANSWER = 15_000;

const redirect = (): string => location.origin + BACK;

/** Makes a refusal whose code has a text in every language. */
const refuse = (code: string, at: SignInProvider, reason = ""): Refusal =>
  new Refusal(0, { code, detail: reason, values: { provider: providerName(at), reason } });

const options = (at: SignInProvider) => ({
  // Only an operator can name a provider without TLS, such as one on the machine of a developer.
  [oauth.allowInsecureRequests]: at.issuer.startsWith("http:"),
  signal: AbortSignal.timeout(LONGEST_ANSWER),
});

const clientOf = (at: SignInProvider): oauth.Client => ({ client_id: at.client_id });

/** Whether the service takes the ID token. Otherwise the provider issues an access token for the audience. */
const takesIdToken = (at: SignInProvider): boolean => at.audience === at.client_id;

async function describe(at: SignInProvider): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(at.issuer);
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options(at)));
  // The Content-Security-Policy lets the page ask the origins that the service knows of, and no others.
  const origins = [issuer.href, at.token_endpoint].map((address) => address && new URL(address).origin);
  const isKnown = server.token_endpoint && origins.includes(new URL(server.token_endpoint).origin);
  if (!isKnown || !server.authorization_endpoint) throw refuse("sign_in_elsewhere", at);
  return server;
}

/** Turns every error of a sign-in into a refusal that the page can say in words. */
async function told<T>(at: SignInProvider, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError) {
      throw refuse("sign_in_refused", at, error.error_description ?? error.error);
    }
    if (error instanceof TypeError || error instanceof DOMException) throw refuse("sign_in_unreachable", at);
    throw refuse("sign_in_wrong", at, error instanceof Error ? error.message : String(error));
  }
}

/** Prepares a sign-in. Returns the address of the provider where the person goes on. */
export const begin = (at: SignInProvider, back: string): Promise<string> =>
  told(at, async () => {
    if (!isSecureContext) throw refuse("sign_in_needs_tls", at);
    const server = await describe(at);
    const started: Started = {
      state: oauth.generateRandomState(),
      nonce: oauth.generateRandomNonce(),
      verifier: oauth.generateRandomCodeVerifier(),
      back,
    };
    sessionStorage.setItem(STARTED, JSON.stringify(started));
    const address = new URL(server.authorization_endpoint!);
    const query = {
      response_type: "code",
      client_id: at.client_id,
      redirect_uri: redirect(),
      scope: at.scope,
      state: started.state,
      nonce: started.nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(started.verifier),
      code_challenge_method: "S256",
      ...(!takesIdToken(at) && { audience: at.audience }),
    };
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    return address.href;
  });

/** Ends a sign-in that has come back to this address. A sign-in can be ended once. */
export const complete = (at: SignInProvider, address: URL): Promise<Grant & { back: string }> =>
  told(at, async () => {
    const text = sessionStorage.getItem(STARTED);
    sessionStorage.removeItem(STARTED);
    const started = JSON.parse(text ?? "null") as Started | null;
    if (!started || address.searchParams.get("state") !== started.state) throw refuse("sign_in_unknown", at);
    const server = await describe(at);
    const client = clientOf(at);
    const code = oauth.validateAuthResponse(server, client, address, started.state);
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      code,
      redirect(),
      started.verifier,
      options(at),
    );
    const expected = { expectedNonce: started.nonce, requireIdToken: true };
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, expected);
    return { ...grantOf(at, tokens), back: started.back };
  });

/** Exchanges a refresh token for a new token. */
export const renewed = (at: SignInProvider, refresh: string): Promise<Grant> =>
  told(at, async () => {
    const server = await describe(at);
    const client = clientOf(at);
    const answer = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refresh, options(at));
    return grantOf(at, await oauth.processRefreshTokenResponse(server, client, answer));
  });

function grantOf(at: SignInProvider, tokens: oauth.TokenEndpointResponse): Grant {
  const token = takesIdToken(at) ? tokens.id_token : tokens.access_token;
  if (!token) throw refuse("sign_in_wrong", at, "id_token");
  return { token, ...(tokens.refresh_token && { refresh: tokens.refresh_token }) };
}
