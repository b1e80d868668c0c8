/** The browser of the tests: the Chromium that comes as a package, with nothing to download. */
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as engine } from 'playwright-core'
import { noteOpenPages } from './open_pages.ts'

/** A new window begins in a process of its own, and leaves it for another one with its first page: that takes longer than to show ten pages. */
const ONE_RENDERER = ['--renderer-process-limit=1', '--process-per-site', '--disable-site-isolation-trials']

/** Its sandbox needs rights that containers lack; the pages are our own. The package's further flags are for functions in a cloud: one process, no web security. */
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', ...ONE_RENDERER]

/** Starts a browser; end it with `close()`, which notes the windows that are still open. */
export async function startChromium(): Promise<Browser> {
  const browser = await engine.launch({ executablePath: await chromium.executablePath(), args: FLAGS, headless: true })
  const close = browser.close.bind(browser)
  browser.close = async options => {
    await noteOpenPages(browser)
    await close(options)
  }
  return browser
}
