/** How a person works a page: with a mouse, or by keyboard alone. Journeys are written once and done by both. */
import assert from 'node:assert/strict'
import { basename } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { isWhole } from '../depth.ts'

export interface Hands {
  /** Goes to something: by keyboard the focus is on it then, with a mouse the pointer is over it. */
  reach(what: Locator): Promise<void>
  /** Follows a link or presses a button. */
  press(what: Locator): Promise<void>
  /** Writes into a field. */
  write(field: Locator, text: string): Promise<void>
  /** Ticks a box. */
  tick(box: Locator): Promise<void>
  /** Chooses what is called so from a list. */
  choose(select: Locator, label: string): Promise<void>
  /** Chooses one of a group of buttons of which one is on. */
  pick(button: Locator): Promise<void>
}

/** Runs in the browser. Ends when it has drawn two frames: what a new page moves the focus to, it does with the first ones. */
const TWO_FRAMES = 'new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(() => drawn(null))))'

/**
 * Waits for the page that is on its way: people do not act on one that is about to go, nor before it is drawn. Turbo marks the document while it fetches
 * the next one, and a form until it is answered.
 */
async function settled(what: Locator): Promise<Locator> {
  const page = what.page()
  await page.waitForSelector('html:not([aria-busy]):not(:has(form[aria-busy]))', { state: 'attached' })
  // A page that goes meanwhile is waited for by what acts next.
  await page.evaluate(TWO_FRAMES).catch(() => {})
  return what
}

/** Without scripts there is nothing to wait for. */
const asItIs = async (what: Locator): Promise<Locator> => what

/** With a mouse. */
export const mouse = (_page?: Page, ready = settled): Hands => ({
  reach: async what => (await ready(what)).hover(),
  press: async what => (await ready(what)).click(),
  write: async (field, text) => (await ready(field)).fill(text),
  tick: async box => (await ready(box)).check(),
  choose: async (select, label) => void (await (await ready(select)).selectOption({ label })),
  pick: async button => (await ready(button)).check(),
})

/** Runs in the browser. @returns whether to press it asks the server for another page */
const asksForPage = (element: {
  closest(selector: string): { readonly hash: string; readonly href: unknown } | null
  readonly form?: { readonly method: string; readonly noValidate: boolean; checkValidity(): boolean } | null
  readonly type?: string
  readonly formNoValidate?: boolean
  readonly ownerDocument: { readonly URL: string }
}): boolean => {
  const link = element.closest('a[href]')
  // The address of a link in a drawing is no text; those of graphs lead to pages.
  if (link !== null && typeof link.href !== 'string') return true
  if (link !== null) return link.hash === '' || String(link.href).split('#')[0] !== element.ownerDocument.URL.split('#')[0]
  const { form, type } = element
  if (!form || type !== 'submit' || form.method === 'dialog') return false
  return form.noValidate || element.formNoValidate === true || form.checkValidity()
}

/**
 * With a mouse where no script runs. What is pressed leads to another page then, and a test that goes on before it is there meets a browser between two
 * pages: a reload fails (`Not attached to an active page`), and another address takes the place of the first.
 */
export function mouseWithoutScripts(page: Page): Hands {
  const hands = mouse(page, asItIs)
  return {
    ...hands,
    async press(what) {
      if (!(await what.evaluate(asksForPage))) return what.click()
      // Playwright would rather have its users wait for an address; here it is the server that knows it, and it may be the same.
      const download = page.waitForEvent('download')
      const navigation = page.waitForNavigation().catch(error => {
        // So ends the navigation to what is saved.
        if (!String(error).includes('net::ERR_ABORTED')) throw error
        return download
      })
      const answered = Promise.race([navigation, download, page.waitForEvent('popup')])
      await Promise.all([answered, what.click()])
    },
  }
}

/** Runs in the browser. @returns null of an element that has left the page */
const hasFocus = (element: {
  readonly isConnected: boolean
  readonly ownerDocument: { readonly activeElement: unknown }
}): boolean | null => (element.isConnected ? element === element.ownerDocument.activeElement : null)

/** Steps of Tab that a page has at most. */
const MOST_STEPS = 200

/** By keyboard alone: Tab leads to everything. */
export function keyboard(page: Page): Hands {
  async function reach(what: Locator): Promise<void> {
    await (await settled(what)).waitFor()
    // Found once: to find it by role and name again at each step takes longer than the step.
    let element = await what.elementHandle()
    for (let step = 0; step < MOST_STEPS; step++) {
      let reached = await element?.evaluate(hasFocus)
      if (reached === null) {
        element = await what.elementHandle()
        reached = await element?.evaluate(hasFocus)
      }
      if (reached === true) return
      await page.keyboard.press('Tab')
    }
    assert.fail(`Tab does not lead to ${what}`)
  }
  return {
    reach,
    async press(what) {
      await reach(what)
      await page.keyboard.press('Enter')
    },
    async write(field, text) {
      await reach(field)
      await page.keyboard.press('Control+a')
      await page.keyboard.insertText(text)
    },
    async tick(box) {
      await reach(box)
      if (!(await box.isChecked())) await page.keyboard.press('Space')
    },
    async choose(select, label) {
      await reach(select)
      await page.keyboard.type(label)
    },
    async pick(button) {
      const name = await button.getAttribute('name')
      const group = page.locator(`input[type=radio][name="${name}"]`)
      // Tab leads to the one that is on, and arrows to the others.
      await reach(group.and(page.locator(':checked')))
      for (let step = 0; step < (await group.count()) && !(await button.isChecked()); step++) await page.keyboard.press('ArrowDown')
      assert.ok(await button.isChecked(), `the arrows do not lead to ${button}`)
    },
  }
}

/** A way of working a page: its name, how the browser's window is opened, and the hands. */
export type Way = readonly [name: string, options: { readonly javaScriptEnabled?: boolean }, hands: (page: Page) => Hands]

/** The three ways in which people work a page. */
const ways: readonly Way[] = [
  ['with a mouse', {}, mouse],
  ['by keyboard alone', {}, keyboard],
  ['without scripts', { javaScriptEnabled: false }, mouseWithoutScripts],
]

/**
 * The ways in which the journeys of a file are done: each of the three in a whole run (depth.ts). In an ordinary one they are done by keyboard, and in
 * every second file without scripts too, with a mouse there. What a form does without scripts is also tried without a browser, beside each page.
 * @param file the URL of the test file
 */
export function waysIn(file: string): readonly Way[] {
  if (isWhole) return ways
  const sum = [...basename(file)].reduce((total, letter) => total + letter.charCodeAt(0), 0)
  return sum % 2 === 0 ? ways.slice(1) : ways.slice(1, 2)
}
