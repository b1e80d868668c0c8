/** Addresses that make things of mails, in a real browser: of issues, of merge requests, and of a service desk with its settings. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { atEnd } from '../at_end.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { waysIn } from './hands.ts'
import { signedIn } from './visitor.ts'

const scene = await openScene({ settings: { incomingMail: 'incoming+%{key}@example.com' } })
const { surfer } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

const link = (page: Page, name: string) => page.getByRole('link', { name }).first()
const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })
const address = async (page: Page) => (await page.getByRole('main').locator('code.break').first().textContent()) ?? ''

/** A member of a project with a commit, in a window of theirs. */
async function member(access_level: number, options: { javaScriptEnabled?: boolean }) {
  const { person } = await surfer()
  const { project } = await scene.project({ visibility: 'private' })
  await scene.root.post(`${project.url}/members`, { user_id: person.id, access_level })
  await scene.commit(project, { '.gitlab/issue_templates/Request.md': '/label ~support\n' })
  const window = await signedIn(browser, url, options, { username: person.username, password })
  return { project, window, page: window.page, base: `/${project.full_path}/-` }
}

for (const [way, options, hands] of waysIn(import.meta.url)) {
  for (const [list, kind, noun] of [
    ['issues', 'issue', 'New issue by mail'],
    ['merge_requests', 'merge-request', 'New merge request by mail'],
  ] as const)
    test(`a developer, ${way}, finds the address of ${noun}, and replaces it`, async () => {
      const { window, page, base } = await member(30, options)
      const by = hands(page)
      const shown = async () => {
        await window.visit(`${base}/${list}`)
        await by.press(page.locator('summary[aria-label="More"]'))
        await by.press(link(page, noun))
        await page.getByRole('heading', { name: noun }).waitFor()
        await window.check()
        return address(page)
      }
      const before = await shown()
      assert.match(before, new RegExp(`^incoming\\+.+-${kind}@example\\.com$`))
      await by.press(link(page, 'replace it'))
      await page.getByRole('heading', { name: 'Incoming email token' }).waitFor()
      const token = (await address(page)) || 'none'
      assert.ok(before.includes(token))
      await by.press(button(page, 'Replace the token'))
      await page.waitForSelector('text=The incoming email token was replaced.')
      await window.check()
      assert.equal((await shown()).includes(token), false)
      await window.close()
    })

  test(`a maintainer, ${way}, sets up a service desk, and mends the end of its address`, async () => {
    const { project, window, page, base } = await member(40, options)
    const by = hands(page)
    await window.visit(`${base}/settings/service_desk`)
    const on = page.getByLabel('People without an account make issues by mail')
    if (!(await on.isChecked())) await by.tick(on)
    await by.write(page.getByLabel('Name of the sender'), 'Support of the lamp')
    await by.write(page.getByLabel('End of the address'), 'No spaces')
    await by.choose(page.getByLabel('Template of new issues'), 'Request')
    await by.press(button(page, 'Save changes'))
    await page.locator('[name=project_key][aria-invalid=true]').waitFor()
    assert.equal(await page.getByLabel('Name of the sender').inputValue(), 'Support of the lamp')
    await window.check()
    await by.write(page.getByLabel('End of the address'), 'support')
    await by.press(button(page, 'Save changes'))
    await page.getByText('Saved: Service desk.').waitFor()
    await window.check()
    assert.match(await address(page), /^incoming\+.+-support@example\.com$/)
    const { body } = await scene.root.get(`${project.url}/service_desk`)
    assert.deepEqual([body.outgoing_name, body.issue_template_key], ['Support of the lamp', 'Request'])
    await window.close()
  })
}
