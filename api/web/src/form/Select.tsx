// A list to choose from with its text, and the mistakes of its value.
import type { JSX } from "preact";
import { Field, type FieldOf } from "./problems";

interface Props<T extends string | number> extends FieldOf {
  name: string;
  value: T;
  /** The values with their texts. */
  choices: readonly (readonly [T, string])[];
  set: (value: T) => void;
}

export function Select<T extends string | number>({ name, value, choices, set, ...field }: Props<T>): JSX.Element {
  return (
    <Field {...field}>
      {(marks) => (
        <select
          {...marks}
          name={name}
          value={value}
          onChange={(event) => {
            const chosen = choices[event.currentTarget.selectedIndex];
            if (chosen) set(chosen[0]);
          }}
        >
          {choices.map(([one, text]) => (
            <option key={one} value={one}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
