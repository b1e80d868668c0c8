/** The browser of the tests: the Chromium that comes as a package, with nothing to download. */
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as engine } from 'playwright-core'

/** Its sandbox needs rights that containers lack; the pages are our own. The package's further flags are for functions in a cloud: one process, no web security. */
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage']

/** Starts a browser; end it with `close()`. */
export async function startChromium(): Promise<Browser> {
  return engine.launch({ executablePath: await chromium.executablePath(), args: FLAGS, headless: true })
}
