// The input of one option: a list of words, a check box, or a number within its range.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { OptionValue } from "../api/types";
import type { InputMarks } from "../form/problems";

/** The data of an option, as rule sets and tables have it. */
export interface OptionData {
  name: string;
  default: OptionValue;
  one_of?: string[];
  from?: number | null;
  to?: number | null;
}

interface Props {
  option: OptionData;
  value: OptionValue;
  word: (value: string) => string;
  set: (value: OptionValue) => void;
  /** The attributes of an input whose value has mistakes. */
  marks?: InputMarks;
  disabled?: boolean;
}

export function OptionInput({ option, value, word, set, marks = {}, disabled = false }: Props): JSX.Element {
  if (option.one_of) {
    return (
      <select {...marks} disabled={disabled} value={String(value)} onChange={(event) => set(event.currentTarget.value)}>
        {option.one_of.map((one) => (
          <option key={one} value={one}>
            {word(one)}
          </option>
        ))}
      </select>
    );
  }
  if (typeof option.default === "boolean") {
    return (
      <input
        {...marks}
        disabled={disabled}
        type="checkbox"
        checked={value === true}
        onChange={(event) => set(event.currentTarget.checked)}
      />
    );
  }
  return <NumberInput option={option} value={Number(value)} set={set} marks={marks} disabled={disabled} />;
}

interface NumberProps {
  option: OptionData;
  value: number;
  set: (value: number) => void;
  marks: InputMarks;
  disabled: boolean;
}

/** A number. It is sent when the field is left, or by Enter; a number out of the range stays there and is marked. */
function NumberInput({ option, value, set, marks, disabled }: NumberProps): JSX.Element {
  const [text, setText] = useState(String(value));
  useEffect(() => setText(String(value)), [value]);
  return (
    <input
      {...marks}
      disabled={disabled}
      type="number"
      min={option.from ?? undefined}
      max={option.to ?? undefined}
      step={1}
      required
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
      onChange={(event) => {
        const input = event.currentTarget;
        if (input.reportValidity() && Number(input.value) !== value) set(Number(input.value));
      }}
    />
  );
}
