// The list of entrants. The organiser can withdraw entrants and bring them back, and sees the personal links of those
// without an account.
import type { JSX } from "preact";
import { maybe, t } from "../i18n";
import { Invitation } from "../share/Invitation";
import { Sure } from "../tables/TableSeats";
import { rightsIn } from "./rights";
import type { TournamentSession } from "./session";

export function Entrants({ session }: { session: TournamentSession }): JSX.Element {
  const tournament = session.tournament.value;
  const entrants = tournament?.entrants ?? [];
  const rights = rightsIn(session.id);
  const manages = rights?.role === "organiser" && tournament?.status !== "finished";
  return (
    <section class="box" aria-labelledby="entrants">
      <h2 id="entrants">{t("entrants_count", { count: entrants.length })}</h2>
      <ol class={`entrants${manages ? " managed" : ""}`}>
        {entrants.map((one) => (
          <li key={one.number} data-entrant={one.number}>
            <b dir="auto">{one.name}</b>
            {one.members && one.members.length > 0 && (
              <small class="facts" dir="auto">
                {" "}
                {one.members.join(", ")}
              </small>
            )}{" "}
            {one.robot && <span class="badge">{maybe(`robot_${one.robot}`) ?? t("robot")}</span>}
            {one.waiting && <span class="badge">{t("entrant_waits")}</span>}
            {one.left_before_round != null && (
              <span class="badge">{t(one.removed ? "entrant_removed" : "entrant_left")}</span>
            )}
            {manages && one.left_before_round == null && (
              <Sure
                data-withdraw={one.number}
                text={t("withdraw_entrant")}
                sure={t("withdraw_entrant_sure", { name: one.name })}
                act={() => void session.withdraw(one.number)}
              />
            )}
            {manages && one.left_before_round != null && (
              <button
                class="quiet"
                data-bring-back={one.number}
                disabled={session.busy.value}
                onClick={() => void session.bringBack(one.number)}
              >
                {t("bring_back")}
              </button>
            )}
            {rights?.entrants?.[one.number]?.map(
              (token, member) =>
                token && (
                  <details key={member} class="personal">
                    <summary>
                      {one.members?.[member]
                        ? t("personal_link_of", { name: one.members[member] })
                        : t("personal_link")}
                    </summary>
                    <Invitation link={personal(session.id, token, member)} text={t("personal_link_about")} />
                  </details>
                ),
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

const personal = (id: string, token: string, member: number): string =>
  `${location.origin}/tournaments/${id}#entrant=${token}${member > 0 ? `&member=${member}` : ""}`;
