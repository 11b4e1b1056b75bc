// A QR code as SVG. It is computed in the browser, so that no other server learns of the link.
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { encode } from "uqr";
import { t } from "../i18n";

/** The white border that readers need, in modules (ISO 18004 asks for four). */
const BORDER = 4;

export function Qr({ link }: { link: string }): JSX.Element {
  const { size, path } = useMemo(() => drawn(link), [link]);
  return (
    <figure class="qr">
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={t("qr_label")} shape-rendering="crispEdges">
        <rect width={size} height={size} fill="#fff" />
        <path d={path} fill="#000" />
      </svg>
      <figcaption class="facts">{t("qr_about")}</figcaption>
    </figure>
  );
}

/** The dark modules as one path, a rectangle for each run of modules in a row. */
function drawn(link: string): { size: number; path: string } {
  const { size, data } = encode(link, { ecc: "M", border: BORDER });
  const runs = data.flatMap((row, y) => {
    const found: string[] = [];
    for (let x = 0; x < size; x += 1) {
      const from = x;
      while (row[x]) x += 1;
      if (x > from) found.push(`M${from} ${y}h${x - from}v1H${from}z`);
    }
    return found;
  });
  return { size, path: runs.join("") };
}
