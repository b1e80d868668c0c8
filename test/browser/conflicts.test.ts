/** A conflict is resolved in the browser: with a mouse, by keyboard alone, without scripts; and two who see each other. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { startTaskWorker } from '../../src/server/tasks.ts'
import { atEnd } from '../at_end.ts'
import { eventually } from '../eventually.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { keyboard, waysIn } from './hands.ts'
import { shows, signIn, visitor } from './visitor.ts'

const scene = await openScene()
const worker = await startTaskWorker(scene.deps, { concurrency: 2 })
atEnd(() => worker.stop())
const { surfer } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

const lines = (...changed: readonly (readonly [number, string])[]) => {
  const all = Array.from({ length: 24 }, (_, index) => `line ${index + 1}`)
  for (const [at, text] of changed) all[at - 1] = text
  return `${all.join('\n')}\n`
}

/** A project of two people whose branches conflict in two files. */
async function place() {
  const { person } = await surfer()
  const { person: other } = await surfer()
  const { project } = await scene.project({ visibility: 'private' })
  for (const { id } of [person, other]) await scene.root.post(`${project.url}/members`, { user_id: id, access_level: 40 })
  const commit = (branch: string, file: string, notes: string, more: object = {}) =>
    scene.root.post(`${project.url}/repository/commits`, {
      branch,
      commit_message: `Change ${branch}`,
      actions: [
        { action: 'update', file_path: 'lamp.ts', content: file },
        { action: 'update', file_path: 'docs/notes with <b>.md', content: notes },
      ],
      ...more,
    })
  await scene.root.post(`${project.url}/repository/commits`, {
    branch: 'main',
    commit_message: 'Begin',
    actions: [
      { action: 'create', file_path: 'lamp.ts', content: lines() },
      { action: 'create', file_path: 'docs/notes with <b>.md', content: 'one\n' },
    ],
  })
  await commit('topic', lines([2, 'const lamp = "bright"'], [20, 'export { lamp }']), 'ours\n', { start_branch: 'main' })
  await commit('main', lines([2, 'const lamp = "dark"'], [20, 'export default lamp']), 'theirs\n')
  const { body } = await scene.root.post(`${project.url}/merge_requests`, {
    source_branch: 'topic',
    target_branch: 'main',
    title: 'Brighter',
  })
  const api = `${project.url}/merge_requests/${body.iid}`
  await eventually(async () => (await scene.root.get(api)).body.merge_status === 'cannot_be_merged', 'the check')
  return { person, other, project, api, page: `/${project.full_path}/-/merge_requests/${body.iid}` }
}

for (const [way, options, hands] of waysIn(import.meta.url))
  describe(`a maintainer, ${way}`, () => {
    test('chooses sides, edits a file, and commits both; the merge request can then be merged', async () => {
      const { person, project, api, page: address } = await place()
      const window = await visitor(browser, url, options)
      const { page } = window
      const by = hands(page)
      await signIn(window, url, { username: person.username, password })
      await window.visit(address)
      await page.waitForSelector('#merge-box >> text=The branches conflict.')
      await window.check()
      await by.press(page.getByRole('link', { name: 'Resolve the conflicts' }))
      await page.waitForURL(/\/conflicts$/)
      await page.waitForSelector('text=Conflict 2 of 2')
      await window.check()
      const first = page.locator('.conflict-file', { hasText: 'lamp.ts' })
      const side = (index: number, value: string) => first.locator('[data-conflict]').nth(index).locator(`input[value=${value}]`)
      await by.tick(side(0, 'ours'))
      // By keyboard the arrows lead from one choice to the other.
      if (hands === keyboard) {
        await by.tick(side(1, 'ours'))
        await page.keyboard.press('ArrowDown')
      } else await by.tick(side(1, 'theirs'))
      // The other file is not decided yet.
      await by.press(page.getByRole('button', { name: 'Commit to topic' }))
      await page.waitForSelector('text=one conflict is not decided')
      assert.equal(await side(1, 'theirs').isChecked(), true)
      const second = page.locator('.conflict-file', { hasText: 'notes with <b>.md' })
      await by.press(second.locator('summary'))
      if (options.javaScriptEnabled === false) {
        await by.tick(second.locator('[data-use-text]'))
        await by.write(second.locator('textarea'), 'ours and theirs\n')
      } else {
        const editor = second.locator('.cm-content')
        await editor.focus()
        await page.keyboard.press('Control+a')
        await page.keyboard.insertText('ours and theirs\n')
        await page.waitForSelector('text=3 of 3 decided')
        assert.equal(await second.locator('[data-use-text]').isChecked(), true)
      }
      await window.check()
      await by.press(page.getByRole('button', { name: 'Commit to topic' }))
      await page.waitForURL(new RegExp(`${address}$`))
      await page.waitForSelector('text=The conflicts were resolved.')
      await eventually(async () => (await scene.root.get(api)).body.merge_status === 'can_be_merged', 'the check')
      const raw = async (path: string) =>
        (await scene.root.get(`${project.url}/repository/files/${encodeURIComponent(path)}`, { ref: 'topic' })).body
      const text = async (path: string) => Buffer.from((await raw(path)).content, 'base64').toString()
      assert.equal(await text('lamp.ts'), lines([2, 'const lamp = "bright"'], [20, 'export default lamp']))
      assert.equal(await text('docs/notes with <b>.md'), 'ours and theirs\n')
      await shows(page, { hasScripts: options.javaScriptEnabled !== false }, '#merge-box >> text=Ready to be merged.')
      await window.check()
      await window.close()
    })
  })

// Without a script nothing arrives by itself.
for (const [way, , hands] of waysIn(import.meta.url).filter(([, { javaScriptEnabled = true }]) => javaScriptEnabled))
  test(`while one resolves a conflict the other one sees it, and what is half chosen is kept: ${way}`, async () => {
    const { person, other, page: address, project, api } = await place()
    const [window, second] = [await visitor(browser, url), await visitor(browser, url)]
    await signIn(window, url, { username: person.username, password })
    await signIn(second, url, { username: other.username, password })
    await window.visit(`${address}/conflicts`)
    await second.visit(`${address}/conflicts`)
    const [by, theirs] = [hands(window.page), hands(second.page)]
    await theirs.tick(second.page.locator('[data-choice=ours]').first())
    // The page is made again by what changes meanwhile, and what its scripts have shown stays.
    const refreshed = window.page.waitForResponse(response => 'x-live-refresh' in response.request().headers())
    await scene.root.put(api, { title: 'Much brighter' })
    await (await refreshed).finished()
    await window.page.waitForSelector('text=0 of 3 decided')
    await by.press(window.page.getByRole('button', { name: 'All theirs' }))
    await window.page.waitForSelector('text=3 of 3 decided')
    await by.press(window.page.getByRole('button', { name: 'Commit to topic' }))
    await window.page.waitForSelector('text=The conflicts were resolved.')
    await second.page.waitForSelector('text=A branch has moved, or the conflicts were resolved')
    assert.equal(await second.page.locator('[data-choice=ours]').first().isChecked(), true)
    const tip = async () => (await scene.root.get(`${project.url}/repository/branches/topic`)).body.commit.id
    const before = await tip()
    await theirs.press(second.page.getByRole('button', { name: 'Commit to topic' }))
    await second.page.waitForSelector('text=A branch has moved since this page was loaded')
    await second.page.waitForSelector('text=No conflicts')
    assert.equal(await tip(), before)
    await window.page.waitForSelector('#merge-box >> text=Ready to be merged.')
    // No page that fetches itself again is open when the server ends.
    for (const each of [window, second]) await each.visit('/explore')
    for (const each of [window, second]) await each.close()
  })

test('choices that were refused since a branch has moved stay when the page changes after that', async () => {
  const { person, page: address, project, api } = await place()
  const window = await visitor(browser, url)
  await signIn(window, url, { username: person.username, password })
  await window.visit(`${address}/conflicts`)
  const choice = window.page.locator('[data-choice=ours]').first()
  await choice.check()
  await scene.root.post(`${project.url}/repository/commits`, {
    branch: 'topic',
    commit_message: 'Add',
    actions: [{ action: 'create', file_path: 'more.txt', content: 'more' }],
  })
  await window.page.getByRole('button', { name: 'Commit to topic' }).click()
  await window.page.waitForSelector('text=Your choices are kept')
  await scene.root.put(api, { title: 'Much brighter' })
  await window.page.waitForSelector('h1 >> text=Much brighter')
  assert.equal(await choice.isChecked(), true)
  await window.visit('/explore')
  await window.close()
})
