/** The browser of the tests: the Chromium that comes as a package, with nothing to download. */
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as engine } from 'playwright-core'

/** Starts a browser; end it with `close()`. */
export async function startChromium(): Promise<Browser> {
  return engine.launch({ executablePath: await chromium.executablePath(), args: chromium.args, headless: true })
}
