// The player of this browser: the name, and the deletion of everything that the service knows of the player.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { read, Refusal, refusalOf } from "../api/client";
import type { PlayerView } from "../api/types";
import { t } from "../i18n";
import { deletePlayer, isGone, LONGEST_NAME, needPlayer, player } from "../player";
import { chipsText } from "./chips";
import { PlayerTrouble } from "./PlayerTrouble";
import { Sure } from "./TableSeats";

export function You(): JSX.Element | null {
  const me = player.value;
  const [name, setName] = useState(me?.name ?? "");
  const [view, setView] = useState<PlayerView>();
  const [trouble, setTrouble] = useState<Refusal>();
  useEffect(() => {
    if (!me) return;
    setName(me.name);
    read<{ player?: PlayerView }>("/v1/me", me.token).then(
      (found) => setView(found.player),
      (error: unknown) => {
        const refusal = refusalOf(error);
        if (isGone(refusal)) setTrouble(refusal);
      },
    );
  }, [me?.id]);
  if (!me) return null;
  const rename = async (event: Event): Promise<void> => {
    event.preventDefault();
    setTrouble(undefined);
    await needPlayer(name).catch((error: unknown) => setTrouble(refusalOf(error)));
  };
  return (
    <details class="you" open={trouble ? true : undefined}>
      <summary dir="auto">{t("you_are", { name: me.name || t("nameless") })}</summary>
      <form class="row" onSubmit={(event) => void rename(event)}>
        <label>
          <span class="unseen">{t("your_name")}</span>
          <input
            value={name}
            maxLength={LONGEST_NAME}
            autocomplete="nickname"
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <button disabled={!name.trim() || name.trim() === me.name}>{t("rename")}</button>
        <Sure
          text={t("delete_player")}
          sure={t("delete_player_sure")}
          act={() => void deletePlayer().catch((error: unknown) => setTrouble(refusalOf(error)))}
        />
      </form>
      <p class="facts">
        {view?.registered && (
          <span data-balance={view.balance}>{t("balance_of", { chips: chipsText(view.balance) })} · </span>
        )}
        <a href={`/players/${me.id}`}>{t("what_you_reached")}</a>
      </p>
      <PlayerTrouble trouble={trouble} clear={() => setTrouble(undefined)} />
    </details>
  );
}
