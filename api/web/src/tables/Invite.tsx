// The invitations of a table: its link, and players from earlier games.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { t } from "../i18n";
import { player } from "../player";
import { Invitation } from "../share/Invitation";
import { linkOf } from "./links";
import type { TableSession } from "./session";

export function Invite({ session }: { session: TableSession }): JSX.Element | null {
  const [shown, setShown] = useState(false);
  const table = session.table.value;
  if (!table || !session.seat.value || table.status === "closed") return null;
  const token = linkOf(table.id);
  const address = `${location.origin}/tables/${table.id}`;
  const invited = session.invitations.value;
  const here = new Set([...table.seats.map((seat) => seat.player), ...table.watchers.map((watcher) => watcher.player)]);
  const earlier = new Map<string, string>();
  for (const one of table.past_games.flatMap((game) => game.players)) {
    if (one.player && !here.has(one.player) && !invited.some((guest) => guest.player === one.player)) {
      earlier.set(one.player, one.name ?? t("nameless"));
    }
  }
  const nameOf = (id: string): string =>
    table.past_games.flatMap((game) => game.players).find((one) => one.player === id)?.name ?? t("nameless");
  const make = async (): Promise<void> => {
    await session.makeLink();
    setShown(true);
  };
  return (
    <section class="box invite" aria-labelledby="invite">
      <h2 id="invite">{t("invite")}</h2>
      {!table.private && <Invitation link={address} />}
      {table.private && token && <Invitation link={`${address}#link=${token}`} />}
      {table.private && session.isMaster.value && (
        <p>
          <button data-make-link disabled={session.busy.value} onClick={() => void make()}>
            {t(token ? "renew_link" : "make_link")}
          </button>
          {shown && <small class="facts"> {t("link_renewed")}</small>}
        </p>
      )}
      {table.private && !token && !session.isMaster.value && <p class="facts">{t("link_of_master")}</p>}
      {[...earlier].map(([id, name]) => (
        <button key={id} class="quiet" disabled={session.busy.value} onClick={() => void session.invite(id)}>
          {t("invite_again", { name })}
        </button>
      ))}
      {invited.length > 0 && (
        <ul class="invited">
          {invited.map((guest) => (
            <li key={guest.player}>
              {t("invited_name", { name: nameOf(guest.player) })}
              {(guest.by === player.value?.id || session.isMaster.value) && (
                <button
                  class="quiet"
                  onClick={() =>
                    void session.command("DELETE", `invitations/${guest.player}`).then(() => session.readInvitations())
                  }
                >
                  {t("withdraw")}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
