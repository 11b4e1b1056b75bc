// Play the rules that are being written against robots, and publish them under a name.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call, type Refusal, refusalOf } from "../api/client";
import type { Layout, RuleSetSummary } from "../api/types";
import { Trouble } from "../form/notes";
import { t } from "../i18n";
import { againstRobots, create } from "../play/create";
import { draftName, named, publishDraft, raised, versioned } from "./publishing";

interface Props {
  text: string;
  set: RuleSetSummary | undefined;
  layout: Layout | undefined;
  playable: boolean;
  onText: (text: string) => void;
}

export function PlayPublish({ text, set, layout, playable, onText }: Props): JSX.Element {
  const [name, setName] = useState("");
  const [version, setVersion] = useState("");
  const [trouble, setTrouble] = useState<Refusal>();
  const [done, setDone] = useState<RuleSetSummary>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (set) {
      setName(set.id);
      setVersion(set.version);
    }
  }, [set?.id, set?.version]);
  const act = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setTrouble(undefined);
    setDone(undefined);
    try {
      await work();
    } catch (error) {
      setTrouble(refusalOf(error));
    }
    setBusy(false);
  };
  const play = (): Promise<void> =>
    act(async () => {
      const draft = await publishDraft(text);
      const seats = layout?.tables[0]?.players ?? layout?.seats.map((seat) => seat.seat) ?? [];
      await create({ ruleSet: draft.id, version: draft.version, title: draft.title, players: againstRobots(seats) });
    });
  const publish = (): Promise<void> =>
    act(async () => {
      const renamed = name === set!.id ? text : (named(text, name) ?? text);
      const wish = version === set!.version ? renamed : (versioned(renamed, version) ?? renamed);
      if (wish !== text) onText(wish);
      setDone(await call<RuleSetSummary>("POST", "/v1/rule-sets", { body: { text: wish } }));
    });
  const exists = trouble?.problem.code === "rule_set_exists";
  return (
    <>
      <p class="row">
        <button class="primary" data-try disabled={busy || !playable || !set} onClick={() => void play()}>
          {t("publish_play")}
        </button>
      </p>
      <p class="hint">{t("draft_help", { name: set ? draftName(set) : "draft-…" })}</p>
      <form
        class="publish"
        onSubmit={(event) => {
          event.preventDefault();
          void publish();
        }}
      >
        <h3>{t("publish_title")}</h3>
        <label class="field">
          <span>{t("publish_name")}</span>
          <input
            name="id"
            value={name}
            maxLength={64}
            required
            onInput={(event) => setName(event.currentTarget.value.trim())}
          />
        </label>
        <label class="field">
          <span>{t("publish_version")}</span>
          <input
            name="version"
            value={version}
            maxLength={64}
            required
            onInput={(event) => setVersion(event.currentTarget.value.trim())}
          />
        </label>
        <p class="hint">{t("publish_help")}</p>
        <p class="row">
          <button disabled={busy || !playable || !set}>{t("publish")}</button>
          {exists && (
            <button type="button" onClick={() => setVersion(raised(version))}>
              {t("publish_next", { version: raised(version) })}
            </button>
          )}
        </p>
      </form>
      <Trouble trouble={trouble} />
      {done && (
        <p class="note" role="status">
          {t("published", { title: done.title, version: done.version })} <a href={`/rules/${done.id}`}>{t("rules")}</a>
        </p>
      )}
    </>
  );
}
