/** What people do with merge requests, in a real browser: with a mouse, by keyboard alone, without scripts; and two of them together. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { uploadTo } from '../../src/ci/artifacts/scene.ts'
import { runningJob } from '../../src/ci/jobs/scene.ts'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { startTaskWorker } from '../../src/server/tasks.ts'
import { atEnd } from '../at_end.ts'
import { eventually } from '../eventually.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { waysIn } from './hands.ts'
import { shows, signIn, visitor } from './visitor.ts'

const scene = await openScene()
const worker = await startTaskWorker(scene.deps, { concurrency: 2 })
atEnd(() => worker.stop())
const { surfer } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).first()
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' }).first()

/** A project of `person` with a branch to merge, and an issue that its merge closes. */
async function place() {
  const { person } = await surfer()
  const { project } = await scene.project({ visibility: 'private' })
  await scene.root.post(`${project.url}/members`, { user_id: person.id, access_level: 40 })
  const commits = `${project.url}/repository/commits`
  const actions = [{ action: 'create', file_path: 'lamp.txt', content: 'dark\n' }]
  await scene.root.post(commits, { branch: 'main', commit_message: 'Begin', actions })
  const changed = [{ action: 'update', file_path: 'lamp.txt', content: 'bright\n' }]
  await person.post(commits, { branch: 'brighter-lamp', start_branch: 'main', commit_message: 'Brighten the lamp', actions: changed })
  await scene.root.post(`${project.url}/issues`, { title: 'It is dark' })
  return { person, project, mergeRequests: `/${project.full_path}/-/merge_requests` }
}

for (const [way, options, hands] of waysIn(import.meta.url))
  describe(`a maintainer, ${way}`, () => {
    test('opens a merge request of the branch that they have just pushed, discusses and approves it, resolves the thread, and merges it', async () => {
      const { person, project, mergeRequests } = await place()
      await scene.root.put(`${scene.url}/api/v4/projects/${project.id}`, { only_allow_merge_if_all_discussions_are_resolved: true })
      const window = await visitor(browser, url, options)
      const { page } = window
      const by = hands(page)
      const live = { hasScripts: options.javaScriptEnabled !== false }
      page.on('dialog', dialog => void dialog.accept())
      await signIn(window, url, { username: person.username, password })
      await window.visit(mergeRequests)
      assert.equal(await link(page, /^Open a merge request/).isVisible(), true)
      await window.visit(`/${project.full_path}`)
      await by.press(link(page, /^Open a merge request/))
      await page.waitForURL(/\/merge_requests\/new\?merge_request/)
      await page.waitForSelector('[name=title]')
      assert.equal(await page.inputValue('[name=title]'), 'Brighten the lamp')
      assert.equal(await page.inputValue('[name=target_branch]'), 'main')
      await by.write(page.locator('textarea[name=description]'), 'Closes #1')
      await by.press(button(page, 'Open merge request'))
      await page.waitForURL(/\/merge_requests\/1$/)
      await page.waitForSelector('text=The merge request was opened.')
      await window.check()

      await by.press(page.locator('summary[aria-label="Change: Labels"]'))
      if (!live.hasScripts) await by.press(page.locator('#edit-labels').getByRole('link', { name: 'Change' }))
      await by.write(page.getByLabel(/^New labels/), 'lamps')
      await by.press(page.locator('#edit-labels').getByRole('button', { name: 'Save' }))
      await page.waitForSelector('#mr-side >> text=lamps')
      await window.check()

      await by.press(link(page, /^Changes/))
      await page.waitForURL(/\/diffs$/)
      await page.waitForSelector('text=bright')
      await window.check()
      await by.press(page.locator('.subnav a', { hasText: 'Commits' }))
      await page.waitForSelector('text=Brighten the lamp')
      await window.check()
      await page.goto(`${url}${mergeRequests}/1`)

      await by.press(link(page, 'Start a thread'))
      await page.waitForURL(/\/discussions\/new$/)
      await by.write(page.locator('textarea[name=body]'), 'Is it bright enough?')
      await by.press(button(page, 'Start the thread'))
      await page.waitForSelector('#timeline .note-card:has-text("bright enough")')
      await page.waitForSelector('text=The thread was started.')
      await page.waitForSelector('#merge-box >> text=1 unresolved thread')
      await by.press(button(page, 'Approve'))
      await page.waitForSelector('#merge-box >> text=Approved by')
      await page.waitForSelector('text=You approved it.')
      await by.press(button(page, 'Resolve the thread'))
      await page.waitForSelector('text=Resolved thread by')
      await page.waitForSelector('text=The thread was changed.')

      // Whether the branches can be merged is found out in the background; without scripts a reload asks again.
      await shows(page, live, 'text=Ready to be merged.')
      await window.check()
      await by.press(button(page, 'Merge'))
      await page.waitForSelector('#mr-head >> text=Merged')
      await eventually(
        async () => (await scene.root.get(`${project.url}/merge_requests/1`)).body.state === 'merged',
        'the merge request to be merged',
      )
      await page.goto(`${url}/${project.full_path}/-/blob/main/lamp.txt`)
      await page.waitForSelector('text=bright')
      await page.goto(`${url}/${project.full_path}/-/issues/1`)
      await shows(page, live, '#issue-head >> text=Closed')
      assert.equal((await scene.root.get(`${project.url}/issues/1`)).body.state, 'closed')
      await window.close()
    })
  })

test('the merge box and the timeline follow what others do', async () => {
  const { person, project, mergeRequests } = await place()
  await scene.root.post(`${project.url}/merge_requests`, {
    source_branch: 'brighter-lamp',
    target_branch: 'main',
    title: 'Draft: Brighter',
  })
  const window = await visitor(browser, url)
  const { page } = window
  await signIn(window, url, { username: person.username, password })
  await window.visit(`${mergeRequests}/1`)
  await page.waitForSelector('#merge-box >> text=It is a draft.')
  await page.fill('#field-body', 'half a sen')

  await scene.root.put(`${project.url}/merge_requests/1`, { title: 'Brighter' })
  await page.waitForSelector('#merge-box >> text=Ready to be merged.')
  await scene.root.post(`${project.url}/merge_requests/1/approve`, {})
  await page.waitForSelector('#merge-box >> text=Approved by')
  const { sha } = (await scene.root.get(`${project.url}/merge_requests/1`)).body
  const job = await runningJob(scene, project, person, { sha, ref: 'brighter-lamp' })
  const finding = { fingerprint: 'f', description: 'Too bright', severity: 'minor', location: { path: 'lamp.txt', lines: { begin: 1 } } }
  await uploadTo(scene, job, Buffer.from(JSON.stringify([finding])), { artifact_type: 'codequality', artifact_format: 'raw' })
  await page.waitForSelector('#merge-box >> text=Code quality: 1 found')
  await scene.root.post(`${project.url}/merge_requests/1/notes`, { body: 'I would merge it' })
  await page.waitForSelector('#timeline .note-card:has-text("I would merge it")')
  await scene.root.put(`${project.url}/merge_requests/1/merge`, {})
  await page.waitForSelector('#merge-box >> text=Merged')
  assert.equal(await page.inputValue('#field-body'), 'half a sen')
  await window.check()
  // No page that fetches itself again is open when the server ends.
  await window.visit('/explore')
  await window.close()
})
