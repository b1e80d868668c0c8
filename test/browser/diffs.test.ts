/** What people do with the changes of a merge request, in a real browser: with a mouse, by keyboard alone, without scripts. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { startTaskWorker } from '../../src/server/tasks.ts'
import { atEnd } from '../at_end.ts'
import { eventually } from '../eventually.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { waysIn } from './hands.ts'
import { signIn, visitor } from './visitor.ts'

const scene = await openScene()
const worker = await startTaskWorker(scene.deps, { concurrency: 2 })
atEnd(() => worker.stop())
const { surfer } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

const viewed = (page: Page, file: string) => page.getByRole('button', { name: new RegExp(`^Viewed ?: ${file}$`) })
const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).first()

const numbered = (changed: string): string => Array.from({ length: 60 }, (_, at) => `${at === 29 ? changed : `line ${at + 1}`}\n`).join('')

/** A merge request that changes three files in two folders; `push` changes one of them again. */
async function place() {
  const { person } = await surfer()
  const { project } = await scene.project({ visibility: 'private' })
  await scene.root.post(`${project.url}/members`, { user_id: person.id, access_level: 40 })
  const before = { 'docs/guide.md': '# Guide\n', 'src/lamps/long.txt': numbered('dark'), 'src/lamps/shade.txt': 'grey\n' }
  await scene.commit(project, before, { branch: 'main' })
  const after = { 'docs/guide.md': '# The guide\n', 'src/lamps/long.txt': numbered('bright'), 'src/lamps/shade.txt': 'white\n' }
  const change = async (files: Readonly<Record<string, string>>, start_branch?: string) => {
    const actions = Object.entries(files).map(([file_path, content]) => ({ action: 'update', file_path, content }))
    const { body } = await scene.root.post(`${project.url}/repository/commits`, {
      branch: 'lamps',
      ...(start_branch === undefined ? {} : { start_branch }),
      commit_message: 'Change the lamps',
      actions,
    })
    return String(body.id)
  }
  await change(after, 'main')
  const { iid, url: api } = await scene.mergeRequest(project, { source_branch: 'lamps' })
  const push = async (content: string) => {
    const head = await change({ 'src/lamps/shade.txt': content })
    await eventually(async () => (await scene.root.get(api)).body.sha === head, 'the new version')
  }
  return { person, api, page: `/${project.full_path}/-/merge_requests/${iid}/diffs`, push }
}

for (const [way, options, hands] of waysIn(import.meta.url))
  describe(`a reviewer, ${way}`, () => {
    test('reads changes side by side with their surroundings, marks files, finds one in the tree, and sees what came since the last look', async () => {
      const { person, page: address, push } = await place()
      const hasScripts = options.javaScriptEnabled !== false
      const window = await visitor(browser, url, options)
      const { page } = window
      const by = hands(page)
      await signIn(window, url, { username: person.username, password })
      await window.visit(address)
      await page.waitForSelector('text=3 files changed')

      await by.press(link(page, 'Side by side'))
      await page.waitForSelector('table.diff.parallel td.old.removed:has-text("dark")')
      await page.waitForSelector('td.new.added:has-text("bright")')
      await window.check()

      await by.press(link(page, 'Show 20 lines up to line 26'))
      await page.waitForSelector('text=line 8')
      assert.equal(await page.isVisible('td:has-text("line 6")'), false)
      if (!hasScripts) {
        await page.waitForSelector('h1:has-text("Lines of src/lamps/long.txt")')
        await page.goBack()
      }
      await window.check()

      await by.press(viewed(page, 'docs/guide.md'))
      await page.waitForSelector('text=1 of 3 viewed')
      await page.waitForSelector('.file-tree li.viewed:has-text("guide.md")')
      assert.equal(await page.isVisible('td:has-text("The guide")'), false, 'what was viewed is folded')
      await by.press(viewed(page, 'src/lamps/shade.txt'))
      await page.waitForSelector('text=2 of 3 viewed')
      await page.reload()
      await page.waitForSelector('text=2 of 3 viewed')

      if (hasScripts) {
        await by.write(page.getByLabel('Part of a path'), 'shade')
        await page.waitForSelector('.file-tree a:has-text("long.txt")', { state: 'hidden' })
      }
      await by.press(page.locator('.file-tree a', { hasText: 'shade.txt' }))
      await page.waitForURL(/#diff-/)

      if (hasScripts) {
        await push('dark\n')
        const news = link(page, /New changes were pushed/)
        await news.waitFor()
        // What has come since the commit that is shown, however often the page is updated meanwhile.
        const head = await page.locator('newer-changes').getAttribute('data-head')
        await push('black\n')
        await page.waitForSelector(`newer-changes:not([data-head="${head}"])`)
        await by.press(news)
      } else {
        await push('black\n')
        await page.goto(url + address)
        await page.waitForSelector('text=1 of 3 viewed')
        await by.press(link(page, 'Since my last look'))
      }
      await page.waitForURL(/start_sha=/)
      await page.waitForSelector('text=1 file changed')
      await page.waitForSelector('td.new.added:has-text("black")')
      await window.check()
      await window.close()
    })
  })

test('keys go from file to file and mark them; on a narrow window the columns stand below each other', async () => {
  const { person, page: address } = await place()
  const window = await visitor(browser, url)
  const { page } = window
  await signIn(window, url, { username: person.username, password })
  await window.visit(`${address}?view=parallel`)
  await page.keyboard.press(']')
  await page.keyboard.press(']')
  await page.keyboard.press('v')
  await page.waitForSelector('.diff-file.viewed:has-text("long.txt")')
  await page.keyboard.press('[')
  await page.keyboard.press('v')
  await page.waitForSelector('text=2 of 3 viewed')

  await page.setViewportSize({ width: 390, height: 800 })
  const top = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y ?? 0
  assert.ok((await top('td.text.new.added:has-text("white")')) > (await top('td.text.old.removed:has-text("grey")')))
  await window.check()
  await window.close()
})

test('what is below a small change stays where it is while the page of its commit comes', async () => {
  const { project } = await scene.project({ visibility: 'public' })
  await scene.commit(project, { 'a.txt': 'grey\n' }, { branch: 'main' })
  const window = await visitor(browser, url)
  const { page } = window
  await page.addInitScript(`window.moved = 0
    new PerformanceObserver(seen => { for (const { value } of seen.getEntries()) window.moved += value }).observe({ type: 'layout-shift', buffered: true })`)
  await window.visit(`/${project.full_path}/-/commit/main`)
  await page.waitForSelector('#commit-refs[complete] a')
  const moved = await page.evaluate(
    'new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(window.moved)))))',
  )
  assert.equal(moved, 0)
  await window.close()
})

test('n goes through the unresolved threads as they stand on the page, whichever was begun first', async () => {
  const { person, page: address, api } = await place()
  const { diff_refs } = (await scene.root.get(api)).body
  for (const [path, line] of [
    ['src/lamps/shade.txt', 1],
    ['docs/guide.md', 1],
    ['src/lamps/long.txt', 30],
  ] as const) {
    const position = { ...diff_refs, position_type: 'text', old_path: path, new_path: path, new_line: line }
    assert.equal((await scene.root.post(`${api}/discussions`, { body: `About ${path}`, position })).status, 201)
  }
  const window = await visitor(browser, url)
  await signIn(window, url, { username: person.username, password })
  await window.visit(address)
  const { page } = window
  await page.waitForSelector('text=About src/lamps/shade.txt')
  const visited: string[] = []
  for (const key of ['n', 'n', 'n', 'n', 'p', 'p']) {
    await page.keyboard.press(key)
    visited.push(/About (\S+)/.exec((await page.locator('.diff-thread:focus').textContent()) ?? '')?.[1] ?? '')
  }
  const [guide, long, shade] = ['docs/guide.md', 'src/lamps/long.txt', 'src/lamps/shade.txt']
  assert.deepEqual(visited, [guide, long, shade, guide, shade, long])
  await window.close()
})
