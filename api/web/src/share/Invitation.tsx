// A link to pass on: as text to copy, and as a QR code for a phone that is in the same room.
import type { JSX } from "preact";
import { lazy, Suspense } from "preact/compat";
import { useRef, useState } from "preact/hooks";
import { t } from "../i18n";

const Qr = lazy(() => import("./Qr").then((module) => module.Qr));

interface Props {
  link: string;
  /** The label of the link. */
  text?: string;
}

/** A link with a token has it after `#`, because browsers do not send that part of an address to servers. */
export function Invitation({ link, text = t("invitation") }: Props): JSX.Element {
  const [copied, setCopied] = useState(false);
  const [shown, setShown] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(link);
      setCopied(true);
    } catch {
      input.current?.select();
    }
  };
  return (
    <div class="sharing">
      <div class="invitation">
        <label>
          {text}
          <input ref={input} readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
        </label>
        <button type="button" onClick={() => void copy()}>
          {t(copied ? "copied" : "copy")}
        </button>
        <button type="button" data-qr aria-expanded={shown} onClick={() => setShown(!shown)}>
          {t("qr")}
        </button>
      </div>
      {shown && (
        <Suspense fallback={<p aria-busy="true">{t("loading")}</p>}>
          <Qr link={link} />
        </Suspense>
      )}
    </div>
  );
}
