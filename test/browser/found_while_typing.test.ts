/** What pages find while people type, in a real browser: similar issues, what is linked or moved to, the keys of a page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { atEnd } from '../at_end.ts'
import { eventually } from '../eventually.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { signedIn } from './visitor.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

/** The maintainer of a project with two issues, in a window of theirs. */
async function maintainer(options: object = {}) {
  const { person } = await surfer()
  const { project } = await scene.project({ visibility: 'private' })
  await scene.root.post(`${project.url}/members`, { user_id: person.id, access_level: 40 })
  for (const title of ['The lamp in the cellar flickers', 'Paint the shed']) await scene.root.post(`${project.url}/issues`, { title })
  const window = await signedIn(browser, url, options, { username: person.username, password })
  return { person, project, window, page: window.page, issues: `/${project.full_path}/-/issues` }
}

/** What a field suggests for what is typed into it. */
async function suggestions(page: Page, name: string, typed: string, expected: string): Promise<void> {
  await page.fill(`[name=${name}]`, '')
  await page.locator(`[name=${name}]`).pressSequentially(typed)
  await page.waitForSelector(`datalist[id$="${name}-suggested"] option[value="${expected}"]`, { state: 'attached' })
}

test('similar issues are shown below the title of a new one, where one sees them, and the whole of an issue is written in one form', async () => {
  const { project, window, page, issues } = await maintainer({ viewport: { width: 390, height: 800 } })
  await window.visit(`${issues}/new`)
  await page.keyboard.type('A lamp')
  const similar = page.locator('similar-items a:has-text("The lamp in the cellar flickers")').first()
  await similar.waitFor()
  const [found, description] = [await similar.boundingBox(), await page.locator('[name=description]').boundingBox()]
  assert.ok(found && description && found.y < description.y, 'they stand above the description')
  assert.equal(await page.locator('similar-items a:has-text("Paint the shed")').count(), 0)
  await window.check()
  await page.fill('[name=title]', 'The wick smokes')
  await page.waitForSelector('similar-items:not(:has(a))', { state: 'attached' })
  await page.fill('[name=weight]', '3')
  await page.selectOption('[name=issue_type]', 'incident')
  await page.click('button:has-text("Open issue")')
  await page.waitForSelector('h1:has-text("The wick smokes")')
  const { body: issue } = await scene.root.get(`${project.url}/issues/3`)
  assert.deepEqual([issue.weight, issue.issue_type, issue.epic], [3, 'incident', null])
  await window.close()
})

test('issues, projects and accounts are found by a part of their names where one is asked for', async () => {
  const { person, project, window, page, issues } = await maintainer()
  const { project: other } = await scene.project({ owner: person, name: 'Boathouse', path: 'boathouse' })
  await window.visit(`${issues}/2/links/new`)
  await suggestions(page, 'target', 'cellar', '#1')
  assert.equal(await page.locator('datalist[id$="target-suggested"] option[value="#2"]').count(), 0)
  await page.fill('[name=target]', '#1')
  await page.click('main button:text-is("Link")')
  await page.waitForSelector('.related >> text=The lamp in the cellar flickers')
  await window.visit(`${issues}/2/duplicate`)
  await suggestions(page, 'original', 'lamp', '#1')
  await window.visit(`${issues}/2/edit/assignees`)
  await suggestions(page, 'username', person.username.slice(0, -1), person.username)
  await window.visit(`${issues}/2/move`)
  await suggestions(page, 'to_project', 'boathouse', other.full_path)
  await page.fill('[name=to_project]', other.full_path)
  await page.click('main button:has-text("Move")')
  await page.waitForURL(`${url}/${other.full_path}/-/issues/1`)
  assert.equal((await scene.root.get(`${project.url}/issues/2`)).body.state, 'closed')
  await window.close()
})

test('what is written is shown as it will look, completes names, and takes files that are pasted', async () => {
  const { window, page, issues, person } = await maintainer()
  await window.visit(`${issues}/1`)
  // The answer to the first letter comes only when another sign is asked for.
  const other = Promise.withResolvers<void>()
  const late = Promise.withResolvers<void>()
  await page.route(/\/completions\?kind=user&search=p$/, async route => {
    const response = await route.fetch()
    await other.promise
    await route.fulfill({ response })
    late.resolve()
  })
  // A request that typing aborts before it is intercepted never reaches the route.
  const intercepted = page.waitForRequest(/\/completions\?kind=user&search=p$/)
  await page.click('#field-body')
  await page.keyboard.type(`Look, @${person.username.slice(0, 1)}`)
  await intercepted
  await page.keyboard.type(person.username.slice(1, 3))
  await page.waitForSelector(`.completions [role=option]:has-text("${person.username}")`)
  await page.keyboard.press('Enter')
  await page.keyboard.type('#')
  await page.waitForSelector('.completions [role=option]:has-text("Paint the shed")')
  other.resolve()
  await late.promise
  // What the late answer could show would be there with the next one, which is empty.
  await page.evaluate(() => new Promise(resolve => setTimeout(resolve, 100)))
  await page.keyboard.press('Enter')
  assert.match((await page.inputValue('#field-body')).trim(), new RegExp(`^Look, @${person.username} #[12]$`))
  await page.fill('#field-body', '')
  await page.keyboard.type('/heal')
  // Enter takes the first of what is shown, which may be what fits the first letters.
  await page.waitForSelector('.completions [role=option]:first-child:has-text("/health_status")')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.completions [role=option]:has-text("needs_attention")')
  await page.keyboard.type('at')
  await page.waitForSelector('.completions:not(:has-text("on_track")) [role=option]:has-text("at_risk")')
  await page.keyboard.press('Enter')
  assert.equal(await page.inputValue('#field-body'), '/health_status at_risk ')
  await page.fill('#field-body', 'Look, #1\n')
  await page.setInputFiles('#field-body-files', { name: 'lamp.png', mimeType: 'image/png', buffer: onePixel })
  await eventually(async () => /!\[lamp\]\(\/uploads\//.test(await page.inputValue('#field-body')), 'the picture to be uploaded')
  await page.click('button:has-text("Preview")')
  await page.waitForSelector('.editor-shown img')
  await page.waitForSelector('.editor-shown a.gfm-issue')
  await window.check()
  await page.click('button:text-is("Comment")')
  await page.waitForSelector('.note-card img')
  await eventually(
    async () => (await page.evaluate(`document.querySelector('.note-card img').naturalWidth`)) === 1,
    'the picture to be shown',
  )
  await window.close()
})

/** A PNG of one pixel. */
const onePixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

test('Enter in the palette waits for what is found for the text, also where the answer to an earlier one comes in between', async () => {
  const { project, window, page, issues } = await maintainer()
  await page.clock.install()
  await window.visit(issues)
  let answerFirst = () => {}
  const first = new Promise<void>(resolve => {
    answerFirst = resolve
  })
  await page.route('**/-/palette?search=&*', async route => {
    await first
    await route.continue()
  })
  const isFirst = (request: Request) => request.url().includes('/-/palette?search=&')
  // A request that typing aborts before it is intercepted is neither finished nor failed.
  const intercepted = page.waitForRequest(isFirst)
  await page.keyboard.press('Control+k')
  await page.waitForSelector('command-palette dialog[open]')
  await intercepted
  // What is typed is not asked for yet when the answer to the empty text comes, or would come.
  await page.clock.pauseAt(Date.now() + 3_600_000)
  const over = Promise.race([page.waitForEvent('requestfinished', isFirst), page.waitForEvent('requestfailed', isFirst)])
  await page.keyboard.type(project.path)
  answerFirst()
  await over
  await page.keyboard.press('Enter')
  await page.clock.resume()
  await page.waitForURL(`${url}/${project.full_path}`)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await window.close()
})

test('what the arrows chose stays chosen when a later answer comes before Enter: in the filter and in the palette', async () => {
  const { person, project, window, page, issues } = await maintainer()
  for (const name of ['docs', 'doors']) await scene.root.post(`${project.url}/labels`, { name, color: '#123456' })
  await scene.project({ owner: person, name: 'Lamp one', path: 'lamp-one' })
  const { project: second } = await scene.project({ owner: person, name: 'Lamp two', path: 'lamp-two' })
  /** Keeps the answers to these addresses back. @returns lets them come, and waits until they are there */
  const heldBack = async (addresses: RegExp) => {
    const held = Promise.withResolvers<void>()
    await page.route(addresses, async route => {
      await held.promise
      await route.continue()
    })
    return async () => {
      const answered = page.waitForResponse(addresses)
      held.resolve()
      await (await answered).finished()
    }
  }
  await window.visit(issues)
  await page.keyboard.press('f')
  const release = await heldBack(/\/completions\?kind=label&search=do$/)
  await page.keyboard.type('label:d')
  const completion = page.locator('#filter-completions [role=option]')
  await completion.locator(':scope:has-text("doors")').waitFor()
  await page.keyboard.type('o')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  const chosen = page.locator('#filter-completions [aria-selected=true]')
  const value = await chosen.getAttribute('data-value')
  await chosen.evaluate(option => option.setAttribute('data-earlier', ''))
  await release()
  await page.waitForSelector('#filter-completions:not(:has([data-earlier]))')
  assert.equal(await page.getAttribute('#filter', 'aria-activedescendant'), await chosen.getAttribute('id'))
  await page.keyboard.press('Enter')
  assert.equal(await page.inputValue('#filter'), `label:${value} `)

  await page.keyboard.press('Control+k')
  await page.waitForSelector('command-palette dialog[open]')
  await page.keyboard.type('lamp-')
  const found = page.locator(`command-palette [role=option][data-href="/${second.full_path}"]`)
  await found.waitFor()
  const answer = await heldBack(/\/-\/palette\?search=lamp-t&/)
  await page.keyboard.type('t')
  while ((await found.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown')
  await found.evaluate(option => option.setAttribute('data-earlier', ''))
  await answer()
  await page.waitForSelector('command-palette [role=listbox]:not(:has([data-earlier]))')
  assert.equal(await found.getAttribute('aria-selected'), 'true')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${url}/${second.full_path}`)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await window.close()
})

test('the palette changes the colours of the page that is shown, which keeps them', async () => {
  const { window, page, issues } = await maintainer()
  await window.visit(issues)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('theme: dark')
  await page.waitForSelector('[role=option]:only-child, [role=option] >> text=Colour theme: Dark')
  await page.keyboard.press('Enter')
  await page.waitForSelector('html[data-color-mode=dark]')
  assert.equal(page.url(), `${scene.url}${issues}`)
  await page.reload()
  assert.equal(await page.getAttribute('html', 'data-color-mode'), 'dark')
  await window.check()
  await window.close()
})

test('the help on keys has those of the page, and no two of them are the same; the name of the window follows the title', async () => {
  const { project, window, page, issues } = await maintainer()
  await window.visit(`${issues}/1`)
  await page.keyboard.press('?')
  const help = page.locator('#keyboard-help')
  await help.waitFor()
  const shown = async () => (await help.locator('dt').allInnerTexts()).map(key => key.trim())
  const here = await help.locator('[data-page-keys] dl').innerText()
  for (const says of ['Edit', 'Change: Assignees', 'Change: Labels', 'Change: Milestone']) assert.match(here, new RegExp(says))
  const keys = await shown()
  assert.deepEqual(keys.toSorted(), [...new Set(keys)].toSorted())
  await window.check()
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await page.waitForURL(`${url}/dashboard/issues`)

  await window.visit(`${issues}/1`)
  await page.keyboard.press('l')
  await page.locator('#edit-labels').getByRole('button', { name: 'Save' }).waitFor()
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate(() => document.activeElement?.closest('turbo-frame')?.id), 'edit-labels', 'the key leads into its menu')

  await window.visit(`${issues}/1`)
  await scene.root.put(`${project.url}/issues/1`, { title: 'The lamp is out' })
  await page.waitForSelector('h1:has-text("The lamp is out")')
  await eventually(async () => (await page.title()).startsWith('The lamp is out'), 'the name of the window to follow')
  await window.close()
})

test('the tabs count commits, pipelines and changes; the tree of changed files has its counts in a column, and shortens long names', async () => {
  const { project, window, page } = await maintainer()
  const change = (branch: string, action: string, more: object = {}) =>
    scene.root.post(`${project.url}/repository/commits`, {
      branch,
      commit_message: 'Lamps',
      actions: ['a.txt', `${'a-long-name-'.repeat(6)}.txt`].map(file_path => ({ action, file_path, content: `${branch}\n` })),
      ...more,
    })
  await change('main', 'create')
  await change('brighter', 'update', { start_branch: 'main' })
  await scene.root.post(`${project.url}/merge_requests`, { source_branch: 'brighter', target_branch: 'main', title: 'Brighter' })
  await window.visit(`/${project.full_path}/-/merge_requests/1/diffs`)
  const tabs = page.getByRole('navigation', { name: 'Parts of the merge request' })
  assert.deepEqual(await tabs.locator('a:has(.counter)').allInnerTexts(), ['Commits 1', 'Pipelines 0', 'Changes 2'])
  const counts = page.locator('.file-tree .counts')
  await counts.nth(1).waitFor()
  const ends = await Promise.all([0, 1].map(async at => counts.nth(at).boundingBox()))
  const [first, second] = ends.map(box => box && Math.round(box.x + box.width))
  assert.equal(first, second)
  const heights = await Promise.all([0, 1].map(async at => (await page.locator('.file-tree a').nth(at).boundingBox())?.height))
  assert.equal(heights[0], heights[1], 'a long name has one line')
  await window.close()
})
