// Tests of the rule lab in other languages, and on small and large screens.
import { join } from "node:path";
import { isPlayable, lab, tab, VARIANT, write } from "./lab_steps.mjs";
import { accessible, DESKTOP, PHONE } from "./steps.mjs";

export async function the_lab_speaks_other_languages(world) {
  for (const [lang, word] of [
    ["kn-IN", "ಸನ್ನಿವೇಶಗಳು"],
    ["gu-IN", "દૃષ્ટાંત"],
    ["hi-IN", "उदाहरण"],
    ["es-ES", "Escenarios"],
    ["pt-BR", "Cenários"],
  ]) {
    const page = await world.open("/lab", { lang, width: PHONE });
    await isPlayable(page);
    await page.locator("#tab-scenarios", { hasText: word }).waitFor();
    await tab(page, "simulate");
    await page.locator("select[name=games]").selectOption("100");
    await page.locator(".simulate .primary").tap();
    await page.locator("[data-ended=true]").waitFor();
    await accessible(page, world, `lab ${lang}`);
  }
}

/** Writes pictures of the lab to target/web, for people to look at. */
export async function the_lab_is_drawn_on_small_and_large_screens(world) {
  for (const scheme of ["light", "dark"]) {
    for (const width of [PHONE, DESKTOP]) {
      const page = await lab(world, `${VARIANT}dice: {count: 3}\n`, { width, scheme });
      await isPlayable(page);
      const picture = (name) =>
        page.screenshot({ path: join(world.output, `lab-${name}-${width}-${scheme}.png`), fullPage: true });
      await accessible(page, world, `lab ${scheme} ${width}`);
      await picture("play");
      await tab(page, "simulate");
      await page.locator("select[name=robot]").selectOption("random");
      await page.locator(".simulate .primary").click();
      await page.locator("[data-ended=true]").waitFor();
      await accessible(page, world, `lab simulate ${scheme} ${width}`);
      await picture("simulate");
      await tab(page, "compare");
      await page.locator(".differences li").first().waitFor();
      await accessible(page, world, `lab compare ${scheme} ${width}`);
      await tab(page, "scenarios");
      await write(
        page,
        "ruleset: my-lane\nscenarios:\n  - {name: three dice are thrown, script: [{throw: 3+4+1}]}\n" +
          "  - name: yellow begins\n    script:\n      - turn: yellow\n" +
          "  - {name: nobody has finished, script: [{ranking: []}]}\n",
      );
      await page.locator(".results .error").first().waitFor();
      await accessible(page, world, `lab scenarios ${scheme} ${width}`);
      await picture("compare-scenarios");
    }
  }
}
