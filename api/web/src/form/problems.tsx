// The mistakes that the service finds in a request, each beside the field that it belongs to.
import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";
import type { Refusal } from "../api/client";
import type { Problem } from "../api/types";
import { t } from "../i18n";
import { troubleText } from "../play/words";

type Part = NonNullable<Problem["problems"]>[number];

/** The mistakes of a request, with their positions in its body. Empty if the problem has no list of mistakes. */
const partsOf = (trouble: Refusal | undefined): Part[] => trouble?.problem.problems ?? [];

/** Whether the position of a mistake is this JSON Pointer, or lies below it. */
const isAt = (part: Part, pointer: string): boolean =>
  part.pointer !== undefined && (part.pointer === pointer || part.pointer.startsWith(`${pointer}/`));

/** Whether a request was refused because of the value at this JSON Pointer, or of a value inside it. */
export const hasMistakeAt = (trouble: Refusal | undefined, pointer: string): boolean =>
  partsOf(trouble).some((part) => isAt(part, pointer));

/** A sentence of the service, without the backticks around values. */
const plain = (text: string): string => text.replace(/`/g, "");

/** The attributes of an input whose value may have mistakes. */
export interface InputMarks {
  "aria-invalid"?: true;
  "aria-describedby"?: string;
}

/** The properties that all fields of forms have. */
export interface FieldOf {
  text: string;
  /** The JSON Pointers of the values of the request that are entered in this field. */
  at: string | string[];
  trouble: Refusal | undefined;
  hint?: string | undefined;
}

interface FieldProps extends FieldOf {
  /** Makes the text of a mistake, if it is more than the service's sentence: for example with the number of a line. */
  say?: (part: Part) => string;
  /** Whether the field has several inputs, each with a label of its own. */
  group?: boolean;
  class?: string;
  children: (marks: InputMarks) => ComponentChildren;
}

/** A label with its input, and the mistakes of the value below them. */
export function Field({ text, at, trouble, hint, say, group, children, ...rest }: FieldProps): JSX.Element {
  const id = useId();
  const pointers = Array.isArray(at) ? at : [at];
  const found = partsOf(trouble).filter((part) => pointers.some((pointer) => isAt(part, pointer)));
  const marks: InputMarks = found.length > 0 ? { "aria-invalid": true, "aria-describedby": id } : {};
  const inside = (
    <>
      <span dir="auto">
        {text}
        {hint && <small class="facts">{hint}</small>}
      </span>
      {children(marks)}
    </>
  );
  return (
    <div class={`with-problem ${rest.class ?? ""}`} data-field={pointers[0]}>
      {group ? (
        <div class="field" role="group" aria-label={text}>
          {inside}
        </div>
      ) : (
        <label class="field">{inside}</label>
      )}
      {found.length > 0 && (
        <ul class="problem" id={id}>
          {found.map((part, index) => (
            <li key={index} dir="auto">
              {plain(say?.(part) ?? part.detail)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The mistakes of a refused request that no field shows. If the fields show all mistakes, a sentence says so. */
export function Refused({
  trouble,
  fields = [],
}: {
  trouble: Refusal | undefined;
  fields?: string[];
}): JSX.Element | null {
  if (!trouble) return null;
  const parts = partsOf(trouble);
  const others = parts.filter((part) => !fields.some((pointer) => isAt(part, pointer)));
  const isAtFields = parts.length > 0 && others.length === 0;
  return (
    <div class="note warn" role="alert">
      {isAtFields
        ? t("mistakes_at_fields")
        : others.length > 0
          ? others.map((part) => plain(part.detail)).join("; ")
          : plain(troubleText(trouble))}
    </div>
  );
}
