/** A person in a real browser, and what every page is held to: no error in its console, nothing that axe finds, no scrolling sideways. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { eventually, patience } from '../eventually.ts'
import { noteFlawless, notFlawless } from './flawless.ts'
import { follow } from './open_pages.ts'
import { firstOf, KINDS, type Kinds } from './structure.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** They are as high as their lines, and a line is also named by its address: axe does not look at them. */
const LINE_NUMBERS = '.code .number, .log .number'

/** Rules about all of a page, which are judged by its landmarks and headings; the others are about elements. */
const OF_PAGES = [
  'accesskeys',
  'aria-hidden-body',
  'bypass',
  'document-title',
  'frame-title-unique',
  'heading-order',
  'html-has-lang',
  'html-lang-valid',
  'html-xml-lang-mismatch',
  'landmark-banner-is-top-level',
  'landmark-complementary-is-top-level',
  'landmark-contentinfo-is-top-level',
  'landmark-main-is-top-level',
  'landmark-no-duplicate-banner',
  'landmark-no-duplicate-contentinfo',
  'landmark-no-duplicate-main',
  'landmark-one-main',
  'landmark-unique',
  'meta-refresh',
  'meta-viewport',
  'meta-viewport-large',
  'page-has-heading-one',
  'region',
  'skip-link',
]

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What axe answers, as far as it is shown. */
interface Violation {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

export interface Visitor {
  readonly page: Page
  /** Goes to a path of the server and checks the page. */
  visit(path: string): Promise<void>
  /**
   * Checks the page that is shown. `rules`: what axe looks at this time.
   * @returns whether it had elements of kinds that axe had not looked at before
   */
  check(rules?: readonly string[]): Promise<boolean>
  close(): Promise<void>
}

/** Opens a window of the browser on the server at `url`. `rules`: what axe looks at; default: all of WCAG 2.2 AA and what is known to be good. */
export async function visitor(
  browser: Browser,
  url: string,
  { rules, ...options }: BrowserContextOptions & { readonly rules?: readonly string[] } = {},
): Promise<Visitor> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(patience)
  const page = await context.newPage()
  follow(page)
  const protocol = await context.newCDPSession(page)
  const errors: string[] = []
  page.on('pageerror', error => {
    // Turbo fetches what the pointer is over, and stops when it leaves.
    if (error.name !== 'AbortError' && !error.message.includes('aborted a request')) errors.push(error.message)
  })
  page.on('console', message => {
    // The browser logs every answer of 400 and more; those are asked for on purpose.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) errors.push(message.text())
  })
  const hasScripts = options.javaScriptEnabled !== false

  /** What is on the page, once Turbo has put the next one into its place. */
  const kindsShown = async (): Promise<Kinds> => {
    for (;;) {
      const shown = (await page.evaluate(KINDS)) as Kinds
      if (!shown.isBusy) return shown
      await page.waitForSelector('html:not([aria-busy])', { state: 'attached' })
    }
  }

  const check = async (looked = rules) => {
    const where = page.url().slice(url.length)
    assert.deepEqual(errors, [], `errors on ${where}`)
    if (!hasScripts) return false
    const { tooWide, kinds, outline } = await kindsShown()
    assert.ok(tooWide <= 0, `${where} is ${tooWide} px wider than the window`)
    const ofElements = notFlawless(String(looked), kinds)
    const ofPage = looked ? [] : notFlawless('outline', [outline])
    if (ofElements.length + ofPage.length === 0) return false
    // By the protocol itself: Playwright would wrap the half megabyte into a function that is parsed again for each page.
    if (await page.evaluate('typeof axe === "undefined"')) await protocol.send('Runtime.evaluate', { expression: axe })
    await showSkipped()
    const exclude = `exclude: [${JSON.stringify(LINE_NUMBERS)}]`
    const violations = [
      ...(ofPage.length > 0 ? await violationsIn(`{ ${exclude} }`, { runOnly: OF_PAGES }) : []),
      ...(ofElements.length > 0
        ? await violationsIn(`{ include: ${firstOf(ofElements, LINE_NUMBERS)}, ${exclude} }`, {
            runOnly: looked ?? STANDARDS,
            ...(looked === undefined && { rules: Object.fromEntries(OF_PAGES.map(rule => [rule, { enabled: false }])) }),
          })
        : []),
    ]
    await skipAgain()
    assert.deepEqual(
      violations.map(
        ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('; ')}`,
      ),
      [],
      `what axe finds on ${where}`,
    )
    noteFlawless(String(looked), ofElements)
    noteFlawless('outline', ofPage)
    return true
  }

  /** Shows what the browser has skipped because it is not seen: axe would find it in boxes of about the right size, and over each other. */
  const showSkipped = () =>
    page.evaluate(`{
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('* { content-visibility: visible !important }')
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    }`)
  const skipAgain = () => page.evaluate('{ document.adoptedStyleSheets = document.adoptedStyleSheets.slice(0, -1) }')

  /** Only violations, and without the selectors that lead to them: finding those of all that passes takes half of the time. */
  const violationsIn = async (context: string, options: object): Promise<readonly Violation[]> => {
    // Without `preload`: axe would put the style sheets of shadow roots into elements, which the policy of the pages refuses.
    const all = JSON.stringify({ ...options, preload: false, resultTypes: ['violations'], selectors: false })
    return ((await page.evaluate(`axe.run(${context}, ${all})`)) as { violations: readonly Violation[] }).violations
  }
  return {
    page,
    check,
    async visit(path) {
      await page.goto(url + path)
      await check()
    },
    close: () => context.close(),
  }
}

/** Signs in by the form. */
export async function signIn(
  { page }: Visitor,
  url: string,
  { username, password }: { username: string; password: string },
): Promise<void> {
  await page.goto(`${url}/users/sign_in`)
  await page.fill('[name=login]', username)
  await page.fill('[name=password]', password)
  await page.click('main form:has([name=password]) button')
  await page.waitForURL(`${url}/`)
}

/** Opens a window in which a person is signed in. What asks whether one is sure is answered yes. */
export async function signedIn(
  browser: Browser,
  url: string,
  options: BrowserContextOptions,
  account: { readonly username: string; readonly password: string },
): Promise<Visitor> {
  const window = await visitor(browser, url, options)
  window.page.on('dialog', dialog => void dialog.accept())
  await signIn(window, url, account)
  return window
}

/** The bytes of the file that is downloaded by what `press` presses. */
export async function downloaded(page: Page, press: () => Promise<void>): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()])
  return readFile(await download.path())
}

/** Waits until a page shows it: one without scripts is loaded again. */
export async function shows(
  page: Page,
  { hasScripts }: { readonly hasScripts: boolean },
  what: string,
  options: { readonly state?: 'detached' } = {},
): Promise<void> {
  if (hasScripts) await page.waitForSelector(what, options)
  else
    await eventually(async () => {
      await page.reload()
      return (await page.locator(what).count()) > 0 === (options.state === undefined)
    }, `${what} to be shown`)
}
