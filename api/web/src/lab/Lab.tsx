import type { JSX } from "preact";

export function Lab(): JSX.Element {
  return <main class="plain" />;
}
