// A check box with its text, and the mistakes of its value.
import type { JSX } from "preact";
import type { Refusal } from "../api/client";
import { Field } from "./problems";

export function Check({
  text,
  at,
  trouble,
  value,
  set,
}: {
  text: string;
  at: string;
  trouble: Refusal | undefined;
  value: boolean;
  set: (value: boolean) => void;
}): JSX.Element {
  return (
    <Field text={text} at={at} trouble={trouble}>
      {(marks) => (
        <input
          {...marks}
          type="checkbox"
          name={at.slice(1)}
          checked={value}
          onChange={(event) => set(event.currentTarget.checked)}
        />
      )}
    </Field>
  );
}
