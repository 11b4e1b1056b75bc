// The texts of the page, from one file for each language. A text that a language lacks is shown in English. The entry
// `checked` of a translation says which speaker of the language has read it, or that nobody has.
import { signal } from "@preact/signals";
import { setting } from "./keep";
import en from "./texts/en.json";

export type Key = keyof typeof en;
type Texts = Partial<Record<Key, string>>;

const NAMES: Record<string, string> = {
  en: "English",
  es: "Español",
  gu: "ગુજરાતી",
  hi: "हिन्दी",
  kn: "ಕನ್ನಡ",
  pt: "Português",
};

/** The name of the setting that stores the language. */
const LANGUAGE = "pagade.language";

const files = import.meta.glob<{ default: Texts }>("./texts/*.json");
export const LANGUAGES = Object.entries(NAMES).filter(([tag]) => `./texts/${tag}.json` in files);
const texts = signal<Texts>(en);
export const language = signal("en");

/** Loads the language stored in this browser, or the first of the browser's languages that has a file, or English. */
export async function startLanguage(): Promise<void> {
  const wishes = [setting(LANGUAGE) ?? "", ...navigator.languages.map((tag) => tag.split("-")[0] ?? "")];
  await choose(wishes.find((tag) => tag && LANGUAGES.some(([known]) => known === tag)) ?? "en");
}

export async function choose(tag: string, remember = false): Promise<void> {
  const load = files[`./texts/${tag}.json`];
  texts.value = tag === "en" || !load ? en : (await load()).default;
  language.value = tag;
  document.documentElement.lang = tag;
  if (remember) setting(LANGUAGE, tag);
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A text beside others. If it is read from right to left, it is isolated, so that it does not move its neighbours. */
export const beside = (text: string): string => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text);

/** The text of a key, with `{name}` replaced by the values. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  const text = texts.value[key] ?? en[key];
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => beside(String(values[name] ?? whole)));
}

/** Facts in one line. Those that are missing are left out. */
export const inLine = (facts: (string | number | false | null | undefined)[]): string =>
  facts
    .filter(Boolean)
    .map((fact) => beside(String(fact)))
    .join(" · ");

/** The text of a key that is composed of data, such as `event_moved`; `undefined` if English has no such key. */
export function maybe(key: string, values: Record<string, string | number> = {}): string | undefined {
  return key in en ? t(key as Key, values) : undefined;
}
