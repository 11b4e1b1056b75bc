// Steps that several tests of the rule lab take.

/** A variant without mistakes. */
export const VARIANT = "rules: my-lane\nversion: 1.0.0\ntitle: My lane\nextends: pagade\nsources: [House rules]\n";

/** Replaces the text of the editor that is shown, as by pasting. */
export async function write(page, text) {
  const editor = page.locator(".cm-content");
  await editor.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Backspace");
  await editor.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

export const isPlayable = (page, truth = true) => page.locator(`[data-playable=${truth}]`).waitFor();

export const tab = (page, name) => page.locator(`#tab-${name}`).click();

/** Opens the lab with this rule text. */
export async function lab(world, text, how = {}) {
  const page = await world.open("/lab", how);
  await isPlayable(page);
  await write(page, text);
  const title = /^title: (.*)$/m.exec(text)?.[1];
  if (title) await page.locator("[data-playable=true]", { hasText: title }).waitFor();
  return page;
}
