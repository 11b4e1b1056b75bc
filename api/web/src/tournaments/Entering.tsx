// The form by which the player of this browser enters a tournament, leaves it and comes back, or sits out a round.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Field } from "../form/problems";
import { t } from "../i18n";
import { setting } from "../keep";
import { LONGEST_NAME, player } from "../player";
import { Sure } from "../tables/TableSeats";
import { rightsIn } from "./rights";
import type { TournamentSession } from "./session";

export function Entering({ session }: { session: TournamentSession }): JSX.Element | null {
  const [name, setName] = useState(player.value?.name || (setting("pagade.name") ?? ""));
  const [team, setTeam] = useState("");
  const [partners, setPartners] = useState<string[]>([]);
  const tournament = session.tournament.value;
  if (!tournament || tournament.status === "finished") return null;
  const mine = session.mine.value;
  if (mine !== undefined) {
    const next = (tournament.rounds.at(-1)?.round ?? 0) + 1;
    const skips = tournament.entrants.find((one) => one.number === mine)?.absent_in_rounds?.includes(next);
    return (
      <div class="note row spread" data-entered>
        <span>{t("you_are_entered", { number: mine })}</span>
        <span class="row">
          {tournament.status === "running" && !skips && (
            <button class="quiet" disabled={session.busy.value} onClick={() => void session.skip(mine, next)}>
              {t("skip_round", { round: next })}
            </button>
          )}
          {skips && <span class="badge">{t("round_skipped", { round: next })}</span>}
          <Sure text={t("withdraw")} sure={t("withdraw_sure")} act={() => void session.withdraw(mine)} />
        </span>
      </div>
    );
  }
  const left = session.left.value;
  if (left !== undefined && tournament.status === "running") {
    const excluded = tournament.entrants.find((one) => one.number === left)?.excluded;
    return (
      <div class="note row spread" data-left>
        <span>{t(excluded ? "you_were_withdrawn" : "you_have_left")}</span>
        {!excluded && (
          <button data-come-back disabled={session.busy.value} onClick={() => void session.bringBack(left)}>
            {t("entrant_return")}
          </button>
        )}
      </div>
    );
  }
  if (tournament.registration === "list") return <p class="facts">{t("registration_list")}</p>;
  const rights = rightsIn(session.id);
  if (tournament.registration === "invited" && !rights?.invitation)
    return rights?.token ? null : <p class="facts">{t("registration_invited")}</p>;
  if (tournament.status === "running" && !tournament.late_entries) return null;
  const trouble = session.trouble.value;
  const others = Array.from({ length: tournament.team_size - 1 }, (_, index) => index);
  const enter = (event: Event): void => {
    event.preventDefault();
    void session.enter(
      name,
      team,
      others.map((index) => partners[index] ?? ""),
    );
  };
  return (
    <form class="box enter" onSubmit={enter}>
      <h2>{t("enter_tournament")}</h2>
      <div class="row">
        {others.length > 0 && (
          <Field text={t("team_name")} at="/entrants/0/name" trouble={trouble}>
            {(marks) => (
              <input
                {...marks}
                value={team}
                required
                maxLength={LONGEST_NAME}
                onInput={(event) => setTeam(event.currentTarget.value)}
              />
            )}
          </Field>
        )}
        <Field
          text={t("your_name")}
          at={others.length > 0 ? ["/name"] : ["/entrants/0/name", "/name"]}
          trouble={trouble}
        >
          {(marks) => (
            <input
              {...marks}
              name="name"
              value={name}
              required
              maxLength={LONGEST_NAME}
              autocomplete="nickname"
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        {others.map((index) => (
          <Field
            key={index}
            text={t("partner_name", { number: index + 2 })}
            at={`/entrants/0/members/${index}`}
            trouble={trouble}
          >
            {(marks) => (
              <input
                {...marks}
                value={partners[index] ?? ""}
                required
                maxLength={LONGEST_NAME}
                onInput={(event) => {
                  const changed = [...partners];
                  changed[index] = event.currentTarget.value;
                  setPartners(changed);
                }}
              />
            )}
          </Field>
        ))}
        <button class="primary" data-enter disabled={session.busy.value}>
          {t("enter_tournament")}
        </button>
      </div>
    </form>
  );
}
