// The editor of rule files and of scenarios. It lives in a shadow root: there its styles are sheets made by script,
// which the Content-Security-Policy allows, and no `<style>` elements, which it refuses.
import { autocompletion } from "@codemirror/autocomplete";
import { indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, hoverTooltip, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { basicSetup } from "codemirror";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { complete, describe, type Known } from "./schema";

/** A mark at a place of the text, with its message. Lines and columns are counted from 1. */
export interface Mark {
  line: number;
  /** Without a column, the whole line is marked. */
  column?: number;
  width?: number;
  severity: "error" | "warning";
  message: string;
}

interface Props {
  label: string;
  text: string;
  /** Grows when the text is changed outside of the editor, so that the new text replaces what was typed. */
  edition: number;
  marks: Mark[];
  known?: Known;
  onText: (text: string) => void;
  /** A line to scroll to; a new object each time, so that the same line can be shown again. */
  show: { line: number } | undefined;
}

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "14px", backgroundColor: "var(--paper)", color: "var(--ink)" },
  ".cm-scroller": { fontFamily: "ui-monospace, 'DejaVu Sans Mono', monospace", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--ground)", color: "var(--faint)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--turmeric) 12%, transparent)" },
  "&.cm-focused": { outline: "2px solid var(--focus)" },
  ".cm-selectionBackground, &.cm-focused .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--focus) 30%, transparent) !important",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--paper)",
    color: "var(--ink)",
    border: "1px solid var(--line)",
    borderRadius: "8px",
    maxWidth: "34em",
  },
  ".cm-tooltip .help": { padding: "6px 10px", fontFamily: "system-ui, sans-serif", fontSize: "14px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--madder)", color: "var(--madder-ink)" },
});

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--madder)", fontWeight: "600" },
  { tag: tags.comment, color: "var(--faint)", fontStyle: "italic" },
  { tag: [tags.string, tags.content], color: "var(--ink)" },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: "var(--faint)" },
]);

export function Editor({ label, text, edition, marks, known = {}, onText, show }: Props): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>();
  const latest = useRef({ known, onText });
  latest.current = { known, onText };

  useEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: "open" });
    const hover = hoverTooltip((editor, position) => {
      const { schema } = latest.current.known;
      const found = schema && describe(schema, editor.state.doc, position);
      if (!found) return null;
      return {
        pos: found.from,
        end: found.to,
        above: true,
        create: () => {
          const dom = document.createElement("div");
          dom.className = "help";
          dom.textContent = found.text;
          return { dom };
        },
      };
    });
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: text,
        extensions: [
          basicSetup,
          keymap.of([indentWithTab]),
          yaml(),
          look,
          syntaxHighlighting(colours),
          autocompletion({ icons: false, override: [complete(() => latest.current.known)] }),
          hover,
          EditorView.contentAttributes.of({
            "aria-label": label,
            tabindex: "0",
            autocapitalize: "off",
            autocorrect: "off",
          }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onText(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (editor && editor.state.doc.toString() !== text) {
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
    }
  }, [edition]);

  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const { doc } = editor.state;
    const found: Diagnostic[] = marks
      .filter((mark) => mark.line >= 1 && mark.line <= doc.lines)
      .map((mark) => {
        const line = doc.line(mark.line);
        const lead = /^\s*/.exec(line.text)![0].length;
        const from = Math.min(line.from + (mark.column === undefined ? lead : mark.column - 1), line.to);
        const to = mark.column === undefined ? line.to : Math.min(from + Math.max(mark.width ?? 1, 1), line.to);
        return { from, to, severity: mark.severity, message: mark.message };
      });
    editor.dispatch(setDiagnostics(editor.state, found));
  }, [marks]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || !show || show.line > editor.state.doc.lines) return;
    const { from } = editor.state.doc.line(show.line);
    editor.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
    editor.focus();
  }, [show]);

  return <div class="editor" ref={host} />;
}
