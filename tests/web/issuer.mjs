// An identity provider for the tests: it publishes a key, and signs tokens of registered players with it (OpenID
// Connect discovery, JWKS, JWT with EdDSA).
import { generateKeyPairSync, sign } from "node:crypto";
import { createServer } from "node:http";

const encoded = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Starts the provider on a free port. */
export async function startIssuer() {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const key = { ...publicKey.export({ format: "jwk" }), kid: "test", use: "sig" };
  const server = createServer((request, response) => {
    const isDiscovery = request.url === "/.well-known/openid-configuration";
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify(isDiscovery ? { issuer: url, jwks_uri: `${url}/keys` } : { keys: [key] }));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${server.address().port}`;
  return {
    url,
    /** A token of the person with this name. */
    tokenOf(name) {
      const now = Math.floor(Date.now() / 1000);
      const claims = { iss: url, aud: "pagade", sub: name, name, iat: now, exp: now + 3600 };
      const signed = `${encoded({ alg: "EdDSA", kid: key.kid })}.${encoded(claims)}`;
      return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString("base64url")}`;
    },
    stop: () => server.close(),
  };
}
