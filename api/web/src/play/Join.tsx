// The panel of a game that has not begun: the invitation link, and the free seats for people who followed the link.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { call, Refusal, refusalOf } from "../api/client";
import type { Joined } from "../api/types";
import { Trouble } from "../form/notes";
import { t } from "../i18n";
import { setting } from "../keep";
import type { Session } from "./session";
import { Invitation } from "../share/Invitation";
import { Sign } from "./Seats";
import { seatName } from "./words";

export function Join({ session }: { session: Session }): JSX.Element | null {
  const [name, setName] = useState(setting("pagade.name") ?? "");
  const [trouble, setTrouble] = useState<Refusal>();
  const game = session.game.value;
  const layout = session.layout.value;
  const kept = session.kept.value;
  if (!game || !layout) return null;
  const names = { game, rules: session.rules.value, layout };
  const order = layout.seats.map((seat) => seat.seat);
  const free = game.seats.filter((seat) => !seat.taken);
  const mine = kept ? Object.keys(kept.seats).length : 0;
  const isOwner = Boolean(kept?.owner);

  const join = async (seat: string): Promise<void> => {
    setTrouble(undefined);
    try {
      const body = name.trim() ? { name: name.trim() } : {};
      const joined = await call<Joined>("POST", `/v1/games/${game.id}/seats/${seat}`, {
        body,
        token: kept?.invitation ?? kept?.owner,
      });
      setting("pagade.name", name.trim());
      session.adopt({
        ...(kept ?? { rule_set: game.rule_set.id, title: session.rules.value?.title ?? "" }),
        id: game.id,
        at: Date.now(),
        seats: { ...kept?.seats, [joined.seat]: joined.token },
      });
      await session.refresh();
    } catch (error) {
      setTrouble(refusalOf(error));
    }
  };

  return (
    <section class="join">
      <p>{t(free.length > 0 ? "waiting_players" : "all_here")}</p>
      {kept?.invitation && isOwner && free.length > 0 && (
        <Invitation link={`${location.origin}/play/${game.id}#invitation=${kept.invitation}`} />
      )}
      {free.length > 0 && mine === 0 && (
        <>
          <label>
            {t("your_name")}
            <input
              value={name}
              maxLength={64}
              autocomplete="nickname"
              onInput={(event) => setName(event.currentTarget.value)}
            />
          </label>
          <ul class="choices">
            {free.map((seat) => (
              <li key={seat.seat}>
                <button class="primary" data-join={seat.seat} onClick={() => void join(seat.seat)}>
                  <Sign seat={seat.seat} paint={seat.paint} order={order} />{" "}
                  {t("sit", { seat: seatName(seat.seat, names) })}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      <Trouble trouble={trouble} />
      {isOwner && free.length === 0 && (
        <button class="primary" onClick={() => void session.post("start", {}, kept?.owner)}>
          {t("start")}
        </button>
      )}
      <Trouble trouble={session.trouble.value} />
    </section>
  );
}
