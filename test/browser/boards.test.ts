/** Planning over a board in a real browser: dragging with a mouse, by keyboard alone, by the form without scripts; and two people who look at the same board. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { atEnd } from '../at_end.ts'
import { eventually } from '../eventually.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { keyboard } from './hands.ts'
import { signIn, visitor } from './visitor.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

/** A board with the lists `ready` and `doing` of labels, and issues in the first column. */
async function planned(titles: readonly string[]) {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group, owner })
  const board = (await owner.post(`${project.url}/boards`, { name: 'Development' })).body
  for (const name of ['ready', 'doing']) {
    const label = (await owner.post(`${project.url}/labels`, { name, color: '#d73a4a' })).body
    await owner.post(`${project.url}/boards/${board.id}/lists`, { label_id: label.id })
  }
  for (const title of titles) await owner.post(`${project.url}/issues`, { title, weight: 2 })
  return {
    project,
    owner,
    address: `/${project.full_path}/-/boards/${board.id}`,
    async developer(options = {}) {
      const { person } = await surfer()
      await owner.post(`${group.url}/members`, { user_id: person.id, access_level: 30 })
      const window = await visitor(browser, url, options)
      await signIn(window, url, { username: person.username, password })
      const become = (access_level: number) => owner.put(`${group.url}/members/${person.id}`, { access_level })
      return { window, page: window.page, become }
    },
    /** What the API says of the labels of all issues, by their titles. */
    async labels(): Promise<Record<string, string>> {
      const { body } = await owner.get(`${project.url}/issues`, { order_by: 'relative_position', sort: 'asc' })
      return Object.fromEntries(
        body.map((issue: { title: string; state: string; labels: string[] }) => [
          issue.title,
          issue.state === 'closed' ? 'closed' : issue.labels.join(','),
        ]),
      )
    },
  }
}

const column = (page: Page, name: string) => page.locator('.board-column').filter({ has: page.getByRole('heading', { name, exact: true }) })
const card = (page: Page, title: string) => page.locator('.card', { hasText: title })
const titlesIn = async (page: Page, name: string): Promise<string[]> =>
  (await column(page, name).locator('.card .title').allTextContents()).map(text => text.trim())

const middleOf = async (what: Locator): Promise<readonly [number, number]> => {
  const { x, y, width, height } = (await what.boundingBox()) as { x: number; y: number; width: number; height: number }
  return [x + width / 2, y + height / 2]
}

/** Drags with the mouse; the button stays pressed. */
async function dragOver(page: Page, what: Locator, to: Locator): Promise<void> {
  const [x, y] = await middleOf(what)
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 10, y + 10)
  const [toX, toY] = await middleOf(to)
  await page.mouse.move(toX, toY + 4, { steps: 4 })
}

const shows = (page: Page, name: string, titles: readonly string[]) =>
  eventually(async () => JSON.stringify(await titlesIn(page, name)) === JSON.stringify(titles), `${name} to show ${titles.join(', ')}`)

test('with a mouse a card is dragged between others, and another window sees it; what one holds stays in hand', async () => {
  const { address, developer, labels, owner, project } = await planned(['One', 'Two', 'Three'])
  const { window, page, become } = await developer()
  const other = await developer()
  await window.visit(address)
  await other.window.visit(address)
  await dragOver(page, card(page, 'Two'), column(page, 'ready'))
  await page.mouse.up()
  await shows(page, 'ready', ['Two'])
  await shows(other.page, 'ready', ['Two'])
  await column(other.page, 'ready').locator('text=1 issue').waitFor()
  assert.deepEqual(await labels(), { One: '', Two: 'ready', Three: '' })

  // Another person moves a card while this one is being dragged.
  await dragOver(page, card(page, 'Three'), card(page, 'Two'))
  await dragOver(other.page, card(other.page, 'One'), column(other.page, 'doing'))
  await other.page.mouse.up()
  await shows(other.page, 'doing', ['One'])
  assert.equal(await page.locator('.sort-picture').count(), 1)
  assert.deepEqual(await titlesIn(page, 'doing'), [])
  await page.mouse.up()
  await shows(page, 'doing', ['One'])
  await shows(page, 'ready', ['Two', 'Three'])
  await shows(other.page, 'ready', ['Two', 'Three'])

  // What is refused goes back, and says why. A window that follows has no cards to drag any more for one who may not.
  const { body: board } = await owner.get(`${project.url}/boards/${address.split('/').at(-1)}`)
  await page.route('**/-/live*', route => route.abort())
  await window.visit(address)
  await become(10)
  await dragOver(page, card(page, 'Three'), column(page, 'Closed'))
  await page.mouse.up()
  await page.waitForSelector('.sort-refused:has-text("#3 Three was not moved")')
  await shows(page, 'ready', ['Two', 'Three'])
  await become(30)
  await page.unroute('**/-/live*')
  await window.visit(address)

  // A list is dragged by its handle.
  await dragOver(page, column(page, 'doing').locator('[data-sort-handle]'), column(page, 'ready').locator('[data-sort-handle]'))
  await page.mouse.up()
  await eventually(async () => {
    const { body } = await owner.get(`${project.url}/boards/${board.id}/lists`)
    return body[0].label.name === 'doing'
  }, 'the list to be moved')
  await window.check()
  await Promise.all([window.close(), other.window.close()])
})

test('by keyboard alone an issue is opened in a list, moved, given back, looked at and closed', async () => {
  const { address, developer, labels } = await planned(['One', 'Two'])
  const { window, page } = await developer()
  const by = keyboard(page)
  await window.visit(address)
  await by.press(page.getByLabel('New issue in ready', { exact: true }))
  await by.write(page.getByLabel('Title of a new issue in ready'), 'Three')
  await page.keyboard.press('Enter')
  await shows(page, 'ready', ['Three'])

  await page.locator('.card a:text-is("Two")').focus()
  await page.keyboard.press('ArrowUp')
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'One')
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  assert.match((await page.textContent('#announcements')) ?? '', /1 of 2 in ready/)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await eventually(async () => (await labels()).One === 'ready', 'the card to be moved')
  await shows(page, 'ready', ['Three', 'One'])
  await eventually(async () => (await page.getAttribute('sortable-list', 'data-moving')) === null, 'the move to be done')
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'One')

  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Escape')
  await shows(page, 'ready', ['Three', 'One'])

  await page.keyboard.press('Enter')
  await page.waitForSelector('#board-panel h2:has-text("One")')
  await window.check()
  await page.keyboard.press('Escape')
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'One')
  await page.keyboard.press('Space')
  for (let step = 0; step < 2; step++) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Space')
  await eventually(async () => (await labels()).One === 'closed', 'the issue to be closed')
  assert.deepEqual(await labels(), { Three: 'ready', One: 'closed', Two: '' })
  await window.close()
})

test('without scripts, in a narrow window, boards and lists are made and cards are moved by forms', async () => {
  const { address, developer, labels, project } = await planned(['One', 'Two'])
  const { window, page } = await developer({ javaScriptEnabled: false, viewport: { width: 390, height: 800 } })
  await window.visit(address)
  await page.getByRole('link', { name: 'Move #2' }).click()
  await page.getByLabel('Column').selectOption('doing')
  await page.getByLabel(/^Place/).fill('1')
  await page.getByRole('button', { name: 'Move' }).click()
  await page.waitForSelector('text=The issue was moved.')
  assert.deepEqual(await titlesIn(page, 'doing'), ['Two'])
  assert.deepEqual(await labels(), { Two: 'doing', One: '' })

  await page.goto(`${url}/${project.full_path}/-/boards/new`)
  await page.getByRole('textbox', { name: 'Name' }).fill('Triage')
  await page.getByRole('button', { name: 'Create board' }).click()
  await page.getByRole('link', { name: 'Add list' }).click()
  await page.getByLabel(/^Label/).selectOption('ready')
  await page.getByRole('button', { name: 'Add list' }).click()
  await page.waitForSelector('text=The list was added.')
  assert.deepEqual(await titlesIn(page, 'ready'), [])
  await window.close()
})

test('a page that was asked for before a column grew does not take away what it has grown by', async () => {
  const { address, developer, owner, project } = await planned(Array.from({ length: 50 }, (_, nth) => `Lamp ${nth}`))
  const { window, page } = await developer()
  const [asked, grown] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route(
    ({ pathname }) => pathname === address,
    async route => {
      if (route.request().headers()['x-live-refresh'] === undefined) return route.continue()
      const response = await route.fetch()
      asked.resolve()
      await grown.promise
      await route.fulfill({ response })
    },
  )
  await window.visit(address)
  const cards = column(page, 'Open').locator('.card')
  await owner.put(`${project.url}/issues/1`, { title: 'The first lamp' })
  await asked.promise
  await column(page, 'Open').locator('turbo-frame').scrollIntoViewIfNeeded()
  await eventually(async () => (await cards.count()) === 50, 'the rest of the column')
  // Where the rest would not be loaded again.
  await cards.first().scrollIntoViewIfNeeded()
  grown.resolve()
  await card(page, 'The first lamp').waitFor()
  assert.equal(await cards.count(), 50)
  await window.close()
})

test('a column grows as it is scrolled, and stays as long when others change it; a narrow window has all of it', async () => {
  const { address, developer, owner, project } = await planned(Array.from({ length: 50 }, (_, nth) => `Lamp ${nth}`))
  const { window, page } = await developer({ viewport: { width: 390, height: 800 } })
  await window.visit(address)
  const cards = column(page, 'Open').locator('.card')
  assert.equal(await cards.count(), 20)
  await column(page, 'Open').locator('turbo-frame').scrollIntoViewIfNeeded()
  await eventually(async () => (await cards.count()) === 50, 'the rest of the column')
  await owner.put(`${project.url}/issues/1`, { title: 'The first lamp' })
  await card(page, 'The first lamp').waitFor()
  assert.equal(await cards.count(), 50)
  await window.check()
  await window.close()
})
