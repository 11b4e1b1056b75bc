// Friends on the pages of players: the lists on the own page, and what one may do on the page of another player.
import type { JSX } from "preact";
import { Refused } from "../form/problems";
import { t } from "../i18n";
import { Sure } from "../tables/TableSeats";
import { type Bond, type Friends, useFriends } from "./friends";

/** The kinds of the lists, in the order in which they are shown. */
const LISTS = ["requests", "friends", "asked"] as const;

export function FriendLists(): JSX.Element {
  const friends = useFriends();
  const { list } = friends;
  const isEmpty = list && LISTS.every((kind) => list[kind].length === 0) && list.blocked.length === 0;
  return (
    <section class="box" aria-labelledby="friends">
      <h2 id="friends">{t("friends")}</h2>
      <Refused trouble={friends.trouble} />
      {!list && !friends.trouble && <p aria-busy="true">{t("loading")}</p>}
      {isEmpty && <p>{t("no_friends")}</p>}
      {list &&
        LISTS.filter((kind) => list[kind].length > 0).map((kind) => (
          <div key={kind} data-friends={kind}>
            {kind !== "friends" && <h3>{t(`friends_${kind}`)}</h3>}
            <ul class="friends">
              {list[kind].map(({ player, name }) => (
                <li key={player} class="row spread" data-player={player}>
                  <a href={`/players/${player}`} dir="auto">
                    {name ?? t("nameless")}
                  </a>
                  <Choices friends={friends} other={player} bond={kind} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      {list && list.blocked.length > 0 && (
        <p class="facts">
          {t("blocked_players")}:{" "}
          {list.blocked.map((id) => (
            <button key={id} class="quiet" disabled={friends.busy} onClick={() => friends.block(id, false)}>
              {t("unblock")} <code>{id.slice(-6)}</code>
            </button>
          ))}
        </p>
      )}
      <p class="facts">{t("friends_about")}</p>
    </section>
  );
}

/** What this browser's player may do about another player. */
export function Friendship({ other }: { other: string }): JSX.Element {
  const friends = useFriends();
  const bond = friends.bondWith(other);
  return (
    <section class="row" aria-label={t("friends")} data-bond={friends.list ? bond : undefined}>
      {friends.list && (
        <>
          {bond !== "none" && <span class="badge">{t(`bond_${bond}`)}</span>}
          <Choices friends={friends} other={other} bond={bond} />
        </>
      )}
      <Refused trouble={friends.trouble} />
    </section>
  );
}

function Choices({ friends, other, bond }: { friends: Friends; other: string; bond: Bond }): JSX.Element {
  const { busy, ask, end, block } = friends;
  return (
    <span class="row">
      {(bond === "none" || bond === "requests") && (
        <button
          class={bond === "requests" ? "primary" : ""}
          data-ask={other}
          disabled={busy}
          onClick={() => ask(other)}
        >
          {t(bond === "requests" ? "accept_friend" : "ask_friend")}
        </button>
      )}
      {bond === "requests" && (
        <button class="quiet" data-end={other} disabled={busy} onClick={() => end(other)}>
          {t("decline_friend")}
        </button>
      )}
      {bond === "asked" && (
        <button class="quiet" data-end={other} disabled={busy} onClick={() => end(other)}>
          {t("withdraw_friend")}
        </button>
      )}
      {bond === "friends" && (
        <Sure data-end={other} text={t("end_friend")} sure={t("end_friend_sure")} act={() => end(other)} />
      )}
      {bond === "blocked" ? (
        <button class="quiet" data-block="false" disabled={busy} onClick={() => block(other, false)}>
          {t("unblock")}
        </button>
      ) : (
        <Sure data-block="true" text={t("block")} sure={t("block_sure")} act={() => block(other, true)} />
      )}
    </span>
  );
}
