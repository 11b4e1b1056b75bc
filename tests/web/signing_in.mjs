// Tests of signing in at an identity provider, and of the friends of players.
import assert from "node:assert/strict";
import { accessible, api, decisionIsDue, openTable, PHONE, seat } from "./steps.mjs";

const stored = (page) => page.evaluate(() => JSON.parse(localStorage.getItem("pagade.player")));

/** Signs a person in by the button of the page and the page of the provider. */
async function signIn(page, name) {
  await page.locator("[data-sign-in]").click();
  await page.getByRole("link", { name, exact: true }).click();
  await page.locator("[data-account]", { hasText: name }).waitFor();
}

/** A guest plays, signs in, keeps the table, and is a registered player with chips; then signs out. */
export async function a_guest_signs_in_and_keeps_what_was_played(world) {
  const page = await world.open("/tables", { elsewhere: world.provider });
  await openTable(page, { name: "Guest", title: "Before" });
  const guest = await stored(page);
  const at = page.url();
  await signIn(page, "Mira <b>D</b>");
  assert.equal(page.url(), at, "the person comes back to the page that was left");
  const me = await stored(page);
  assert.notEqual(me.id, guest.id);
  const { player } = await api(world, "GET", "/v1/me", { token: me.token });
  assert.deepEqual([player.id, player.registered], [me.id, true]);
  await assert.rejects(api(world, "GET", "/v1/me", { token: guest.token }), /401/);
  await page.locator(".at-table [data-seat].mine").waitFor();
  // The guest's seat at the table has passed to the registered player, who can therefore write in its chat.
  await page.locator(".say input").fill("I am here");
  await page.locator(".say button").click();
  await page.locator(".said", { hasText: "I am here" }).waitFor();
  await page.locator("[data-account]").click();
  await page.locator("[data-balance='1000']").waitFor();
  await accessible(page, world, "own page of a registered player");
  await page.reload();
  await page.locator("[data-balance='1000']").waitFor();
  await page.locator("[data-sign-out]").click();
  await page.locator("[data-sign-in]").waitFor();
  assert.equal(await stored(page), null);
}

/** An expired token is renewed while the player goes on; several requests at once renew it only once. */
export async function a_sign_in_that_ends_is_renewed_or_offered_again(world) {
  const expected = /Failed to load resource/;
  const page = await world.open("/", { elsewhere: world.provider, expected, width: PHONE });
  await signIn(page, "Dev");
  await accessible(page, world, "home of a registered player");
  const old = world.issuer.tokenOf("Dev", { exp: Math.floor(Date.now() / 1000) - 100 });
  const expire = (account) =>
    page.evaluate(
      ([token, more]) => {
        const known = JSON.parse(localStorage.getItem("pagade.player"));
        const next = { ...known, token, account: { ...known.account, ...more } };
        localStorage.setItem("pagade.player", JSON.stringify(next));
      },
      [old, account],
    );
  await expire({});
  let renewals = 0;
  page.on("request", (request) => (renewals += Number(request.url() === `${world.issuer.exchangeUrl}/token`)));
  const me = await stored(page);
  await page.goto(`${world.base}/players/${me.id}`);
  await page.locator("[data-balance='1000']").waitFor();
  await page.getByText("No friends yet.").waitFor();
  assert.equal(renewals, 1);
  assert.notEqual((await stored(page)).token, old);
  // Without a refresh token, the page says that the sign-in has ended, and offers to sign in again.
  await expire({ refresh: undefined });
  await page.reload();
  await page.locator("[role=alert]", { hasText: "Your sign-in has ended. Please sign in again." }).waitFor();
  assert.equal(await page.locator("[data-forget-player]").count(), 0);
  await signIn(page, "Dev");
  await page.locator("[data-balance='1000']").waitFor();
}

/** The page says why a sign-in fails (a refusal, a stale address, a provider that is away), and goes on. */
export async function a_sign_in_that_fails_says_why(world) {
  const expected = /Failed to load resource|Content Security Policy|net::|Fetch API/;
  const page = await world.open("/tables", { elsewhere: world.provider, expected });
  const failed = (text) => page.locator("[role=alert]", { hasText: text }).waitFor();
  await page.locator("[data-sign-in]").click();
  await page.getByRole("link", { name: "Refuse" }).click();
  await failed("did not sign you in: <i>Nobody</i> has agreed");
  await accessible(page, world, "failed sign-in");
  assert.equal(await stored(page), null);
  // An address that another tab or another person got from the provider signs nobody in.
  await page.goto(`${world.base}/signed-in?code=made-up&state=made-up`);
  await failed("was not begun in this tab");
  assert.equal(new URL(page.url()).search, "", "the code does not stay in the address");
  const description = `${world.issuer.url}/.well-known/openid-configuration`;
  await page.route(description, (route) => route.abort("connectionrefused"));
  await page.locator(".top [data-sign-in]").click();
  await failed("does not answer, or does not let this page ask");
  await page.unroute(description);
  const elsewhere = JSON.stringify({
    issuer: world.issuer.url,
    authorization_endpoint: `${world.issuer.url}/authorize`,
    token_endpoint: "https://elsewhere.example/token",
  });
  const headers = { "Access-Control-Allow-Origin": "*" };
  const answer = { contentType: "application/json", headers, body: elsewhere };
  await page.route(description, (route) => route.fulfill(answer));
  await page.locator(".top [data-sign-in]").click();
  await failed("signs people in at another address");
  await page.unroute(description);
  // A new sign-in from the page of a failed one ends on the page with the games.
  await page.goto(`${world.base}/signed-in?code=made-up&state=made-up`);
  await page.locator("main .primary").click();
  await page.getByRole("link", { name: "Ravi" }).click();
  await page.locator("[data-set=pagade]").waitFor();
  assert.equal(new URL(page.url()).pathname, "/");
}

/** If the service cannot transfer the guest's tables to the account, nothing is lost: the person can try again. */
export async function a_guest_who_cannot_be_taken_over_is_not_lost(world) {
  const page = await world.open("/tables", { elsewhere: world.provider, expected: /Failed to load resource/ });
  await openTable(page, { name: "Guest", title: "Kept" });
  const guest = await stored(page);
  await page.route("**/claims", (route) =>
    route.fulfill({ status: 500, json: { status: 500, code: "internal", title: "Error", detail: "<b>broken</b>" } }),
  );
  await page.locator("[data-sign-in]").click();
  await page.getByRole("link", { name: "Ravi" }).click();
  await page.locator("[role=alert]", { hasText: "could not be taken over: <b>broken</b>" }).waitFor();
  await accessible(page, world, "guest not taken over");
  assert.equal((await stored(page)).token, guest.token, "the guest is still the player of this browser");
  await page.unroute("**/claims");
  await page.locator("[data-claim]").click();
  await page.locator("[data-account]", { hasText: "Ravi" }).waitFor();
  await page.locator(".at-table [data-seat].mine").waitFor();
}

/** A guest signs in during a game of a private table, and plays on; the token is renewed during the game. */
export async function a_guest_signs_in_during_a_game_and_plays_on(world) {
  const page = await world.open("/tables", { elsewhere: world.provider, expected: /Failed to load resource/ });
  await openTable(page, { name: "Guest", title: "During", isPrivate: true });
  await seat(page, "black").locator(".more summary").click();
  await seat(page, "black").locator("[data-robot=random]").click();
  await page.locator("[data-start]").click();
  await page.waitForURL(/\/play\//);
  const play = async (decisions) => {
    for (let made = 0; made < decisions; made += 1) {
      await decisionIsDue(page);
      await page.locator(".throw, .choices button").first().click();
    }
    await decisionIsDue(page);
  };
  await play(3);
  await signIn(page, "Lata");
  await page.waitForURL(/\/play\//);
  await play(3);
  assert.equal(await page.locator("[role=alert]").count(), 0);
  const old = world.issuer.tokenOf("Lata", { exp: Math.floor(Date.now() / 1000) - 100 });
  await page.evaluate((token) => {
    const known = JSON.parse(localStorage.getItem("pagade.player"));
    localStorage.setItem("pagade.player", JSON.stringify({ ...known, token }));
  }, old);
  await page.reload();
  await play(3);
  assert.equal(await page.locator("[role=alert]").count(), 0);
  assert.notEqual((await stored(page)).token, old);
}

/** If the audience of the service is not the page's client, the page asks for an access token for that audience. */
export async function the_page_signs_in_with_an_access_token_for_another_audience(world) {
  const page = await world.open("/tables", { elsewhere: world.provider });
  const provider = {
    issuer: world.issuer.url,
    client_id: "pagade-page",
    audience: "pagade",
    scope: "openid profile",
    token_endpoint: `${world.issuer.exchangeUrl}/token`,
  };
  await page.route("**/v1/sign-in", (route) => route.fulfill({ json: { provider } }));
  await page.reload();
  await signIn(page, "Ravi");
  const { token } = await stored(page);
  const { aud } = JSON.parse(Buffer.from(token.split(".")[1], "base64url"));
  assert.equal(aud, "pagade");
  const { player } = await api(world, "GET", "/v1/me", { token });
  assert.equal(player.registered, true);
}

/** Without a provider the page says nothing about signing in, and loads none of its code. */
export async function without_a_provider_nobody_is_asked_to_sign_in(world) {
  const page = await world.open("/");
  const files = [];
  page.on("request", (request) => files.push(request.url()));
  await page.route("**/v1/sign-in", (route) => route.fulfill({ contentType: "application/json", body: "{}" }));
  await page.goto(`${world.base}/tables`);
  await page.waitForLoadState("networkidle");
  await page.locator(".open-table summary").waitFor();
  assert.equal(await page.locator("[data-sign-in]").count(), 0);
  assert.doesNotMatch(await page.locator("body").innerText(), /sign in/i);
  assert.ok(files.length > 5);
  assert.deepEqual(
    files.filter((file) => /oauth|SignedIn/.test(file)),
    [],
  );
}

/** Two registered players become friends by their pages; a friendship is ended, and a player is blocked. */
export async function players_become_friends_by_their_pages(world) {
  const pages = [];
  for (const name of ["Asha <b>K</b>", "Ravi"]) {
    const page = await world.open("/", { elsewhere: world.provider, width: pages.length > 0 ? PHONE : 1280 });
    await signIn(page, name);
    pages.push(Object.assign(page, { id: (await stored(page)).id }));
  }
  const [asha, ravi] = pages;
  const visit = (page, id) => page.goto(`${world.base}/players/${id}`);
  await visit(asha, ravi.id);
  await asha.locator(`[data-ask='${ravi.id}']`).click();
  await asha.locator("[data-bond=asked]").waitFor();
  await accessible(asha, world, "page of another player");
  await visit(ravi, ravi.id);
  await ravi.locator(`[data-friends=requests] [data-ask='${asha.id}']`).tap();
  await ravi.locator(`[data-friends=friends] [data-player='${asha.id}']`, { hasText: "Asha <b>K</b>" }).waitFor();
  await accessible(ravi, world, "friends on a phone");
  await visit(asha, asha.id);
  await asha.locator(`[data-friends=friends] [data-player='${ravi.id}']`, { hasText: "Ravi" }).waitFor();
  await asha.locator(`[data-end='${ravi.id}']`).click();
  await asha.locator(`[data-end='${ravi.id}']`, { hasText: "Really" }).click();
  await asha.getByText("No friends yet.").waitFor();
  await visit(ravi, asha.id);
  await ravi.locator("[data-bond=none]").waitFor();
  await ravi.locator("[data-block=true]").tap();
  await ravi.locator("[data-block=true]", { hasText: "Really" }).tap();
  await ravi.locator("[data-bond=blocked]").waitFor();
  await ravi.locator("[data-block=false]").tap();
  await ravi.locator("[data-bond=none]").waitFor();
}
