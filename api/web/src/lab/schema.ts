// Completion and hover of the editor, from the JSON Schema of the rule language.
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { Text } from "@codemirror/state";

/** The part of JSON Schema that the rule language uses. */
export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  definitions?: Record<string, Schema>;
  description?: string;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
}

/** The alternatives of a schema, with its references followed. */
function variants(schema: Schema | boolean | undefined, root: Schema, found = new Set<Schema>()): Set<Schema> {
  if (!schema || schema === true || found.has(schema)) return found;
  found.add(schema);
  if (schema.$ref) {
    let target: unknown = root;
    for (const part of schema.$ref.replace(/^#\/?/, "").split("/"))
      target = (target as Record<string, unknown> | undefined)?.[part];
    variants(target as Schema | undefined, root, found);
  }
  for (const part of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
    variants(part, root, found);
  return found;
}

function* below(schemas: Iterable<Schema>, key: string, root: Schema): Generator<Schema> {
  for (const schema of schemas) {
    if (key === "-") {
      yield* variants(schema.items, root);
      continue;
    }
    const own = schema.properties?.[key];
    if (own) yield* variants(own, root);
    else {
      for (const [pattern, value] of Object.entries(schema.patternProperties ?? {})) {
        if (new RegExp(pattern, "u").test(key)) yield* variants(value, root);
      }
      yield* variants(schema.additionalProperties, root);
    }
  }
}

/** The schemas of the node at a path of keys; `-` is an entry of a list. */
function schemasAt(root: Schema, path: string[]): Schema[] {
  let found = new Set(variants(root, root));
  for (const key of path) found = new Set(below(found, key, root));
  return [...found];
}

/** The keys that lead to a position, by indentation, and through `{key: ..}` on one line. */
export function pathAt(doc: Text, position: number): string[] {
  const line = doc.lineAt(position);
  const path: string[] = [];
  const before = line.text.slice(0, position - line.from);
  // Flow mappings that are open on this line.
  const open: string[] = [];
  for (let at = 0; at < before.length; at += 1) {
    const sign = before[at];
    if (sign === "{") open.push(/([\w.-]+):\s*$/.exec(before.slice(0, at))?.[1] ?? "-");
    else if (sign === "[") open.push(`${/([\w.-]+):\s*$/.exec(before.slice(0, at))?.[1] ?? ""}[`);
    else if (sign === "}" || sign === "]") open.pop();
  }
  for (const one of open) {
    if (one.endsWith("[")) path.push(...[one.slice(0, -1), "-"].filter(Boolean));
    else path.push(one);
  }
  let indent = /^\s*(- )?/.exec(line.text)![0].length;
  if (open.length === 0 && /^\s*- /.test(line.text)) path.unshift("-");
  for (let number = line.number - 1; number >= 1 && indent > 0; number -= 1) {
    const text = doc.line(number).text;
    if (!text.trim() || text.trim().startsWith("#")) continue;
    const lead = /^\s*/.exec(text)![0].length;
    const item = /^\s*- /.test(text);
    const own = item ? lead + 2 : lead;
    const key = /^\s*(?:- )?([\w.-]+):/.exec(text)?.[1];
    if (own < indent && key && !/[{[].*[}\]]\s*$/.test(text)) {
      path.unshift(key);
      if (item) path.unshift("-");
      indent = lead;
    } else if (item && lead < indent && own === indent) {
      path.unshift("-");
      indent = lead;
    } else if (lead < indent && path[0] === "-" && key && lead + 2 >= indent) {
      path.unshift(key);
      indent = lead;
    }
  }
  return path;
}

export function complete(schema: () => Schema | undefined) {
  return (context: CompletionContext): CompletionResult | null => {
    const root = schema();
    const word = context.matchBefore(/[\w.-]*/);
    if (!root || !word || (word.from === word.to && !context.explicit)) return null;
    const line = context.state.doc.lineAt(context.pos);
    const before = line.text.slice(0, word.from - line.from);
    const path = pathAt(context.state.doc, word.from);
    const valueOf = /(?:^|[\s{,])([\w.-]+):\s*$/.exec(before)?.[1];
    const options: Completion[] = [];
    if (valueOf) {
      for (const one of schemasAt(root, [...path, valueOf])) {
        for (const value of [...(one.enum ?? []), ...(one.const === undefined ? [] : [one.const])]) {
          options.push({ label: String(value), type: "enum", info: one.description ?? "" });
        }
      }
    } else {
      for (const one of schemasAt(root, path)) {
        for (const [key, value] of Object.entries(one.properties ?? {})) {
          const info = [...variants(value, root)].find((part) => part.description)?.description ?? "";
          options.push({ label: key, type: "property", apply: `${key}: `, info });
        }
        for (const value of one.enum ?? []) options.push({ label: String(value), type: "enum" });
      }
    }
    const unique = [...new Map(options.map((option) => [option.label, option])).values()];
    return unique.length > 0 ? { from: word.from, options: unique, validFor: /^[\w.-]*$/ } : null;
  };
}

/** The description of the key at a position. */
export function describe(
  root: Schema,
  doc: Text,
  position: number,
): { from: number; to: number; text: string } | undefined {
  const line = doc.lineAt(position);
  for (const match of line.text.matchAll(/([\w.-]+):/g)) {
    const from = line.from + match.index;
    const to = from + match[1]!.length;
    if (position < from || position > to) continue;
    const text = schemasAt(root, [...pathAt(doc, from), match[1]!]).find((one) => one.description)?.description;
    return text ? { from, to, text } : undefined;
  }
  return undefined;
}
