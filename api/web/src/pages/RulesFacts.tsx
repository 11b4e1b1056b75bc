// The facts of a rule set for people: path, dice, tables, choices before the game.
import type { JSX } from "preact";
import type { Layout, Option, OptionValue, RuleSet } from "../api/types";
import { beside, t } from "../i18n";
import { placeName, seatName } from "../play/words";

interface Props {
  rules: RuleSet;
  layout: Layout;
}

export function RulesFacts({ rules, layout }: Props): JSX.Element {
  const names = { rules, layout };
  const teamText = (team: string[]): string =>
    t("team_of", { seats: team.map((one) => beside(seatName(one, names))).join(" + ") });
  const places = layout.seats[0]?.places ?? [];
  const walked = places.filter((place) => place.square).length;
  return (
    <section class="rules-facts">
      {walked > 0 && <p>{t("rules_way", { places: walked, to: placeName(layout.home, names) })}</p>}
      <h2>{t("rules_dice")}</h2>
      <DiceFacts layout={layout} />
      <h2>{t("rules_tables")}</h2>
      <ul>
        {layout.tables.map((table) => (
          <li key={table.players.join()}>
            {table.players.length}: {table.players.map((seat) => beside(seatName(seat, names))).join(", ")}
            {table.teams.length > 0 && ` (${table.teams.map(teamText).join("; ")})`}
          </li>
        ))}
      </ul>
      {rules.options.length > 0 && (
        <details>
          <summary>{t("rules_options")}</summary>
          <dl>
            {rules.options.map((option) => (
              <div key={option.name}>
                <dt>{option.text || option.name}</dt>
                <dd>{valuesOf(option, rules)}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </section>
  );
}

function DiceFacts({ layout: { dice } }: { layout: Layout }): JSX.Element {
  if (dice.kind === "faces") {
    return <p>{t(dice.count === 1 ? "face_of" : "faces_of", { count: dice.count, faces: dice.faces.join(", ") })}</p>;
  }
  return (
    <>
      <p>{t("lots_of", { count: dice.count })}</p>
      <table class="lots">
        <tbody>
          <tr>
            <th scope="row">{t("lots_up")}</th>
            {dice.values.map((_, up) => (
              <td key={up}>{up}</td>
            ))}
          </tr>
          <tr>
            <th scope="row">{t("lots_worth")}</th>
            {dice.values.map((value, up) => (
              <td key={up}>{value}</td>
            ))}
          </tr>
        </tbody>
      </table>
    </>
  );
}

/** The values that an option can have, the usual one first. */
function valuesOf(option: Option, rules: RuleSet): string {
  const word = (value: OptionValue): string =>
    rules.texts[`options.${option.name}.${value}`] ??
    (typeof value === "boolean" ? t(value ? "yes" : "no") : String(value));
  const usual = t("usually", { value: word(option.default) });
  if (option.one_of) {
    const others = option.one_of.filter((one) => one !== option.default).map(word);
    return [usual, ...others].join(" · ");
  }
  if (typeof option.default === "boolean") return [usual, word(!option.default)].join(" · ");
  return [usual, t("range_of", { from: option.from ?? "", to: option.to ?? "" })].join(" · ");
}
