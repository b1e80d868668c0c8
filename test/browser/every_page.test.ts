/**
 * What every page of the map is held to, in the world of the derived tests: it is there, without an error in its console, axe finds nothing, light and dark,
 * and nothing is wider than a narrow window.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atEnd } from '../at_end.ts'
import { copyOfWorld } from '../derived/made_once.ts'
import { startChromium } from './chromium.ts'
import { mapOf, type Shown, sessionsIn, type Viewer } from './gallery.ts'
import { type Visitor, visitor } from './visitor.ts'

// Some pages are there where the instance takes mail.
const world = await copyOfWorld(atEnd, { incomingMail: 'incoming+%{key}@example.com' })
const cookies = await sessionsIn(world)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = world.scene

/** Pages that are not visited with the others, and why. May only shrink. */
const elsewhere: Readonly<Record<string, string>> = {
  'GET /users/two_factor': 'it is there between a password and a second factor: two_factors.test.ts',
  'GET /-/sites/sign_in': 'it leads to a host of sites, of which this instance has none: sites.test.ts',
  'GET /:project_path/-/releases/permalink/latest/*suffix_path': 'it leads to a page of the latest release, which is visited itself',
  'GET /:project_path/-/jobs/artifacts/*ref_and_place': 'it leads to a download or a page of a job: latest_artifacts.test.ts',
  'GET /admin/session/new': 'administrators enter admin mode there: visited last, since all others would need it',
}

/** Answers that are put into a page, which is visited with them. */
const parts: readonly string[] = [
  'GET /-/diagram',
  'GET /-/mails/:mail_id/html',
  'GET /-/palette',
  'GET /:project_path/-/completions',
  'GET /:project_path/-/pipelines/:pipeline_id/graph',
  'GET /:project_path/-/settings/badges/preview',
  'GET /groups/:group_path/-/completions',
  'GET /groups/:group_path/-/settings/badges/preview',
]

/** How a page is looked at without loading it again: colours are other ones in the dark, and places in a narrow window. */
const dark = { colorScheme: 'dark', width: 1280, rules: ['color-contrast'] } as const
const narrow = { colorScheme: 'light', width: 360, rules: ['target-size', 'scrollable-region-focusable'] } as const

/** Windows that share the pages of a viewer. */
const WINDOWS = 2

const seen = { wrong: [] as string[], parts: [] as string[], pages: 0 }

/** A window of a viewer, signed in where they have an account. */
async function windowOf(viewer: Viewer): Promise<Visitor> {
  const window = await visitor(browser, url)
  const [name, value] = viewer === 'anonymous' ? [] : cookies[viewer].split('=')
  if (name !== undefined && value !== undefined) await window.page.context().addCookies([{ name, value, url }])
  return window
}

/** Looks at a page in all ways. */
async function look({ page, check }: Visitor, { title, address }: Pick<Shown, 'title' | 'address'>): Promise<void> {
  const answer = await page.goto(url + address)
  if (answer?.status() !== 200) seen.wrong.push(`${title}: ${address} answers ${answer?.status()}`)
  // A part of a page has no frame around it.
  if ((await page.locator('main#content').count()) === 0) {
    seen.parts.push(title)
    return
  }
  seen.pages++
  const finds = async (colorScheme: 'light' | 'dark', width: number, rules?: readonly string[]): Promise<boolean> => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    return check(rules).catch(error => {
      seen.wrong.push(`${title}, ${colorScheme}, ${width} px wide: ${error.message}`)
      return true
    })
  }
  const isNew = await finds('light', 1280)
  // What has no other elements in the light has none in the dark.
  if (isNew) await finds(dark.colorScheme, dark.width, dark.rules)
  await page.setViewportSize({ width: narrow.width, height: 800 })
  await finds(narrow.colorScheme, narrow.width, narrow.rules)
  await page.setViewportSize({ width: 1280, height: 800 })
}

const map = mapOf(world, 'private')

/** Pages of a test: a run reports something every few minutes, on a busy machine too. */
const AT_A_TIME = 60

for (const viewer of ['anonymous', 'owner', 'admin'] as const) {
  const all = map.filter(shown => shown.viewer === viewer && !(shown.title in elsewhere))
  for (let at = 0; at < all.length; at += AT_A_TIME)
    test(`every page of the map holds its promises: ${viewer}, from ${all[at]?.title}`, async () => {
      const left = all.slice(at, at + AT_A_TIME)
      const visitAll = async () => {
        const window = await windowOf(viewer)
        for (let shown = left.shift(); shown !== undefined; shown = left.shift()) await look(window, shown)
        await window.close()
      }
      await Promise.all(Array.from({ length: WINDOWS }, visitAll))
      assert.deepEqual(seen.wrong.splice(0), [], 'what is wrong with these pages')
    })
}

test('the page on which administrators enter admin mode holds its promises, and all others were visited', async () => {
  const window = await windowOf('admin')
  await world.scene.root.put('/application/settings', { admin_mode: true })
  await look(window, { title: 'GET /admin/session/new', address: '/admin/session/new' })
  await window.close()

  assert.deepEqual(seen.wrong, [], 'what is wrong with the page')
  assert.deepEqual(seen.parts.sort(), parts, 'answers without a frame around them')
  for (const title of Object.keys(elsewhere))
    assert.ok(
      map.some(shown => shown.title === title),
      `${title} is no page`,
    )
  assert.ok(seen.pages > 450, `there are ${seen.pages} pages`)
})
