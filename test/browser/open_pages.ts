/**
 * What a failed test has left on its screen. A test closes its windows at its end; those that are open when the browser ends were left by a failure, whose
 * reason is often no more than a time limit. What they show, and the requests that led there, is written for the end of the run (test/run.ts).
 */
import { appendFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'

/** Names the file of a run of tests that its processes write to. */
export const openPagesVariable = 'INGOT_OPEN_PAGES'

// biome-ignore lint/style/noProcessEnv: the way from run.ts to the processes of the tests
const file = process.env[openPagesVariable]

/** Requests that are kept of each page, and characters of what it shows. */
const REQUESTS = 12
const CHARACTERS = 1_200

/** Milliseconds after which a page is given up that does not answer. */
const SILENCE_MS = 5_000

const requestsOf = new WeakMap<Page, string[]>()

/** Runs in the browser. @returns what has the focus, and what is shown in the main part of the page */
const onScreen = `(() => {
  const { activeElement: focus, body } = document
  return 'focus: ' + (focus?.outerHTML ?? '').slice(0, 200) + '\\n' + (document.querySelector('main') ?? body).innerText.replace(/\\n+/g, '\\n')
})()`

/** Notes the requests of a page. */
export function follow(page: Page): void {
  const requests: string[] = []
  requestsOf.set(page, requests)
  const note = (line: string) => {
    requests.push(`${new Date().toISOString().slice(11, 23)} ${line}`)
    if (requests.length > REQUESTS) requests.shift()
  }
  const isOfPage = (address: string) => !address.includes('/-/assets/')
  page.on('request', request => isOfPage(request.url()) && note(`> ${request.method()} ${request.url()}`))
  page.on('response', response => isOfPage(response.url()) && note(`< ${response.status()} ${response.url()}`))
  page.on('requestfailed', request => isOfPage(request.url()) && note(`! ${request.url()} ${request.failure()?.errorText}`))
}

/** Writes what the windows of a browser show that are still open. */
export async function noteOpenPages(browser: Browser): Promise<void> {
  for (const page of browser.contexts().flatMap(context => context.pages())) {
    // A page between two others cannot be asked: its address and requests are known all the same.
    const silence = delay(SILENCE_MS, 'The page does not answer.', { ref: false })
    const shown = await Promise.race([page.evaluate(onScreen), silence]).catch(error => String(error))
    const text = [page.url(), ...(requestsOf.get(page) ?? []), String(shown).slice(0, CHARACTERS)].join('\n')
    if (file === undefined) process.stdout.write(`A window is open at the end:\n${text}\n`)
    else appendFileSync(file, `${text}\n\n`)
  }
}
