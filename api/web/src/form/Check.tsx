// A check box with its text, and the mistakes of its value.
import type { JSX } from "preact";
import { Field, type FieldOf } from "./problems";

interface Props extends FieldOf {
  at: string;
  value: boolean;
  set: (value: boolean) => void;
}

export function Check({ value, set, ...field }: Props): JSX.Element {
  return (
    <Field {...field}>
      {(marks) => (
        <input
          {...marks}
          type="checkbox"
          name={field.at.slice(1)}
          checked={value}
          onChange={(event) => set(event.currentTarget.checked)}
        />
      )}
    </Field>
  );
}
