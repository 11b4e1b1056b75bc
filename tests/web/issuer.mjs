// An identity provider for the tests (OpenID Connect): it publishes a key, signs tokens of registered players with it
// (JWT with EdDSA), and signs people in by an authorization code with PKCE. As with some real providers, the token
// endpoint is at another origin than the issuer.
import { createHash, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { createServer } from "node:http";

/** The clients: the audience of the service, and one that asks for access tokens for that audience. */
const AUDIENCE = "pagade";
const CLIENTS = [AUDIENCE, "pagade-page"];
const PEOPLE = ["Asha <b>K</b>", "Ravi", "Mira <b>D</b>", "Dev", "Lata"];
const encoded = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Starts the provider on two free ports: one for the issuer, and one for its token endpoint. */
export async function startIssuer() {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const key = { ...publicKey.export({ format: "jwk" }), kid: "test", use: "sig" };
  /** The sign-ins that people have allowed, by authorization code and by refresh token. */
  const codes = new Map();
  const refreshes = new Map();
  const tokenOf = (name, more = {}) => {
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: url, aud: AUDIENCE, sub: name, name, iat: now, exp: now + 3600, ...more };
    const signed = `${encoded({ alg: "EdDSA", kid: key.kid })}.${encoded(claims)}`;
    return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString("base64url")}`;
  };

  /** The page of the provider, where a person chooses who to be, or refuses. */
  const choose = (query) => {
    const isPublic = CLIENTS.includes(query.get("client_id")) && !query.has("client_secret");
    if (!isPublic || query.get("code_challenge_method") !== "S256") return "<p>This client is not known.</p>";
    const links = PEOPLE.map((name) => {
      const code = randomUUID();
      codes.set(code, { name, query });
      return `<a href="${back(query, { code })}">${name.replace(/</g, "&lt;")}</a>`;
    });
    const refused = back(query, { error: "access_denied", error_description: "<i>Nobody</i> has agreed" });
    return `<title>Provider</title><link rel="icon" href="data:," />${links.join(" ")} <a href="${refused}">Refuse</a>`;
  };
  const back = (query, answer) => {
    const address = new URL(query.get("redirect_uri"));
    for (const [name, value] of Object.entries({ ...answer, state: query.get("state"), iss: url }))
      address.searchParams.set(name, value);
    return address.href.replace(/&/g, "&amp;").replace(/"/g, "&quot;");
  };

  /** Exchanges a code or a refresh token for tokens. Both can be used once. */
  const exchange = (form) => {
    const isCode = form.get("grant_type") === "authorization_code";
    const store = isCode ? codes : refreshes;
    const given = form.get(isCode ? "code" : "refresh_token");
    const grant = store.get(given);
    store.delete(given);
    const challenge = createHash("sha256").update(form.get("code_verifier") ?? "").digest("base64url");
    const isSame = (name) => grant.query.get(name) === form.get(name);
    const isProven = (asked) => asked.get("code_challenge") === challenge && isSame("redirect_uri");
    if (!grant || !isSame("client_id") || (isCode && !isProven(grant.query))) return { error: "invalid_grant" };
    const refresh = randomUUID();
    refreshes.set(refresh, grant);
    const client = grant.query.get("client_id");
    const nonce = isCode ? { nonce: grant.query.get("nonce") } : {};
    const audience = grant.query.get("audience");
    return {
      access_token: audience ? tokenOf(grant.name, { aud: audience }) : randomUUID(),
      token_type: "Bearer",
      expires_in: 3600,
      refresh_token: refresh,
      id_token: tokenOf(grant.name, { ...nonce, aud: client }),
    };
  };

  const answer = async (request, response) => {
    const isIssuer = request.socket.localPort === server.address().port;
    const { pathname, searchParams } = new URL(request.url, url);
    let text = "";
    for await (const part of request) text += part;
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.setHeader("Content-Type", pathname === "/authorize" ? "text/html" : "application/json");
    const answersOfIssuer = {
      "/.well-known/openid-configuration": () => ({
        issuer: url,
        jwks_uri: `${url}/keys`,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${exchangeUrl}/token`,
        id_token_signing_alg_values_supported: ["EdDSA"],
        authorization_response_iss_parameter_supported: true,
      }),
      "/keys": () => ({ keys: [key] }),
      "/authorize": () => choose(searchParams),
    };
    const answers = isIssuer ? answersOfIssuer : { "/token": () => exchange(new URLSearchParams(text)) };
    const body = answers[pathname]?.() ?? { error: "not_found" };
    response.statusCode = body.error ? 400 : 200;
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
  const [server, exchangeServer] = [createServer(answer), createServer(answer)];
  for (const one of [server, exchangeServer]) await new Promise((done) => one.listen(0, "127.0.0.1", done));
  const [url, exchangeUrl] = [server, exchangeServer].map((one) => `http://127.0.0.1:${one.address().port}`);
  const stop = () => [server, exchangeServer].forEach((one) => one.close());
  /** `tokenOf` makes a token of the person with this name; `more` replaces claims. */
  return { url, exchangeUrl, tokenOf, stop };
}
