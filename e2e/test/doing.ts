import type { Locator, Page } from 'playwright-core'

/** Does what opens the system's file dialog and chooses there. */
export async function pick(page: Page, open: () => Promise<void>, paths: string): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), open()])
  await chooser.setFiles(paths)
}

/** Chooses files as a user does whom the page has greeted: by the button and the system's dialog. */
export async function choose(page: Page, button: string, paths: string): Promise<void> {
  await page.getByRole('button', { name: /^Your account, / }).waitFor()
  await pick(page, () => page.getByRole('button', { name: button }).first().click(), paths)
}

/** Drops files on the box that has the button. */
export async function drop(page: Page, names: readonly string[]): Promise<void> {
  const transfer = await page.evaluateHandle((all) => {
    const data = new DataTransfer()
    for (const name of all) data.items.add(new File(['not much'], name))
    return data
  }, names)
  await page.locator('.drop-box').first().dispatchEvent('drop', { dataTransfer: transfer })
}

/** Waits for a toast that says so. */
export async function toast(page: Page, text: string): Promise<void> {
  await page.locator('.Toastify__toast').getByText(text).first().waitFor()
}

/** The dialog that is open. */
export function dialog(page: Page) {
  return page.getByRole('dialog')
}

/** Opens the menu behind the visitor's initials and takes an entry. */
export async function takeFromMenu(page: Page, entry: string): Promise<void> {
  await page.getByRole('button', { name: /^Your account, / }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

/** Control elements are at most this many steps of the Tab key away. */
const MOST_STEPS = 60

/** Goes on with the Tab key until the control has the focus. */
export async function tabUntil(page: Page, target: Locator): Promise<void> {
  for (let step = 0; step < MOST_STEPS; step++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`the Tab key does not reach ${target}`)
}

/** Goes on with the Tab key until the first control of that name has the focus. */
export function tabTo(page: Page, role: 'button' | 'link' | 'checkbox', name: string): Promise<void> {
  return tabUntil(page, page.getByRole(role, { name }).first())
}
