// An input for a number with its label, and the mistakes of its value. The value is the typed text, because it may be
// empty.
import type { JSX } from "preact";
import { Field, type FieldOf } from "./problems";

interface Props extends FieldOf {
  name: string;
  min: number;
  max: number;
  /** The number that an empty field stands for. */
  usual?: number;
  value: string;
  set: (value: string) => void;
}

export function Count({ name, min, max, usual, value, set, ...field }: Props): JSX.Element {
  return (
    <Field {...field}>
      {(marks) => (
        <input
          {...marks}
          type="number"
          name={name}
          min={min}
          max={max}
          placeholder={usual === undefined ? undefined : String(usual)}
          value={value}
          onInput={(event) => set(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
