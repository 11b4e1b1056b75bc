// A check box with its text, and the mistakes of its value.
import type { JSX } from "preact";
import { Field, type FieldOf } from "./problems";

interface Props extends FieldOf {
  at: string;
  /** The name of the input. By default, the name that the value has in the request. */
  name?: string;
  value: boolean;
  set: (value: boolean) => void;
}

export function Check({ value, set, name, ...field }: Props): JSX.Element {
  return (
    <Field {...field}>
      {(marks) => (
        <input
          {...marks}
          type="checkbox"
          name={name ?? field.at.slice(1)}
          checked={value}
          onChange={(event) => set(event.currentTarget.checked)}
        />
      )}
    </Field>
  );
}
