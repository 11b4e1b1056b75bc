// The panel of the organiser or an arbiter: entrants, the start, rounds, the end, and the links to pass on.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { call, read } from "../api/client";
import { Refused } from "../form/problems";
import { useWork } from "../form/work";
import { t } from "../i18n";
import { Invitation } from "../share/Invitation";
import { Sure } from "../tables/TableSeats";
import { EnterEntrants } from "./EnterEntrants";
import { addRights, rightsIn } from "./rights";
import type { TournamentSession } from "./session";

export function Organise({ session }: { session: TournamentSession }): JSX.Element | null {
  const { busy, trouble, run } = useWork();
  const tournament = session.tournament.value;
  const rights = rightsIn(session.id);
  if (!tournament || !rights?.token || tournament.status === "finished") return null;
  const isOrganiser = rights.role === "organiser";
  const isOpen = tournament.status === "open";
  const post = (path: string, body: unknown = {}): void => void run(() => session.manage("POST", path, body));
  const next = tournament.rounds.length + 1;
  const last = tournament.rounds.at(-1);
  const missing = last ? last.tables - last.results : 0;
  const waits = missing > 0 && ["swiss", "knock_out"].includes(tournament.format.kind);
  const pairs = !isOpen && !tournament.automatic && tournament.format.kind !== "arena";
  return (
    <section class="box organise" aria-labelledby="organise">
      <h2 id="organise">{t(isOrganiser ? "you_organise" : "you_are_arbiter")}</h2>
      {isOrganiser && <Links session={session} />}
      {isOrganiser && <EnterEntrants session={session} />}
      {isOpen && isOrganiser && (
        <p class="row">
          <button
            class="primary"
            data-start
            disabled={busy || tournament.entrants.length < 2}
            onClick={() => post("start")}
          >
            {t("start_tournament")}
          </button>
          <small class="facts">{t(tournament.entrants.length < 2 ? "start_needs_two" : "start_closes_terms")}</small>
        </p>
      )}
      {!isOpen && !pairs && <p class="facts">{t("rounds_by_themselves")}</p>}
      {pairs && (
        <p class="row">
          <button class="primary" data-pair disabled={busy || waits} onClick={() => post("rounds", { round: next })}>
            {t("pair_round", { round: next })}
          </button>
          {missing > 0 && <small class="facts">{t("results_missing", { count: missing })}</small>}
        </p>
      )}
      {!isOpen && isOrganiser && (
        <p>
          <Sure
            data-finish=""
            disabled={missing > 0}
            text={t("finish_tournament")}
            sure={t("finish_sure")}
            act={() => post("finish", { early: true })}
          />
        </p>
      )}
      <Refused trouble={trouble} />
    </section>
  );
}

/** The link to the tournament, with its invitation if one is needed, and the token for arbiters. */
function Links({ session }: { session: TournamentSession }): JSX.Element | null {
  const { busy, trouble, run } = useWork();
  const tournament = session.tournament.value;
  const rights = rightsIn(session.id);
  if (!tournament || !rights) return null;
  const address = `${location.origin}/tournaments/${session.id}`;
  const isInvited = tournament.registration === "invited";
  const renew = (): void =>
    void run(async () => {
      const { invitation } = await call<{ invitation: string }>("POST", `${session.path}/invitation`, {
        body: {},
        token: rights.token,
      });
      addRights(session.id, { invitation });
    });
  return (
    <div class="links">
      {isInvited && rights.invitation ? (
        <Invitation link={`${address}#invitation=${rights.invitation}`} />
      ) : (
        <Invitation link={address} text={t("link_of_tournament")} />
      )}
      {isInvited && (
        <p>
          <Sure data-renew="" text={t("renew_link")} sure={t("renew_sure")} act={renew} />
          {busy && ` ${t("loading")}`}
        </p>
      )}
      {rights.arbiter && (
        <details>
          <summary>{t("let_arbiter_help")}</summary>
          <p class="facts">{t("arbiter_token_about")}</p>
          <label class="field token">
            <span>{t("arbiter_token")}</span>
            <input readOnly value={rights.arbiter} onFocus={(event) => event.currentTarget.select()} />
          </label>
        </details>
      )}
      <Refused trouble={trouble} />
    </div>
  );
}

/** The form in which an arbiter, or the organiser in another browser, types the token that gives the role. */
export function TakeRole({ session }: { session: TournamentSession }): JSX.Element | null {
  const [token, setToken] = useState("");
  const [isOther, setOther] = useState(false);
  const { busy, trouble, run } = useWork();
  if (rightsIn(session.id)?.token || session.tournament.value?.status === "finished") return null;
  const take = (event: Event): void => {
    event.preventDefault();
    setOther(false);
    void run(async () => {
      const me = await read<{ role: string; tournament?: { id: string } }>("/v1/me", token.trim());
      const isRole = me.role === "organiser" || me.role === "arbiter";
      if (!isRole || me.tournament?.id !== session.id) return setOther(true);
      addRights(session.id, { token: token.trim(), role: me.role as "organiser" | "arbiter" });
    });
  };
  return (
    <details class="take-role">
      <summary>{t("are_you_arbiter")}</summary>
      <form class="row" onSubmit={take}>
        <label class="field">
          <span>{t("token_label")}</span>
          <input
            name="token"
            required
            autocomplete="off"
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </label>
        <button disabled={busy}>{t("take_token")}</button>
      </form>
      {isOther && (
        <p class="note warn" role="alert">
          {t("token_of_other")}
        </p>
      )}
      <Refused trouble={trouble} />
    </details>
  );
}
