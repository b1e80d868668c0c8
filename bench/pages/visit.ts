/** Visits of pages in the Chromium of the tests, by a browser that has nothing of them yet. */
import type { Browser, Page } from 'playwright-core'
import { startChromium } from '../../test/browser/chromium.ts'

/** What a visit came to, in milliseconds from the beginning of the navigation. */
export interface Visit {
  /** Largest contentful paint. */
  readonly paint: number
  /** Cumulative layout shift, as browsers count it. */
  readonly shift: number
  /** The longest task of the page's thread; 0 where none took over 50 ms. */
  readonly longestTask: number
}

/** Notes what the browser observes, from the beginning. */
const observer = `
  window.observed = { paint: 0, shift: 0, longestTask: 0 }
  const observe = (type, note) => new PerformanceObserver(list => list.getEntries().forEach(note)).observe({ type, buffered: true })
  observe('largest-contentful-paint', ({ startTime }) => { observed.paint = startTime })
  observe('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) observed.shift += value })
  observe('longtask', ({ duration }) => { observed.longestTask = Math.max(observed.longestTask, duration) })
`

/** Long enough for what comes after the page is there. In milliseconds. */
const SETTLED = 300

/** Runs `work` in a browser of its own, which is warm: its first page took longer than others. */
export async function inBrowser<T>(url: string, work: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await startChromium()
  try {
    const page = await browser.newPage()
    await page.goto(url)
    await page.close()
    return await work(browser)
  } finally {
    await browser.close()
  }
}

/** Visits a page with an empty cache; `afterwards` is done before the numbers are read. */
export async function visit(
  browser: Browser,
  { url, cookie, path }: { readonly url: string; readonly cookie: string; readonly path: string },
  afterwards: (page: Page) => Promise<void> = async () => {},
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url }])
    const page = await context.newPage()
    await page.addInitScript(observer)
    const answer = await page.goto(url + path)
    if (answer?.status() !== 200) throw new Error(`${path} was answered ${answer?.status()}`)
    await page.waitForLoadState('load')
    await page.waitForTimeout(SETTLED)
    await afterwards(page)
    return (await page.evaluate('observed')) as Visit
  } finally {
    await context.close()
  }
}
