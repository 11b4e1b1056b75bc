// The options of a table, as a form that is drawn from their data. Only the master can change them.
import type { JSX } from "preact";
import type { OptionValue, TableOption } from "../api/types";
import { maybe, t } from "../i18n";
import { OptionInput } from "../options/OptionInput";
import type { TableSession } from "./session";

export function Options({ session }: { session: TableSession }): JSX.Element {
  const options = session.marked.options.value;
  const changed = session.marked.changed.value;
  const mine = session.table.value?.seats.find((seat) => seat.seat === session.seat.value);
  const watcher = session.table.value?.watchers.find((one) => session.watches.value && one.options_changed);
  const isMarked = changed.size > 0 || Boolean(mine?.options_changed ?? watcher);
  const toggle = (event: Event): void => {
    if ((event.currentTarget as HTMLDetailsElement).open) void session.readOptions();
    else {
      session.marked.options.value = undefined;
      session.marked.changed.value = new Set();
    }
  };
  return (
    <details class="box options" onToggle={toggle}>
      <summary>
        {t("table_options")}{" "}
        {isMarked && (
          <span class="badge" data-changed>
            {t("options_changed")}
          </span>
        )}
      </summary>
      {!session.isMaster.value && <p class="facts">{t("options_of_master")}</p>}
      {[...new Set(options?.map((option) => option.group))].map((group) => {
        const here = options?.filter((option) => option.group === group) ?? [];
        return (
          <fieldset key={group} disabled={!session.isMaster.value}>
            <legend>{maybe(`options_${group}`) ?? group}</legend>
            {here.map((option) => (
              <Field key={option.name} option={option} session={session} isChanged={changed.has(option.name)} />
            ))}
          </fieldset>
        );
      })}
    </details>
  );
}

interface FieldProps {
  option: TableOption;
  session: TableSession;
  isChanged: boolean;
}

function Field({ option, session, isChanged }: FieldProps): JSX.Element {
  const waits = option.effective === "next_game" && Boolean(session.table.value?.game);
  const { marked } = session;
  const needed = marked.options.value?.find((one) => one.name === option.needs && marked.valueOf(one) !== true);
  return (
    <label class={`field${isChanged ? " changed" : ""}`} data-option={option.name}>
      <span>
        {textOf(option)}
        {isChanged && <b class="badge">{t("changed")}</b>}
        {waits && <small class="facts">{t("effective_next_game")}</small>}
        {needed && (
          <small class="facts" data-needs={needed.name}>
            {t("option_needs", { option: textOf(needed) })}
          </small>
        )}
        {option.value !== option.default && (
          <small class="facts">{t("option_default", { value: wordOf(option, option.default, session) })}</small>
        )}
      </span>
      <OptionInput
        option={option}
        value={session.marked.valueOf(option)}
        word={(one) => wordOf(option, one, session)}
        set={(value) => void session.changeOption(option.name, value)}
        disabled={needed !== undefined}
      />
    </label>
  );
}

const textOf = (option: TableOption): string =>
  (option.group === "table" ? maybe(`option_${option.name}`) : undefined) ?? option.text;

/** The value of an option in words. */
function wordOf(option: TableOption, value: OptionValue, session: TableSession): string {
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  if (option.group === "table") return maybe(`${option.name}_${value}`) ?? maybe(`robot_${value}`) ?? String(value);
  return session.rules.value?.texts[`options.${option.name}.${value}`] ?? String(value);
}
