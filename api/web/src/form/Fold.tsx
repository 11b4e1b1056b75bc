// A part of a form that is closed at first. It opens by itself when one of its fields has a mistake.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Refusal } from "../api/client";
import { hasMistakeAt } from "./problems";

interface Props {
  text: string;
  /** The JSON Pointers of the values whose fields are inside. */
  fields: string[];
  trouble: Refusal | undefined;
  class?: string;
  children: ComponentChildren;
}

export function Fold({ text, fields, trouble, children, ...rest }: Props): JSX.Element {
  const [open, setOpen] = useState(false);
  const wasOpen = useRef(false);
  wasOpen.current ||= open;
  useEffect(() => {
    if (fields.some((pointer) => hasMistakeAt(trouble, pointer))) setOpen(true);
  }, [trouble]);
  return (
    <details
      class={`fold ${rest.class ?? ""}`}
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      // The browser cannot show its message at an invalid input of a closed part: it would silently not send the form.
      // So the part opens.
      onInvalidCapture={(event) => (event.currentTarget.open = true)}
    >
      <summary>{text}</summary>
      {wasOpen.current && children}
    </details>
  );
}
