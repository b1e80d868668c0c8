/**
 * `npm run pages:shots`: pictures of every page of the map, light and dark at 1280 px, light at 390 px, in forced colours and as it is printed, in
 * `.cache/shots`, with an index.html to look at them. `npm run pages:shots -- branches blame` takes those whose title or address has one of the
 * words. Says which pages are wider than the window and which have errors in their console.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { html } from '../../src/platform/pages/html.ts'
import { Ending } from '../at_end.ts'
import { folderVariable, serverVariable, startTestServer } from '../database.ts'
import { copyOfWorld } from '../derived/made_once.ts'
import { startChromium } from './chromium.ts'
import { furnishGallery, mapOf, type Shown, sessionsIn, type Viewer } from './gallery.ts'

const folder = resolve(import.meta.dirname, '../../.cache/shots')

const usual = { width: 1280, colorScheme: 'light', forcedColors: 'none', media: 'screen' } as const

/** A sheet of paper is about as wide as the last one. */
const looks = [
  { ...usual, name: 'light' },
  { ...usual, name: 'dark', colorScheme: 'dark' },
  { ...usual, name: 'narrow', width: 390 },
  { ...usual, name: 'forced', colorScheme: 'dark', forcedColors: 'active' },
  { ...usual, name: 'print', width: 720, media: 'print' },
] as const

/** What is below has been seen often enough. In px. */
const HIGHEST = 3_000

/** A page of which there are pictures. */
interface Shot extends Shown {
  /** What the names of its pictures begin with. */
  readonly name: string
  readonly complaints: readonly string[]
}

/** Undefined: it is no page of its own. */
async function shoot(page: Page, url: string, shown: Shown, name: string): Promise<Shot | undefined> {
  const complaints: string[] = []
  const onError = (error: Error) => complaints.push(error.message)
  page.on('pageerror', onError)
  try {
    await page.setViewportSize({ width: looks[0].width, height: 800 })
    const answer = await page.goto(url + shown.address).catch(error => {
      // An address that leads to a file is no page.
      if (/Download is starting/.test(String(error))) return undefined
      throw error
    })
    if (!answer) return undefined
    // A part of a page has no frame around it.
    if ((await page.locator('main#content').count()) === 0) return undefined
    await page.waitForLoadState('networkidle')
    if (answer.status() >= 500) complaints.push(`answered ${answer.status()}`)
    for (const look of looks) {
      await page.setViewportSize({ width: look.width, height: 800 })
      const { colorScheme, forcedColors, media } = look
      await page.emulateMedia({ colorScheme, forcedColors, media })
      const [wide, height] = (await page.evaluate(
        '[document.documentElement.scrollWidth - document.documentElement.clientWidth, document.documentElement.scrollHeight]',
      )) as [number, number]
      if (wide > 0) complaints.push(`${look.name}: ${wide} px wider than the window`)
      const path = join(folder, `${name}.${look.name}.png`)
      const clip = { x: 0, y: 0, width: look.width, height: Math.min(height, HIGHEST) }
      await page.screenshot({ path, fullPage: true, clip, animations: 'disabled' })
    }
    return { ...shown, name, complaints }
  } finally {
    page.off('pageerror', onError)
  }
}

/** A window for each viewer, signed in where they have an account. */
async function windowsFor(browser: Browser, url: string, cookies: Readonly<Record<string, string>>): Promise<Record<Viewer, Page>> {
  const windowOf = async (viewer: Viewer) => {
    const context = await browser.newContext()
    const [name, value] = cookies[viewer]?.split('=') ?? []
    if (name !== undefined && value !== undefined) await context.addCookies([{ name, value, url }])
    return context.newPage()
  }
  return { owner: await windowOf('owner'), admin: await windowOf('admin'), anonymous: await windowOf('anonymous') }
}

const index = (shots: readonly Shot[]) => html`<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Pages of Ingot</title>
<style>
body { font: 14px sans-serif; margin: 2rem; background: #ddd }
section div { display: flex; gap: 1rem; align-items: flex-start }
img { border: 1px solid #888; max-width: 100% }
div a { flex: 1 }
strong { color: #b00 }
</style>
<h1>${shots.length} pages</h1>
${shots.map(
  ({ name, title, address, viewer, complaints }) => html`<section id="${name}">
<h2>${title}</h2><p>${address}, by ${viewer} ${complaints.map(complaint => html`<strong>${complaint}</strong> `)}</p>
<div>${looks.map(look => html`<a href="${name}.${look.name}.png"><img src="${name}.${look.name}.png" alt="${look.name}" loading="lazy"></a>`)}</div></section>
`,
)}</html>
`

async function main(words: readonly string[], ending: Ending): Promise<void> {
  const server = await startTestServer()
  ending.add(server.stop)
  // biome-ignore lint/style/noProcessEnv: the way by which scenes find the run's server
  Object.assign(process.env, { [serverVariable]: server.url, [folderVariable]: server.folder })
  // Some pages are there where the instance takes mail.
  const world = await copyOfWorld(ending.add, { incomingMail: 'incoming+%{key}@example.com' })
  const cookies = await sessionsIn(world)
  const all = [...mapOf(world, 'private'), ...(await furnishGallery(world))]
  const wanted = all.filter(({ title, address }) => words.length === 0 || words.some(word => `${title} ${address}`.includes(word)))
  const browser = await startChromium()
  ending.add(() => browser.close())
  const windows = await windowsFor(browser, world.scene.url, cookies)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const shots: Shot[] = []
  for (const [number, shown] of wanted.entries()) {
    const name = `${String(number + 1).padStart(3, '0')}${shown.title.replace(/\W+/g, '-').replace(/-$/, '')}`
    const shot = await shoot(windows[shown.viewer], world.scene.url, shown, name)
    if (!shot) continue
    shots.push(shot)
    for (const complaint of shot.complaints) process.stdout.write(`${shot.title} (${shot.address}): ${complaint}\n`)
  }
  await writeFile(join(folder, 'index.html'), index(shots).text)
  process.stdout.write(`${shots.length} pages: ${join(folder, 'index.html')}\n`)
}

const ending = new Ending()
try {
  await main(process.argv.slice(2), ending)
} finally {
  await ending.run()
}
