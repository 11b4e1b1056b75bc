// The frame of the page, and the choice of the part that an address shows.
import { render, type JSX } from "preact";
import { lazy, Suspense } from "preact/compat";
import { useState } from "preact/hooks";
import { late } from "./api/client";
import { waitingFor } from "./api/limits";
import { choose, LANGUAGES, language, startLanguage, t } from "./i18n";
import { keep, keptGame, setting } from "./keep";
import { Home } from "./pages/Home";
import { Play } from "./pages/Play";
import { Rules } from "./pages/Rules";
import { limitText } from "./play/words";
import { openings, path, startRouting } from "./route";
import { Account } from "./sign-in/Account";
import { startSignIn } from "./sign-in/provider";
import { storeLink } from "./tables/links";
import { addRights } from "./tournaments/rights";
import "./style.css";
import "./home.css";
import "./board.css";
import "./game.css";
import "./forms.css";
import "./rules.css";
import "./touch.css";

const Lab = lazy(() => import("./lab/Lab").then((module) => module.Lab));
const Lobby = lazy(() => import("./tables/Lobby").then((module) => module.Lobby));
const Table = lazy(() => import("./tables/Table").then((module) => module.Table));
const Tournaments = lazy(() => import("./tournaments/Tournaments").then((module) => module.Tournaments));
const Tournament = lazy(() => import("./tournaments/Tournament").then((module) => module.Tournament));
const Leaderboards = lazy(() => import("./players/Leaderboards").then((module) => module.Leaderboards));
const Profile = lazy(() => import("./players/Profile").then((module) => module.Profile));
const SignedIn = lazy(() => import("./sign-in/SignedIn").then((module) => module.SignedIn));
const Watch = lazy(() => import("./pages/Watch").then((module) => module.Watch));

function Page(): JSX.Element {
  const [, area = "", name = ""] = path.value.split("/");
  switch (area) {
    case "":
      return <Home />;
    case "play":
      return <Play key={name} id={name} watching={false} />;
    case "watch":
      return <Watch key={name} id={name} />;
    case "rules":
      return <Rules key={name} id={name} />;
    case "tables":
      return name ? <Table key={name} id={name} /> : <Lobby />;
    case "tournaments":
      return name ? <Tournament key={name} id={name} /> : <Tournaments />;
    case "leaderboards":
      return <Leaderboards id={name} />;
    case "players":
      return <Profile key={name} id={name} />;
    case "signed-in":
      return <SignedIn />;
    case "lab":
      return <Lab />;
    default:
      return (
        <main class="plain">
          <h1>{t("no_page")}</h1>
          <p>
            <a class="button" href="/">
              {t("to_games")}
            </a>
          </p>
        </main>
      );
  }
}

/**
 * The part of the page at this address, and how often it was opened again. Each part has a `Suspense` of its own:
 * Preact draws nothing new in one that still waits for a script.
 */
function part(): string {
  const [, area = "", name = ""] = path.value.split("/");
  return [area, area !== "leaderboards" && name !== "", openings.value].join(" ");
}

function Frame(): JSX.Element {
  return (
    <>
      <a class="skip" href="#page-main">
        {t("skip")}
      </a>
      <header class={`top${/^\/(play|watch)\//.test(path.value) ? " in-game" : ""}`}>
        <a class="brand" href="/">
          <Mark /> Pagade
        </a>
        <nav aria-label={t("pages")}>
          <a href="/" aria-current={path.value === "/" ? "page" : undefined}>
            {t("games")}
          </a>
          <a href="/tables" aria-current={path.value.startsWith("/tables") ? "page" : undefined}>
            {t("tables")}
          </a>
          <a href="/tournaments" aria-current={path.value.startsWith("/tournaments") ? "page" : undefined}>
            {t("tournaments")}
          </a>
          <a href="/lab" aria-current={path.value === "/lab" ? "page" : undefined}>
            {t("lab")}
          </a>
        </nav>
        <Account />
        <label class="language">
          <span class="unseen">{t("language")}</span>
          <select value={language.value} onChange={(event) => void choose(event.currentTarget.value, true)}>
            {LANGUAGES.map(([tag, name]) => (
              <option key={tag} value={tag} lang={tag}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <Theme />
      </header>
      {(waitingFor.value || late.value > 0) && (
        <p class="late" role="status">
          {waitingFor.value ? `${limitText(waitingFor.value)} ${t("limit_waits")}` : t("late")}
        </p>
      )}
      <div id="page-main" tabIndex={-1}>
        <Suspense
          key={part()}
          fallback={
            <main class="plain">
              <p aria-busy="true">{t("loading")}</p>
            </main>
          }
        >
          <Page />
        </Suspense>
      </div>
    </>
  );
}

function Mark(): JSX.Element {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <path d="M12 3h8v9h9v8h-9v9h-8v-9H3v-8h9z" />
      <circle cx="16" cy="16" r="3.4" />
    </svg>
  );
}

function Theme(): JSX.Element {
  const [theme, setTheme] = useState(setting("pagade.theme") ?? "");
  const dark = theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  if (theme) document.documentElement.dataset.theme = theme;
  return (
    <button
      class="quiet theme"
      aria-label={t(dark ? "light" : "dark")}
      title={t(dark ? "light" : "dark")}
      onClick={() => {
        const next = dark ? "light" : "dark";
        setting("pagade.theme", next);
        setTheme(next);
      }}
    >
      <svg viewBox="-12 -12 24 24" aria-hidden="true">
        {dark ? (
          <>
            <circle r="5" />
            <path d="M0-10v2.5M0 7.5V10M-10 0h2.5M7.5 0H10M-7-7l1.8 1.8M5.2 5.2 7 7M7-7 5.2-5.2M-5.2 5.2-7 7" />
          </>
        ) : (
          <path d="M7 3.500A8 8 0 1 1-3.500-7 6.500 6.500 0 0 0 7 3.500Z" />
        )}
      </svg>
    </button>
  );
}

/**
 * Stores the token of an invitation or a link that follows `#` in the address, and removes it from the address. So a
 * person who copies the address does not pass on the token by mistake.
 */
function takeInvitation(): void {
  const [, area, id] = /^\/(play|tables|tournaments)\/([0-9a-f-]{36})$/.exec(location.pathname) ?? [];
  const hash = new URLSearchParams(location.hash.slice(1));
  const invitation = hash.get("invitation");
  const link = hash.get("link");
  const entrant = hash.get("entrant");
  if (id && area === "play" && invitation) {
    const known = keptGame(id);
    if (!known?.owner) keep({ ...(known ?? { id, rule_set: "", title: "", at: Date.now(), seats: {} }), invitation });
  } else if (id && area === "tables" && link) storeLink(id, link);
  else if (id && area === "tournaments" && (invitation || entrant)) {
    addRights(id, {
      ...(invitation && { invitation }),
      ...(entrant && { entrant, member: Number(hash.get("member")) || 0 }),
    });
  } else return;
  history.replaceState(null, "", location.pathname);
}

takeInvitation();
startRouting();
startSignIn();
void startLanguage().then(() => render(<Frame />, document.getElementById("page")!));
