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

/** A mapping `{..}` or list `[..]` that is not closed yet: its line, and the key that it is the value of. */
interface Flow {
  line: number;
  sign: "{" | "[";
  key: string | undefined;
}

/** A sign: a brace or bracket. Also matches quoted texts and comments, so that signs inside them are skipped. */
const SIGNS = /"(?:[^"\\]|\\.)*"|'[^']*'|(?:^|\s)#.*|[{}[\]]/g;

/** The braces and brackets that are open at a position, and the lines that begin inside braces or brackets. */
function flows(doc: Text, position: number): { open: Flow[]; inside: Set<number> } {
  const open: Flow[] = [];
  const inside = new Set<number>();
  const last = doc.lineAt(position);
  for (let line = 1; line <= last.number; line += 1) {
    const { from, text } = doc.line(line);
    if (open.length > 0) inside.add(line);
    for (const { 0: sign, index } of text.slice(0, position - from).matchAll(SIGNS)) {
      if (sign === "{" || sign === "[") {
        open.push({ line, sign, key: /([\w.-]+):\s*$/.exec(text.slice(0, index))?.[1] });
      } else if (sign === "}" || sign === "]") open.pop();
    }
  }
  return { open, inside };
}

/** The keys that lead to a position, by indentation and through braces and brackets; `-` is an entry of a list. */
export function pathAt(doc: Text, position: number): string[] {
  const { open, inside } = flows(doc, position);
  const inFlows = open.flatMap(({ sign, key }) => [...(key ? [key] : []), ...(sign === "[" ? ["-"] : [])]);
  return [...blockPath(doc, open[0]?.line ?? doc.lineAt(position).number, inside), ...inFlows];
}

/** The keys that lead to a line by indentation. Lines inside braces or brackets say nothing about it. */
function blockPath(doc: Text, number: number, inside: Set<number>): string[] {
  const path: string[] = [];
  /** The column of the key or list entry whose parent is searched for. */
  let column = Infinity;
  let isEntry = false;
  for (let at = number; at >= 1 && (isEntry || column > 0); at -= 1) {
    const { text } = doc.line(at);
    if (at < number && (inside.has(at) || /^\s*(#|$)/.test(text))) continue;
    const [, lead = "", dash = "", key] = /^(\s*)(- )?(?:([\w.-]+):)?/.exec(text)!;
    const start = lead.length;
    if (at === number) {
      if (dash) path.unshift("-");
    } else if (isEntry) {
      if (!key || start > column || (dash && start === column)) continue;
      path.unshift(...(dash ? ["-"] : []), key);
    } else if (dash && start + dash.length === column) path.unshift("-");
    else if (key && start + dash.length < column) path.unshift(...(dash ? ["-"] : []), key);
    else continue;
    column = start;
    isEntry = dash !== "";
  }
  return path;
}

/** The schema of the rule language, and the rule sets that a file can extend. The editor completes words from both. */
export interface Known {
  schema?: Schema | undefined;
  sets?: { id: string; title: string }[];
}

export function complete(known: () => Known) {
  return (context: CompletionContext): CompletionResult | null => {
    const { schema: root, sets = [] } = known();
    const word = context.matchBefore(/[\w.-]*/);
    if (!root || !word || (word.from === word.to && !context.explicit)) return null;
    const line = context.state.doc.lineAt(context.pos);
    const before = line.text.slice(0, word.from - line.from);
    const path = pathAt(context.state.doc, word.from);
    const valueOf = /(?:^|[\s{,])([\w.-]+):\s*$/.exec(before)?.[1];
    const options: Completion[] = [];
    if (valueOf === "extends" && path.length === 0) {
      for (const { id, title } of sets) options.push({ label: id, type: "text", info: title });
    } else if (valueOf) {
      for (const one of schemasAt(root, [...path, valueOf])) {
        for (const value of [...(one.enum ?? []), ...(one.const === undefined ? [] : [one.const])]) {
          options.push({ label: String(value), type: "enum", info: one.description ?? "" });
        }
      }
    } else if (/(^\s*(- )?|[{[,]\s*)$/.test(before)) {
      // A key begins a line or an entry. A later word of a text is no key.
      for (const one of schemasAt(root, path)) {
        for (const [key, value] of Object.entries(one.properties ?? {})) {
          const info = [...variants(value, root)].find((part) => part.description)?.description ?? "";
          options.push({ label: key, type: "property", apply: `${key}: `, info });
        }
        for (const value of one.enum ?? []) options.push({ label: String(value), type: "enum" });
      }
    }
    const unique = [...new Map(options.map((option) => [option.label, option])).values()];
    // A value that is typed in full is not completed, so that Enter ends the line.
    const isWritten = (text: string): boolean => valueOf !== undefined && unique.some(({ label }) => label === text);
    if (unique.length === 0 || (isWritten(word.text) && !context.explicit)) return null;
    const validFor = (text: string): boolean => /^[\w.-]*$/.test(text) && !isWritten(text);
    return { from: word.from, options: unique, validFor };
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
