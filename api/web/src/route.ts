// The address of the page. Links are ordinary; clicks on them change the page without loading it again.
import { signal } from "@preact/signals";

export const path = signal(location.pathname);

/** How often the page at this address was opened again. */
export const openings = signal(0);

/** Opens the page at this address again, as when it is loaded. */
export function reopen(): void {
  openings.value += 1;
}

export function go(to: string, replace = false): void {
  if (replace) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  path.value = location.pathname;
  if (!replace) scrollTo(0, 0);
}

export function startRouting(): void {
  addEventListener("popstate", () => (path.value = location.pathname));
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = (event.target as Element | null)?.closest?.("a");
    const href = link?.getAttribute("href");
    if (!link || !href?.startsWith("/") || link.target || link.hasAttribute("download")) return;
    if (!/^\/($|play\/|watch\/|rules\/|tables|tournaments|leaderboards|players\/|lab)/.test(href)) return;
    event.preventDefault();
    go(href);
  });
}
