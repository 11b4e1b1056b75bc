// Texts that stay in the browser when the page is closed.
import { useEffect, useRef, useState } from "preact/hooks";
import { setting } from "../keep";

/** Time from the last change until the text is stored, in milliseconds. */
const DELAY = 300;

/** A text that is stored under a name. The third value is false if the browser could not store it. */
export function useKept(name: string, initial: () => string): [string, (text: string) => void, boolean] {
  const [text, setText] = useState(() => setting(name) || initial());
  const [isKept, setIsKept] = useState(true);
  const newest = useRef(text);
  newest.current = text;
  useEffect(() => {
    const timer = setTimeout(() => setIsKept(store(name, text)), DELAY);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => {
    const leave = (): void => void store(name, newest.current);
    addEventListener("pagehide", leave);
    return () => {
      removeEventListener("pagehide", leave);
      leave();
    };
  }, []);
  return [text, setText, isKept];
}

function store(name: string, text: string): boolean {
  setting(name, text);
  return setting(name) === text;
}
