/** Threads on the pictures of a merge request, in a real browser: begun by a click and by keyboard, with pins that another one sees appear. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { atEnd } from '../at_end.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { signIn, visitor } from './visitor.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

const picture = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><rect width="200" height="100" fill="${color}"/></svg>\n`

/** A merge request that changes a picture; two members of its project. */
async function place() {
  const { person: ada } = await surfer()
  const { person: ben } = await surfer()
  const { project } = await scene.project({ visibility: 'private' })
  for (const { id } of [ada, ben]) await scene.root.post(`${project.url}/members`, { user_id: id, access_level: 40 })
  await scene.commit(project, { 'lamp.svg': picture('grey') }, { branch: 'main' })
  await scene.root.post(`${project.url}/repository/commits`, {
    branch: 'brighter',
    start_branch: 'main',
    commit_message: 'Brighten the lamp',
    actions: [{ action: 'update', file_path: 'lamp.svg', content: picture('gold') }],
  })
  const { iid } = await scene.mergeRequest(project, { source_branch: 'brighter' })
  return { ada, ben, changes: `/${project.full_path}/-/merge_requests/${iid}/diffs` }
}

test('a thread begins at a place of a picture, on either side, and its pin appears for others', async () => {
  const { ada, ben, changes } = await place()
  const [one, other] = [await visitor(browser, url), await visitor(browser, url)]
  for (const [window, { username }] of [
    [one, ada],
    [other, ben],
  ] as const) {
    await signIn(window, url, { username, password })
    await window.visit(changes)
  }
  const { page } = one

  await page.locator('.picture[data-side=new]').click({ position: { x: 50, y: 25 } })
  await page.getByLabel('Comment', { exact: true }).fill('This corner is too bright')
  await page.getByRole('button', { name: 'Add comment now' }).click()
  const pin = '.picture[data-side=new] a.pin:not(.begun)'
  await page.waitForSelector(pin)
  await other.page.waitForSelector(pin)
  await other.page.locator(pin).click()
  assert.equal(await other.page.evaluate("document.activeElement.textContent.includes('too bright')"), true)
  await other.page.waitForSelector('text=50 from the left and 25 from the top, of 200 × 100')

  await page.locator('.picture[data-side=old]').focus()
  for (const key of ['ArrowLeft', 'Shift+ArrowDown', 'Enter']) await page.keyboard.press(key)
  await page.waitForSelector('.picture[data-side=old] a.pin.begun')
  await page.getByLabel('Comment', { exact: true }).waitFor()
  await page.keyboard.type('It was darker here')
  await page.getByRole('button', { name: 'Add to review' }).click()
  await page.waitForSelector('.diff-thread.draft:has-text("picture before the change: 96 from the left and 60 from the top")')
  await page.waitForSelector('.picture[data-side=old] a.pin:not(.begun)')
  await one.check()
  await page.reload()
  await page.waitForSelector(`${pin}:has-text("1")`)
  await page.waitForSelector('.picture[data-side=old] a.pin:has-text("2")')
  for (const window of [one, other]) await window.close()
})
