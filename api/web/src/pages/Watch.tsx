import type { JSX } from "preact";
import { Play } from "./Play";

export function Watch({ id }: { id: string }): JSX.Element {
  return <Play id={id} watching />;
}
