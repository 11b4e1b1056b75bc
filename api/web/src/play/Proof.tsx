// The record of a game, and the proof that nobody has chosen its dice.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { read, readText, refusalOf } from "../api/client";
import type { DiceProof } from "../api/types";
import { t } from "../i18n";
import { canProve, prove } from "./dice-proof";
import type { Session } from "./session";
import { troubleText } from "./words";

export function Proof({ session }: { session: Session }): JSX.Element | null {
  const [text, setText] = useState("");
  const [good, setGood] = useState<boolean>();
  /** The record, if the browser does not let the page write to the clipboard. */
  const [record, setRecord] = useState<string>();
  const game = session.game.value;
  if (!game) return null;
  const begin = (): void => {
    setText("");
    setGood(undefined);
    setRecord(undefined);
  };
  const copy = async (): Promise<void> => {
    begin();
    try {
      const found = await readText(`/v1/games/${game.id}/record`, session.token);
      const isCopied = await navigator.clipboard?.writeText(found).then(
        () => true,
        () => false,
      );
      if (!isCopied) setRecord(found);
      setText(t(isCopied ? "record_copied" : "record_here"));
    } catch (error) {
      setText(troubleText(refusalOf(error)));
    }
  };
  const check = async (): Promise<void> => {
    begin();
    try {
      const proof = await read<DiceProof>(`/v1/games/${game.id}/dice`, session.token);
      if (!proof.seed) return setText(t("proof_later", { hash: proof.seed_hash }));
      if (!canProve()) return setText(t("proof_needs_https"));
      const verdict = await prove(proof);
      setGood(verdict.seedHash && verdict.differs === undefined);
      if (!verdict.seedHash) setText(t("proof_seed_differs"));
      else if (verdict.differs) setText(t("proof_differs", { number: verdict.differs }));
      else setText(t("proof_good", { count: verdict.throws }));
    } catch (error) {
      setText(troubleText(refusalOf(error)));
    }
  };
  return (
    <section class="proof">
      <p class="row">
        <button onClick={() => void copy()}>{t("copy_record")}</button>
        {game.dice === "server" && <button onClick={() => void check()}>{t("prove_dice")}</button>}
        <a class="button" href={`/play/${game.id}`}>
          {t("to_game")}
        </a>
      </p>
      {text && (
        <p class={`note${good === false ? " warn" : ""}`} role="status" data-proof={good}>
          {text}
        </p>
      )}
      {record !== undefined && (
        <textarea
          readOnly
          rows={6}
          aria-label={t("record_here")}
          value={record}
          onFocus={(event) => event.currentTarget.select()}
        />
      )}
    </section>
  );
}
