/** How soon an open page shows what happens elsewhere. */
import type { Page } from 'playwright-core'
import type { Bench } from '../bench.ts'
import type { DurationCase } from '../durations.ts'
import { inBrowser, visit } from './visit.ts'

/** Long enough for the page to listen, in milliseconds. */
const LISTENING = 1_500

/** The most that is waited for, in milliseconds. */
const PATIENCE = 20_000

/** Waits until an expression is true in the page; by the debugger, since the policy of the pages lets no text be run. */
async function untilTrue(page: Page, expression: string): Promise<void> {
  const end = performance.now() + PATIENCE
  while (!(await page.evaluate(expression))) {
    if (performance.now() > end) throw new Error(`${expression} did not become true`)
    await page.waitForTimeout(10)
  }
}

/** A page that is looked at, and what happens elsewhere meanwhile. */
interface Followed {
  readonly pageOf: (bench: Bench) => Promise<{ readonly cookie: string; readonly path: string }>
  readonly change: (bench: Bench, round: number) => Promise<void>
  /** An expression in the page that is true once it shows the change. */
  readonly sign: (round: number) => string
}

/** How long after a change a page shows it that is open. */
export const followed = (name: string, most: number, { pageOf, change, sign }: Followed): DurationCase => ({
  name,
  unit: 'ms',
  promise: { most },
  async measure(bench) {
    const { cookie, path } = await pageOf(bench)
    const { url } = bench.ingot
    const target: number[] = []
    const follow = (round: number) => async (page: Page) => {
      await page.waitForTimeout(LISTENING)
      // An element that is replaced loses what it was given: then all was drawn again.
      await page.evaluate(`for (const part of document.querySelectorAll('[data-live] *')) part.isKept = true`)
      const began = performance.now()
      await change(bench, round)
      await untilTrue(page, sign(round))
      target.push(performance.now() - began)
      const kept = (await page.evaluate(
        `(all => all.filter(part => part.isKept).length / all.length)([...document.querySelectorAll('[data-live] *')])`,
      )) as number
      if (kept < 0.9) throw new Error(`${name}: only ${Math.round(kept * 100)} % of the elements were kept`)
    }
    await inBrowser(url, async browser => {
      for (let round = 0; round < bench.rounds; round++) await visit(browser, { url, cookie, path }, follow(round))
    })
    return { target, floor: [] }
  },
})
