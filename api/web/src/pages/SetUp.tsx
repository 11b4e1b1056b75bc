// The form that begins a game: the table, who plays each seat, and the options of the rules.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type Refusal, refusalOf } from "../api/client";
import type { Layout, Option, OptionValue, RuleSet } from "../api/types";
import { Trouble } from "../form/notes";
import { beside, t } from "../i18n";
import { create, type Player } from "../play/create";
import { Sign } from "../play/Seats";
import { seatName } from "../play/words";

interface SetUpProps {
  rules: RuleSet;
  layout: Layout;
  options: Record<string, OptionValue>;
  setOptions: (options: Record<string, OptionValue>) => void;
  wrong: Refusal | undefined;
}

export function SetUp({ rules, layout, options, setOptions, wrong }: SetUpProps): JSX.Element {
  const [table, setTable] = useState(0);
  const [wishes, setWishes] = useState<Record<string, Player>>({});
  const [trouble, setTrouble] = useState<Refusal>();
  const [busy, setBusy] = useState(false);
  const names = { rules, layout };
  const order = layout.seats.map((seat) => seat.seat);
  const seats = (layout.tables[table] ?? layout.tables[0])?.players ?? order;
  const paintOf = (seat: string): string => layout.seats.find((one) => one.seat === seat)?.paint ?? "#888888";
  const players = Object.fromEntries(
    seats.map((seat, index) => [seat, wishes[seat] ?? (index === 0 ? "me" : "robot")] as const),
  ) as Record<string, Player>;
  const begin = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setTrouble(undefined);
    try {
      await create({ ruleSet: rules.id, version: rules.version, title: rules.title, players, options });
    } catch (error) {
      setTrouble(refusalOf(error));
      setBusy(false);
    }
  };
  return (
    <form class="set-up" onSubmit={(event) => void begin(event)}>
      <h2>{t("new_game")}</h2>
      {layout.tables.length > 1 && (
        <label class="field">
          <span>{t("table")}</span>
          <select value={table} onChange={(event) => setTable(Number(event.currentTarget.value))}>
            {layout.tables.map((one, index) => (
              <option key={one.players.join()} value={index}>
                {one.players.length}: {one.players.map((seat) => beside(seatName(seat, names))).join(", ")}
              </option>
            ))}
          </select>
        </label>
      )}
      {seats.map((seat) => (
        <label key={seat} class="field">
          <span>
            <Sign seat={seat} paint={paintOf(seat)} order={order} /> {seatName(seat, names)}
          </span>
          <select
            name={seat}
            value={players[seat]}
            onChange={(event) => setWishes({ ...wishes, [seat]: event.currentTarget.value as Player })}
          >
            <option value="me">{t("player_me")}</option>
            <option value="robot">{t("robot")}</option>
            <option value="easy">{t("robot_easy")}</option>
            <option value="invited">{t("player_invited")}</option>
          </select>
        </label>
      ))}
      {rules.options.length > 0 && (
        <details>
          <summary>{t("options", { count: rules.options.length })}</summary>
          {rules.options.map((option) => (
            <OptionField
              key={option.name}
              option={option}
              rules={rules}
              value={options[option.name] ?? option.default}
              set={(value) => {
                const { [option.name]: _, ...others } = options;
                setOptions(value === option.default ? others : { ...others, [option.name]: value });
              }}
            />
          ))}
        </details>
      )}
      <Trouble trouble={wrong ?? trouble} />
      <button class="primary" disabled={busy}>
        {t("start")}
      </button>
    </form>
  );
}

interface OptionProps {
  option: Option;
  rules: RuleSet;
  value: OptionValue;
  set: (value: OptionValue) => void;
}

function OptionField({ option, rules, value, set }: OptionProps): JSX.Element {
  const word = (one: string): string => rules.texts[`options.${option.name}.${one}`] ?? one;
  return (
    <label class="field">
      <span>{option.text}</span>
      {option.one_of ? (
        <select value={String(value)} onChange={(event) => set(event.currentTarget.value)}>
          {option.one_of.map((one) => (
            <option key={one} value={one}>
              {word(one)}
            </option>
          ))}
        </select>
      ) : typeof option.default === "boolean" ? (
        <input type="checkbox" checked={value === true} onChange={(event) => set(event.currentTarget.checked)} />
      ) : (
        <input
          type="number"
          min={option.from ?? undefined}
          max={option.to ?? undefined}
          value={Number(value)}
          onChange={(event) => set(Number(event.currentTarget.value))}
        />
      )}
    </label>
  );
}
