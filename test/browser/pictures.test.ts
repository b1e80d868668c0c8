/**
 * Threads on the pictures of a merge request, in a real browser: begun with a mouse, by keyboard alone and without scripts, with pins that another one
 * sees appear.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { atEnd } from '../at_end.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { type Hands, waysIn } from './hands.ts'
import { signIn, visitor } from './visitor.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

const picture = (color: string, width = 200, height = 100) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="${color}"/></svg>\n`

/** A picture that does not say how large it is. */
const withoutSize = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="20" height="10"/></svg>\n'

/** A merge request that changes a picture and adds a large one and one without a size; two members of its project. */
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
    actions: [
      { action: 'update', file_path: 'lamp.svg', content: picture('gold') },
      { action: 'create', file_path: 'tower.svg', content: picture('navy', 1440, 720) },
      { action: 'create', file_path: 'unknown.svg', content: withoutSize },
    ],
  })
  const { iid, url: api } = await scene.mergeRequest(project, { source_branch: 'brighter' })
  const placesOf = async () => {
    const { body } = await scene.root.get(`${api}/discussions`)
    return (
      body as { notes: { position: { side?: string; x: number; y: number; width: number; height: number; new_path: string } }[] }[]
    ).map(({ notes: [note] }) => {
      const { side = 'new', x = 0, y = 0, width = 0, height = 0, new_path = '' } = note?.position ?? {}
      return `${new_path} ${side} ${x} ${y} ${width} ${height}`
    })
  }
  return { ada, ben, changes: `/${project.full_path}/-/merge_requests/${iid}/diffs`, placesOf }
}

const pictureOf = (page: Page, side: 'old' | 'new') => page.locator(`.picture[data-side=${side}]`).first()

/** Where the script has taken the pictures, a click or a key begins a comment. */
const takesPlaces = (page: Page) => page.waitForSelector('.picture[role=application]')

/** How a comment begins at a place of the new picture, and which place that is. */
interface Beginning {
  readonly at: readonly [x: number, y: number]
  begin(page: Page, by: Hands): Promise<void>
}

const beginnings: Readonly<Record<string, Beginning>> = {
  'with a mouse': {
    at: [50, 25],
    async begin(page) {
      await takesPlaces(page)
      await pictureOf(page, 'new').click({ position: { x: 50, y: 25 } })
    },
  },
  'by keyboard alone': {
    // The mark begins in the middle, and a key moves it by a fiftieth, with Shift by a tenth.
    at: [52, 26],
    async begin(page, by) {
      await takesPlaces(page)
      await by.reach(pictureOf(page, 'new'))
      for (const direction of ['ArrowLeft', 'ArrowUp'])
        for (const key of [`Shift+${direction}`, `Shift+${direction}`, direction, direction]) await page.keyboard.press(key)
      await page.keyboard.press('Enter')
    },
  },
  'without scripts': {
    at: [50, 25],
    async begin(page, by) {
      await by.press(pictureOf(page, 'new'))
      await page.waitForSelector('text=The picture is 200 pixels wide and 100 high.')
      await page.locator('input[type=image]').click({ position: { x: 50, y: 25 } })
      await page.waitForSelector('.picture .mark')
    },
  },
}

for (const [way, options, hands] of waysIn(import.meta.url))
  test(`a thread begins at a place of a picture, ${way}, by a look and by numbers, and its pin appears for others`, async () => {
    const { ada, ben, changes, placesOf } = await place()
    const [one, other] = [await visitor(browser, url, options), await visitor(browser, url)]
    for (const [window, { username }] of [
      [one, ada],
      [other, ben],
    ] as const) {
      await signIn(window, url, { username, password })
      await window.visit(changes)
    }
    const { page } = one
    const by = hands(page)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const { at, begin } = beginnings[way] as Beginning

    await begin(page, by)
    await by.write(page.getByLabel('Comment', { exact: true }), 'This corner is too bright')
    await one.check()
    await by.press(button('Add comment now'))
    await page.waitForSelector(`text=${at[0]} from the left and ${at[1]} from the top, of 200 × 100`)
    assert.deepEqual(await placesOf(), [`lamp.svg new ${at[0]} ${at[1]} 200 100`])
    const pin = '.picture[data-side=new] a.pin:not(.begun)'
    await other.page.waitForSelector(pin)
    await other.page.locator(pin).click()
    assert.equal(await other.page.evaluate("document.activeElement.textContent.includes('too bright')"), true)

    await by.press(page.getByRole('link', { name: 'Comment on a place of lamp.svg, before' }).last())
    await page.waitForURL(/comments\/place/)
    await one.check()
    await by.write(page.getByLabel('From the left'), '201')
    await by.write(page.getByLabel('From the top'), '-1')
    await by.press(button('Comment on this place'))
    await page.waitForSelector('.wrong:has-text("From the left must be within the picture: from 0 to 200")')
    await page.waitForSelector('.wrong:has-text("From the top must be within the picture: from 0 to 100")')
    await one.check()
    await by.write(page.getByLabel('From the left'), '96')
    await by.write(page.getByLabel('From the top'), '60')
    await by.press(button('Comment on this place'))
    await page.waitForSelector('.picture .mark')
    await by.write(page.getByLabel('From the top'), '61')
    await by.write(page.getByLabel('Comment', { exact: true }), 'It was darker here')
    await one.check()
    await by.press(button('Add comment now'))
    await page.waitForSelector('.diff-thread:has-text("picture before the change: 96 from the left and 61 from the top")')
    assert.deepEqual((await placesOf()).toSorted(), [`lamp.svg new ${at[0]} ${at[1]} 200 100`, 'lamp.svg old 96 61 200 100'])
    await other.page.waitForSelector('.picture[data-side=old] a.pin:has-text("2")')
    for (const window of [one, other]) await window.close()
  })

test('a draft on a picture has a pin, which stays after a reload', async () => {
  const { ada, changes } = await place()
  const window = await visitor(browser, url)
  const { page } = window
  await signIn(window, url, { username: ada.username, password })
  await window.visit(changes)
  await takesPlaces(page)
  await pictureOf(page, 'old').focus()
  for (const key of ['ArrowLeft', 'Shift+ArrowDown', 'Enter']) await page.keyboard.press(key)
  await page.waitForSelector('.picture[data-side=old] a.pin.begun')
  await page.getByLabel('Comment', { exact: true }).waitFor()
  await page.keyboard.type('It was darker here')
  await page.getByRole('button', { name: 'Add to review' }).click()
  await page.waitForSelector('.diff-thread.draft:has-text("picture before the change: 96 from the left and 60 from the top")')
  await page.waitForSelector('.picture[data-side=old] a.pin:not(.begun)')
  await window.check()
  await page.reload()
  await page.waitForSelector('.picture[data-side=old] a.pin:has-text("1")')
  await window.close()
})

test('without scripts, a click on a large picture is a place of its own size, and one without a size is commented on as a file', async () => {
  const { ada, changes, placesOf } = await place()
  const window = await visitor(browser, url, { javaScriptEnabled: false, viewport: { width: 390, height: 800 } })
  const { page } = window
  await signIn(window, url, { username: ada.username, password })
  await window.visit(changes)
  const picturesOf = (path: string) => page.getByRole('link', { name: `Comment on a place of ${path}` })
  await picturesOf('tower.svg').first().click()
  await page.waitForSelector('text=The picture is 1440 pixels wide and 720 high.')
  await page.locator('input[type=image]').click({ position: { x: 100, y: 50 } })
  await page.getByLabel('Comment', { exact: true }).fill('A window is missing')
  await page.getByRole('button', { name: 'Add comment now' }).click()
  await page.waitForSelector('text=200 from the left and 100 from the top, of 1440 × 720')
  assert.deepEqual(await placesOf(), ['tower.svg new 200 100 1440 720'])

  await picturesOf('unknown.svg').first().click()
  await page.waitForSelector('[role=alert]:has-text("does not say how large the picture is")')
  await page.getByRole('link', { name: 'Comment on the file' }).click()
  await page.getByLabel('Comment', { exact: true }).fill('Give it a size')
  await page.getByRole('button', { name: 'Add comment now' }).click()
  await page.waitForSelector('.diff-thread:has-text("Give it a size")')
  await window.close()
})
