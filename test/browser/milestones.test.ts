/** Planning a version in a real browser: a milestone whose chart follows its issues, and the release; with a mouse, by keyboard alone, without scripts. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { atEnd } from '../at_end.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { waysIn } from './hands.ts'
import { signedIn } from './visitor.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

const link = (page: Page, name: string | RegExp) => page.getByRole('main').getByRole('link', { name }).first()
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' }).first()
const field = (page: Page, label: string) => page.getByLabel(new RegExp(`^${label}`)).first()

const dayFromNow = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** A developer of a project of a group, with a commit and issues, in a window of theirs. */
async function developer(options: { javaScriptEnabled?: boolean } = {}) {
  const { person } = await surfer()
  const { group } = await scene.group({ visibility: 'private' })
  const { project } = await scene.project({ group, visibility: 'private' })
  await scene.root.post(`${project.url}/members`, { user_id: person.id, access_level: 30 })
  await scene.commit(project, { 'README.md': 'Lanterns.\n' })
  for (const title of ['Light the hall', 'Light the cellar']) await scene.root.post(`${project.url}/issues`, { title })
  const window = await signedIn(browser, url, options, { username: person.username, password })
  return { project, window, page: window.page, base: `/${project.full_path}/-` }
}

for (const [way, options, hands] of waysIn(import.meta.url))
  describe(`a developer, ${way}`, () => {
    test('makes a milestone, plans issues into it, watches its chart, closes it, and releases it', async () => {
      const { project, window, page, base } = await developer(options)
      const by = hands(page)
      const hasScripts = options.javaScriptEnabled !== false
      await window.visit(`${base}/milestones`)
      await by.press(link(page, 'New milestone'))
      await page.waitForURL(/\/milestones\/new$/)
      await window.check()
      await by.write(field(page, 'Title'), 'v1.0')
      // A field for dates is typed part by part, as the browser's language has it.
      await page.locator('[name=start_date]').fill(dayFromNow(-3))
      await page.locator('[name=due_date]').fill(dayFromNow(4))
      await by.press(button(page, 'Create milestone'))
      await page.waitForURL(/\/milestones\/1$/)
      await page.waitForSelector('#burndown >> text=Nothing to show yet')
      await window.check()

      // What others plan into it shows itself where scripts run.
      const { body: milestone } = await scene.root.get(`${project.url}/milestones?iids=1`)
      for (const iid of [1, 2]) await scene.root.put(`${project.url}/issues/${iid}`, { milestone_id: milestone[0].id })
      await scene.root.put(`${project.url}/issues/2`, { state_event: 'close' })
      if (!hasScripts) await page.reload()
      await page.waitForSelector('#milestone-side >> text=1 of 2 issues closed')
      await page.waitForSelector('section[aria-label=Completed] >> text=Light the cellar')
      await by.press(page.locator('#burndown summary'))
      await page.waitForSelector('#burndown-table >> text=Remaining issues')
      await window.check()
      const last = await page.locator('#burndown-table tr:has(td:first-of-type:text-is("1"))').count()
      assert.ok(last > 0, 'the table says that one issue remains')
      await by.press(link(page, 'Weight'))
      await page.waitForURL(/by=weight$/)
      await page.goBack()

      await by.press(button(page, 'Close milestone'))
      await page.waitForSelector('#milestone-head >> text=Closed')
      await page.waitForSelector('text=The milestone was changed.')

      await window.visit(`${base}/releases`)
      await by.press(link(page, 'New release'))
      await page.waitForURL(/\/releases\/new$/)
      await window.check()
      await by.write(field(page, 'Tag'), 'v1.0')
      await by.tick(page.getByLabel('v1.0'))
      await by.write(field(page, 'Links to files'), 'Handbook https://example.com/handbook.pdf')
      await by.press(button(page, 'Draft the notes'))
      await page.waitForURL(/\/releases\/draft$/)
      assert.match(await page.locator('textarea[name=description]').inputValue(), /Closed in v1\.0\n\n- Light the cellar \(#2\)/)
      assert.equal(await page.locator('[name=tag_name]').inputValue(), 'v1.0')
      await window.check()
      await by.press(button(page, 'Create release'))
      await page.waitForURL(/\/releases\/v1\.0$/)
      await page.waitForSelector('h1:has-text("v1.0")')
      await page.waitForSelector('.markdown-body >> text=Light the cellar')
      await window.check()
      const { body: release } = await scene.root.get(`${project.url}/releases/v1.0`)
      assert.deepEqual(
        [release.milestones[0].title, release.milestones[0].state, release.assets.links[0].name],
        ['v1.0', 'closed', 'Handbook'],
      )
      await window.close()
    })
  })
