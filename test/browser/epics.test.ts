/** What people plan in groups, in a real browser: labels and epics, with a mouse, by keyboard alone, without scripts; and two of them together. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { atEnd } from '../at_end.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { waysIn } from './hands.ts'
import { signedIn, signIn, visitor } from './visitor.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name, exact: typeof name === 'string' }).first()
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' }).first()
const field = (page: Page, label: string) => page.getByLabel(new RegExp(`^${label}`)).first()

/** A reporter of a private group with a project that has two issues, and a window of theirs. */
async function planner(options: { javaScriptEnabled?: boolean } = {}) {
  const { person } = await surfer()
  const { group } = await scene.group({ visibility: 'private' })
  const { project } = await scene.project({ group, visibility: 'private', path: 'crane' })
  await scene.root.post(`${group.url}/members`, { user_id: person.id, access_level: 20 })
  for (const title of ['Weld the rails', 'Test the load']) await scene.root.post(`${project.url}/issues`, { title })
  const window = await signedIn(browser, url, options, { username: person.username, password })
  return { person, group, project, window, page: window.page, base: `/groups/${group.full_path}/-` }
}

for (const [way, options, hands] of waysIn(import.meta.url))
  describe(`a planner, ${way}`, () => {
    test('makes a label and an epic, puts issues and another epic into it, and discusses it', async () => {
      const { group, window, page, base } = await planner(options)
      const by = hands(page)
      const isPlain = options.javaScriptEnabled === false
      await window.visit(`${base}/labels`)
      await by.press(link(page, 'New label'))
      await page.waitForURL(/\/labels\/new$/)
      await window.check()
      await by.write(field(page, 'Name'), 'harbour')
      await by.pick(page.getByLabel('Violet'))
      await by.press(button(page, 'Create label'))
      await page.waitForSelector('.list .chip.label:has-text("harbour")')
      await window.check()

      await page.goto(`${url}${base}/epics`)
      await window.check()
      await by.press(link(page, 'New epic'))
      await page.waitForURL(/\/epics\/new$/)
      await window.check()
      await by.write(field(page, 'Title'), 'Raise the crane')
      await by.write(page.locator('textarea[name=description]'), 'It is ~harbour work.')
      await by.tick(page.getByLabel('harbour'))
      await by.press(button(page, 'Open epic'))
      await page.waitForURL(/\/epics\/1$/)
      await page.waitForSelector('#epic-side .chip.label:has-text("harbour")')
      await window.check()

      // Each part is added on a page; with a script its form stands in a menu.
      const add = async (address: string, face: string) => {
        if (isPlain) await page.goto(`${url}${base}/epics/1/${address}`)
        else await by.press(page.locator(`summary:has-text("${face}")`))
      }
      for (const iid of [1, 2]) {
        await add('issues/add', 'Add an issue')
        await by.write(page.locator('input[name=issue]'), `crane#${iid}`)
        await by.press(button(page, 'Add'))
        await page.waitForSelector(`#epic-contents >> text=crane#${iid}`)
      }
      await add('children/new', 'New epic')
      await by.write(page.locator('input[name=title]'), 'Bolt it down')
      await by.press(button(page, 'Create epic'))
      await page.waitForSelector('#epic-contents >> text=Bolt it down')
      await by.press(button(page, 'Move up: Test the load'))
      await page.waitForSelector('text=The order was changed.')
      assert.deepEqual(
        (await scene.root.get(`${group.url}/epics/1/issues`)).body.map(({ title }: { title: string }) => title),
        ['Test the load', 'Weld the rails'],
      )
      await window.check()

      await by.write(page.locator('textarea[name=body]'), 'Who has the bolts?')
      await by.press(button(page, 'Comment'))
      await page.waitForSelector('.note-card:has-text("Who has the bolts?")')
      await page.waitForSelector('text=The comment was added.')
      // It is on the roadmap as soon as it has days.
      if (isPlain) await page.goto(`${url}${base}/epics/1/edit/dates`)
      else await by.press(page.locator('summary[aria-label="Change: Days"]'))
      const [today = ''] = new Date().toISOString().split('T')
      await by.pick(page.locator('input[name=begins][value=fixed]'))
      await page.locator('input[name=start_date_fixed]').fill(today)
      await by.press(button(page, 'Save'))
      await page.waitForSelector(`#epic-side >> text=Begins ${today}`)
      await by.press(link(page, 'Roadmap'))
      await page.waitForURL(/\/-\/roadmap$/)
      await window.check()
      await by.press(page.locator('.roadmap summary:has-text("1 below")'))
      await page.waitForSelector('.roadmap a:has-text("Bolt it down")')
      await by.press(link(page, 'Raise the crane'))
      await page.waitForURL(/\/epics\/1$/)
      await by.press(button(page, 'Close epic'))
      await page.waitForSelector('#epic-head >> text=Closed')
      await window.check()
      await window.close()
    })
  })

test('two people who look at an epic see what the other does, and what one types stays', async () => {
  const one = await planner()
  const { body: other } = await scene.root.post('/users', {
    name: 'Other',
    username: `planner-${one.person.id}`,
    email: `planner-${one.person.id}@example.com`,
    password,
    skip_confirmation: true,
  })
  await scene.root.post(`${one.group.url}/members`, { user_id: other.id, access_level: 20 })
  await scene.root.post(`${one.group.url}/epics`, { title: 'Raise the crane' })
  const child = (await scene.root.post(`${one.group.url}/epics`, { title: 'Bolt it down' })).body
  const two = await visitor(browser, url)
  await signIn(two, url, { username: other.username, password })
  await one.window.visit(`${one.base}/epics/1`)
  await two.visit(`${one.base}/epics/1`)

  await two.page.fill('#field-body', 'half a sen')
  await one.page.fill('#field-body', 'Who has the bolts?')
  await one.page.keyboard.press('Control+Enter')
  await two.page.waitForSelector('#timeline .note-card:has-text("Who has the bolts?")')
  await one.page.waitForSelector('text=The comment was added.')
  await one.page.click('summary:has-text("Add an epic")')
  await one.page.fill('input[name=child]', `&${child.iid}`)
  await one.page.click('#children-add button:has-text("Add")')
  await two.page.waitForSelector('#epic-contents >> text=Bolt it down')
  // What changes below an epic shows on its page.
  await scene.root.post(`${one.project.url}/issues`, { title: 'Cut the bolts', epic_id: child.id })
  await two.page.waitForSelector('#epic-contents .list-progress span:has-text("0 of 1 issue closed")')
  await scene.root.put(`${one.project.url}/issues/3`, { state_event: 'close' })
  await two.page.waitForSelector('#epic-side div:text-is("1 of 1 issue closed")')
  assert.equal(await two.page.inputValue('#field-body'), 'half a sen')
  await two.close()
  await one.window.close()
})
