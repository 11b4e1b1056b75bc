// Tabs: one of several panels is shown. Arrow keys go from tab to tab.
import type { ComponentChildren, JSX } from "preact";

interface Tab {
  name: string;
  label: ComponentChildren;
}

interface Props {
  label: string;
  tabs: Tab[];
  chosen: string;
  onChoose: (name: string) => void;
}

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };

export function Tabs({ label, tabs, chosen, onChoose }: Props): JSX.Element {
  const step = (event: KeyboardEvent): void => {
    const way =
      (STEPS[event.key] ?? 0) * (getComputedStyle(event.currentTarget as Element).direction === "rtl" ? -1 : 1);
    if (!way) return;
    event.preventDefault();
    const at = tabs.findIndex((tab) => tab.name === chosen);
    const next = tabs[(at + way + tabs.length) % tabs.length]!.name;
    onChoose(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={step}>
      {tabs.map(({ name, label: text }) => (
        <button
          key={name}
          id={`tab-${name}`}
          role="tab"
          aria-selected={chosen === name}
          aria-controls={chosen === name ? `panel-${name}` : undefined}
          tabIndex={chosen === name ? 0 : -1}
          onClick={() => onChoose(name)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

/** The panel of the chosen tab. */
export function Panel({
  name,
  children,
  class: more = "",
}: {
  name: string;
  children: ComponentChildren;
  class?: string;
}): JSX.Element {
  return (
    <div class={`panel ${more}`} role="tabpanel" id={`panel-${name}`} aria-labelledby={`tab-${name}`}>
      {children}
    </div>
  );
}
