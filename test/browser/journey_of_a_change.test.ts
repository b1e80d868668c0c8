/**
 * The journey of a change through Ingot, by two people who see each other live: an issue with a picture, its discussion and plan, the board, the
 * push, the merge request from the push's link, a review of drafts with a suggestion, the merge, and the issue is closed. By mouse, by keyboard
 * alone, and without scripts: there pages are loaded again where others would follow, and the issue comes without its picture.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { startTaskWorker } from '../../src/server/tasks.ts'
import { atEnd } from '../at_end.ts'
import { openCheckouts } from '../clients/checkouts.ts'
import { openWorkbench } from '../clients/workbench.ts'
import { eventually } from '../eventually.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { type Hands, keyboard, mouse, mouseWithoutScripts } from './hands.ts'
import { shows, signIn, type Visitor, visitor } from './visitor.ts'

const scene = await openScene()
const worker = await startTaskWorker(scene.deps, { concurrency: 2 })
atEnd(() => worker.stop())
const { surfer } = oauthScene(scene)
const { addressFor, clone, commit, git, attempt } = await openCheckouts(scene, await openWorkbench())
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).first()
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' }).first()

/** A PNG of one pixel. */
const onePixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64')

const before = 'export const lamps = 3\n\nexport function light() {\n  return lamps\n}\n'
const after = 'export const lamps = 4\n\nexport function light() {\n  return lamps * 2\n}\n'

interface Ways {
  readonly name: string
  readonly hasScripts: boolean
  readonly hands: (page: Page) => Hands
  /** Moves a card to another list of the board that is shown. */
  moveCard(page: Page, card: Locator, to: Locator): Promise<void>
  /** Begins a comment at an added line of the changes. */
  beginComment(page: Page, text: string): Promise<void>
}

const middleOf = async (what: Locator): Promise<readonly [number, number]> => {
  const { x, y, width, height } = (await what.boundingBox()) as { x: number; y: number; width: number; height: number }
  return [x + width / 2, y + height / 2]
}

const ways: readonly Ways[] = [
  {
    name: 'by mouse',
    hasScripts: true,
    hands: mouse,
    async moveCard(page, card, to) {
      const [x, y] = await middleOf(card)
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x + 10, y + 10)
      const [toX, toY] = await middleOf(to)
      await page.mouse.move(toX, toY + 4, { steps: 4 })
      await page.mouse.up()
    },
    async beginComment(page, text) {
      const line = lineOf(page, text)
      await line.hover()
      await line.locator('.add-comment').click()
    },
  },
  {
    name: 'by keyboard alone',
    hasScripts: true,
    hands: keyboard,
    async moveCard(page, card) {
      await focusOn(page, card.getByRole('link', { name: 'A lamp is missing' }))
      for (const key of ['Space', 'ArrowRight', 'Space']) await page.keyboard.press(key)
    },
    async beginComment(page, text) {
      await focusOn(page, lineOf(page, text).locator('.add-comment'))
      await page.keyboard.press('c')
    },
  },
  {
    name: 'without scripts',
    hasScripts: false,
    hands: mouseWithoutScripts,
    async moveCard(page, card) {
      const board = page.url()
      const by = mouseWithoutScripts(page)
      await by.press(card.getByRole('link', { name: 'A lamp is missing' }))
      await by.press(page.locator('summary[aria-label="Change: Labels"]'))
      await by.press(page.locator('#edit-labels').getByRole('link', { name: 'Change' }))
      await by.tick(page.getByLabel('doing'))
      await by.press(page.getByRole('button', { name: 'Save' }))
      await page.goto(board)
    },
    async beginComment(page, text) {
      const by = mouseWithoutScripts(page)
      await by.press(page.getByRole('button', { name: /^Comment on a line/ }))
      await page.waitForURL(/#lines$/)
      await by.press(lineOf(page, text).getByRole('button'))
      await page.waitForSelector('tr.commented')
    },
  },
]

const lineOf = (page: Page, text: string): Locator => page.locator('tr.added', { hasText: text })

/** Tab leads to it. */
async function focusOn(page: Page, what: Locator): Promise<void> {
  await what.waitFor({ state: 'attached' })
  for (let step = 0; step < 200; step++) {
    if (await what.evaluate((element: { ownerDocument: { activeElement: unknown } }) => element === element.ownerDocument.activeElement))
      return
    await page.keyboard.press('Tab')
  }
  assert.fail(`Tab does not lead to ${what}`)
}

/** A project with a board, a milestone and a commit; Ada, who changes it, and Ben, who reviews, each in a browser of their own. */
async function place({ hasScripts }: Ways) {
  const [{ person: ada }, { person: ben }] = [await surfer(), await surfer()]
  const { group } = await scene.group()
  const { project } = await scene.project({ group, visibility: 'private' })
  for (const { id } of [ada, ben]) await scene.root.post(`${project.url}/members`, { user_id: id, access_level: 40 })
  await scene.commit(project, { 'src/lamps.ts': before }, { branch: 'main' })
  await scene.root.post(`${project.url}/milestones`, { title: 'Winter', start_date: '2021-01-01', due_date: '2031-01-01' })
  const label = (await scene.root.post(`${project.url}/labels`, { name: 'doing', color: '#1f75cb' })).body
  const board = (await scene.root.post(`${project.url}/boards`, { name: 'Development' })).body
  await scene.root.post(`${project.url}/boards/${board.id}/lists`, { label_id: label.id })
  await scene.root.put(project.url, { only_allow_merge_if_all_discussions_are_resolved: true })
  await scene.root.post(`${project.url}/approvals`, { approvals_before_merge: 1, merge_requests_author_approval: false })
  const open = async ({ username }: { readonly username: string }): Promise<Visitor> => {
    const window = await visitor(browser, url, { javaScriptEnabled: hasScripts })
    window.page.on('dialog', dialog => void dialog.accept())
    await signIn(window, url, { username, password })
    return window
  }
  return { ada, ben, project, board: `/${project.full_path}/-/boards/${board.id}`, windows: [await open(ada), await open(ben)] as const }
}

for (const way of ways) {
  const { hands, hasScripts, moveCard, beginComment } = way
  describe(`a change, ${way.name}`, () => {
    test('goes from an issue with a picture over the board, a push and a review to the merge that closes the issue', async () => {
      const { ada, project, board, windows } = await place(way)
      const [one, two] = windows
      const [by, ben] = [hands(one.page), hands(two.page)]
      const page = one.page
      const other = two.page
      const at = `/${project.full_path}/-`

      // An issue with a picture.
      await one.visit(`${at}/issues/new`)
      await by.write(page.getByLabel(/^Title/).first(), 'A lamp is missing')
      await by.write(page.locator('textarea[name=description]'), 'Look:\n\n')
      if (hasScripts) {
        await page.setInputFiles('input[type=file][id$=-files]', { name: 'lamps.png', mimeType: 'image/png', buffer: onePixel })
        await eventually(
          async () => /!\[lamps\]\(\/uploads\//.test(await page.inputValue('textarea[name=description]')),
          'the picture to be uploaded',
        )
      }
      await by.press(button(page, 'Open issue'))
      await page.waitForURL(/\/issues\/1$/)
      await page.waitForSelector(hasScripts ? '.description img' : '.description')
      await one.check()

      // Ben discusses it; Ada sees it, and answers.
      await two.visit(`${at}/issues/1`)
      await ben.write(other.locator('#field-body'), 'Which one?')
      await ben.press(button(other, 'Comment'))
      await shows(page, way, '.note-card:has-text("Which one?")')
      await by.write(page.locator('#field-body'), 'The fourth')
      await by.press(button(page, 'Comment'))
      await shows(other, way, '.note-card:has-text("The fourth")')

      // It is planned into a milestone.
      await by.press(page.locator('summary[aria-label="Change: Milestone"]'))
      if (!hasScripts) await by.press(page.locator('#edit-milestone').getByRole('link', { name: 'Change' }))
      await by.choose(page.locator('select[name=milestone_id]'), 'Winter')
      await by.press(page.locator('#edit-milestone').getByRole('button', { name: 'Save' }))
      await shows(other, way, '#issue-side >> text=Winter')

      // It is moved over the board.
      await one.visit(board)
      await two.visit(board)
      const column = (of: Page, title: string) =>
        of.locator('.board-column').filter({ has: of.getByRole('heading', { name: title, exact: true }) })
      const card = (of: Page) => of.locator('.card', { hasText: 'A lamp is missing' })
      await moveCard(page, card(page), column(page, 'doing'))
      if (!hasScripts) await other.reload()
      await column(other, 'doing').locator('.card').waitFor()

      // A branch is pushed, and says where a merge request is opened.
      const folder = await clone(addressFor(project, ada))
      await git(folder, 'switch', '--quiet', '--create', 'fourth-lamp')
      await commit(folder, { 'src/lamps.ts': after }, 'Add the fourth lamp')
      const { stderr } = await attempt(folder, 'push', 'origin', 'fourth-lamp')
      const [, address = ''] = /visit:\s+remote: +(http\S+)/.exec(stderr) ?? []
      await page.goto(address.replace(/^https?:\/\/[^/]+/, url))
      assert.equal(await page.inputValue('[name=title]'), 'Add the fourth lamp')
      await by.write(page.locator('textarea[name=description]'), 'Closes #1')
      await by.press(button(page, 'Open merge request'))
      await page.waitForURL(/\/merge_requests\/1$/)
      await page.waitForSelector('#merge-box >> text=1 more approval is needed.')

      // Ben reviews it with three drafts, one of them a suggestion; Ada sees none of them before they are submitted.
      await two.visit(`${at}/merge_requests/1`)
      await ben.press(link(other, /^Changes/))
      await other.waitForURL(/\/diffs$/)
      await two.check()
      const form = () => other.locator(hasScripts ? 'turbo-frame.comment-form' : 'main:has(textarea[name=body])')
      // The form is there before its frame has ended loading, and what is sent meanwhile may be lost.
      const formIsThere = () => other.waitForSelector('html:not(:has(turbo-frame.comment-form[busy]))', { state: 'attached' })
      const draft = async (text: string, body: string) => {
        await beginComment(other, text)
        await formIsThere()
        await ben.write(form().locator('textarea'), body)
        await ben.press(form().getByRole('button', { name: 'Add to review' }))
        await other.locator('.diff-thread.draft', { hasText: body.split('\n', 1)[0] ?? '' }).waitFor()
        await form().waitFor({ state: 'detached' })
      }
      await draft('lamps = 4', 'Is four enough?')
      await draft('lamps * 2', 'Why twice?')
      await beginComment(other, 'lamps * 2')
      await ben.press(form().getByRole('link', { name: 'Suggest a change' }))
      await eventually(async () => /suggestion:-0\+0/.test(await form().locator('textarea').inputValue()), 'the suggestion')
      await formIsThere()
      const suggested = (await form().locator('textarea').inputValue()).replace('lamps * 2', '2 * lamps')
      await ben.write(form().locator('textarea'), `This way\n\n${suggested}`)
      await ben.press(form().getByRole('button', { name: 'Add to review' }))
      await other.waitForSelector('.diff-thread.draft >> nth=2')
      await page.goto(`${url}${at}/merge_requests/1/diffs`)
      await page.waitForSelector('tr.added >> text=lamps * 2')
      assert.equal(await page.locator('.diff-thread').count(), 0)
      await ben.press(link(other, /^Submit review/))
      await other.waitForURL(/\/diffs\/review$/)
      await two.check()
      await ben.write(other.locator('textarea[name=note]'), 'Nearly there')
      await ben.press(button(other, 'Submit review'))
      await shows(page, way, '.diff-thread >> nth=2')
      await one.check()

      // Ada applies the suggestion, and resolves what was asked.
      await by.press(page.locator('.suggestion').getByRole('button', { name: /^Apply/ }))
      await eventually(async () => {
        const { body } = await scene.root.get(`${project.url}/repository/files/src%2Flamps.ts`, { ref: 'fourth-lamp' })
        return Buffer.from(body.content, 'base64').toString().includes('2 * lamps')
      }, 'the suggestion to be applied')
      await page.waitForSelector('#content > .notice:has-text("The suggestion was applied")')
      await one.visit(`${at}/merge_requests/1`)
      assert.equal(await page.locator('#content > .notice.success').count(), 0, 'it is said only once')
      await two.visit(`${at}/merge_requests/1`)
      for (let open = await page.getByRole('button', { name: 'Resolve the thread' }).count(); open > 0; open--) {
        await by.press(button(page, 'Resolve the thread'))
        await eventually(
          async () => (await page.getByRole('button', { name: 'Resolve the thread' }).count()) < open,
          'the thread to be resolved',
        )
      }
      await shows(other, way, '#merge-box >> text=unresolved', { state: 'detached' })

      // Ben approves it, and the box turns green where Ada looks.
      await ben.press(button(other, 'Approve'))
      await shows(page, way, '#merge-box >> text=Ready to be merged.')
      await one.check()
      await by.press(page.locator('#merge-box').getByRole('button', { name: 'Merge', exact: true }))
      await shows(page, way, '#mr-head >> text=Merged')
      await shows(other, way, '#mr-head >> text=Merged')
      await two.visit(`${at}/issues/1`)
      await shows(other, way, '#issue-head >> text=Closed')
      await two.check()
      await Promise.all(windows.map(({ close }) => close()))
    })
  })
}
