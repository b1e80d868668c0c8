/** What changes while a person looks arrives by itself, and disturbs nothing that they do. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Request } from 'playwright-core'
import { assignResource } from '../../src/ci/resource_groups/assign.ts'
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

test('a push and a to-do item arrive on the page of a project that is open', async () => {
  const { person } = await surfer()
  const { project } = await scene.project({ visibility: 'public' })
  await scene.root.post(`${project.url}/members`, { user_id: person.id, access_level: 30 })
  const someone = await visitor(browser, url)
  const { page } = someone
  await signIn(someone, url, { username: person.username, password })
  await scene.root.post(`${project.url}/repository/commits`, {
    branch: 'main',
    commit_message: 'Begin',
    actions: [{ action: 'create', file_path: 'README.md', content: '# Lamps' }],
  })
  await someone.visit(`/${project.full_path}`)
  // What a person has begun stays: an open menu, and the text of a search.
  await page.click('#code details summary')
  // The menu gives the focus to its field in a task of its own, and what is typed goes to what has the focus.
  await page.waitForSelector('#code details[open] [data-menu-field]:focus')
  await page.fill('#global-search', 'lamp')

  await scene.root.post(`${project.url}/repository/commits`, {
    branch: 'main',
    commit_message: 'Add the lamp',
    actions: [{ action: 'create', file_path: 'lamp.txt', content: 'light' }],
  })
  await page.waitForSelector('#code >> text=lamp.txt')
  assert.equal(await page.inputValue('#global-search'), 'lamp')
  assert.ok(await page.isVisible('#code details[open]'), 'the menu is still open')
  assert.equal(await page.textContent('#announcements'), 'The page was updated')

  await scene.root.post(`${project.url}/issues`, { title: 'Light it', assignee_ids: person.id })
  await page.waitForSelector('#global-counters a[aria-label="To-dos: 1"]')
  await someone.check()

  // The list of to-do items grows too, and after a visit elsewhere the stream is that of the new page.
  await page.click('#global-counters a[aria-label^="To-dos"]')
  await page.waitForSelector('#todos >> text=Light it')
  await scene.root.post(`${project.url}/issues`, { title: 'Put it out', assignee_ids: person.id })
  await page.waitForSelector('#todos >> text=Put it out')
  await someone.close()
})

test('a person who may no longer see a page hears nothing more', async () => {
  const { person } = await surfer()
  const { project } = await scene.project({ visibility: 'private' })
  await scene.root.post(`${project.url}/members`, { user_id: person.id, access_level: 20 })
  const someone = await visitor(browser, url)
  await signIn(someone, url, { username: person.username, password })
  await someone.visit(`/${project.full_path}/-/activity`)

  await scene.root.delete(`${project.url}/members/${person.id}`)
  await scene.root.post(`${project.url}/issues`, { title: 'A secret' })
  const other = await scene.project({ visibility: 'public' })
  await scene.root.post(`${other.project.url}/members`, { user_id: person.id, access_level: 30 })
  await scene.root.post(`${other.project.url}/issues`, { title: 'Later', assignee_ids: person.id })

  await someone.page.waitForSelector('#global-counters a[aria-label="To-dos: 1"]')
  assert.ok(!(await someone.page.textContent('body'))?.includes('A secret'))
  await someone.close()
})

test('the rules of a project are followed: what is protected, freezes, and who has a resource', async () => {
  const { person } = await surfer()
  const { project } = await scene.project({ visibility: 'private' })
  await scene.root.post(`${project.url}/members`, { user_id: person.id, access_level: 40 })
  const someone = await visitor(browser, url)
  const { page } = someone
  await signIn(someone, url, { username: person.username, password })
  const settings = `/${project.full_path}/-/settings`
  const shows = (text: string) => page.waitForSelector(`#things >> text=${text}`)

  await someone.visit(`${settings}/protected_branches`)
  const branches = `${project.url}/protected_branches`
  await scene.root.post(branches, { name: 'stable', push_access_level: 40, merge_access_level: 40 })
  await shows('stable')
  await scene.root.patch(`${branches}/stable`, { allowed_to_push: [{ access_level: 0 }] })
  await shows('No one')

  await someone.visit(`${settings}/protected_tags`)
  await scene.root.post(`${project.url}/protected_tags`, { name: 'v*' })
  await shows('v*')

  await someone.visit(`${settings}/protected_environments`)
  await scene.root.post(`${project.url}/protected_environments`, { name: 'production', deploy_access_levels: [{ access_level: 40 }] })
  await shows('production')
  await scene.root.delete(`${project.url}/protected_environments/production`)
  await shows('Nothing here yet')

  await someone.visit(`${settings}/freeze_periods`)
  await scene.root.post(`${project.url}/freeze_periods`, { freeze_start: '0 23 * * 5', freeze_end: '0 7 * * 1' })
  await shows('only on Friday')

  await someone.visit(`${settings}/resource_groups`)
  await scene.commit(project, { '.gitlab-ci.yml': 'ship: { script: [make ship], resource_group: crane }\n' })
  const [pipeline] = (await scene.root.get(`${project.url}/pipelines`)).body
  assert.equal(pipeline, undefined, 'no worker runs here')
  await scene.root.post(`${project.url}/pipeline?ref=main`)
  await shows('Waiting:')
  await someone.check()
  const [group] = (await scene.root.get(`${project.url}/resource_groups`)).body
  await assignResource(scene.deps, { resource_group_id: group.id })
  await shows('Held by')
  await someone.close()
})

test('a change stays due while its page cannot be had for a moment', async () => {
  const { person } = await surfer()
  const { project } = await scene.project({ visibility: 'public' })
  const { body: issue } = await scene.root.post(`${project.url}/issues`, { title: 'The lamp smokes' })
  const someone = await visitor(browser, url)
  const { page } = someone
  await signIn(someone, url, { username: person.username, password })
  const path = `/${project.full_path}/-/issues/${issue.iid}`
  const refusals = ['too many', 'no connection', 'not ready']
  const isRefresh = (request: Request) => 'x-live-refresh' in request.headers()
  await page.route(url + path, async route => {
    const refusal = isRefresh(route.request()) ? refusals.shift() : undefined
    if (refusal === undefined) return route.continue()
    if (refusal === 'no connection') return route.abort('connectionrefused')
    return route.fulfill({ status: refusal === 'not ready' ? 503 : 429, headers: { 'retry-after': '1' }, body: refusal })
  })
  // The first update of a slow machine may be under way before the note is written: none passes the refusals.
  await someone.visit(path)

  await scene.root.post(`${project.url}/issues/${issue.iid}/notes`, { body: 'The wick is too long' })

  const note = await page.waitForSelector('text=The wick is too long')
  // What is seen before the page could be had again says where it came from.
  assert.deepEqual(refusals, [], `${new Date().toISOString()} ${await note.evaluate('note => note.closest("article, li, div").outerHTML')}`)
  await someone.close()
})

test('a page that is refused to a person is not asked for again', async () => {
  const { person } = await surfer()
  const { project } = await scene.project({ visibility: 'public' })
  const { body: issue } = await scene.root.post(`${project.url}/issues`, { title: 'The lamp smokes' })
  const someone = await visitor(browser, url)
  const { page } = someone
  await signIn(someone, url, { username: person.username, password })
  const path = `/${project.full_path}/-/issues/${issue.iid}`
  await someone.visit(path)
  let asked = 0
  const isRefused = await page.route(url + path, route => {
    asked++
    return route.fulfill({ status: 404, body: 'gone' })
  })
  assert.ok(isRefused)
  const refused = page.waitForResponse(response => response.status() === 404)
  await scene.root.post(`${project.url}/issues/${issue.iid}/notes`, { body: 'First' })
  await refused

  // The next change is one of its own: the first is no longer due.
  await page.unroute(url + path)
  const due = page.waitForResponse(response => 'x-live-refresh' in response.request().headers())
  await scene.root.post(`${project.url}/issues/${issue.iid}/notes`, { body: 'Second' })
  await due
  await page.waitForSelector('text=Second')
  assert.equal(asked, 1)
  await someone.close()
})

test('what is pressed on the copy of a page is clicked, though the page itself comes before it is released', async () => {
  const { project } = await scene.project({ visibility: 'public' })
  await scene.root.post(`${project.url}/issues`, { title: 'The lamp smokes' })
  const someone = await visitor(browser, url)
  const { page } = someone
  const issues = `/${project.full_path}/-/issues`
  const bar = page.locator('.tabs-shown')
  const copyOfIssues = () => page.waitForSelector('html[data-turbo-preview] >> text=The lamp smokes', { state: 'attached' })
  await someone.visit(issues)
  await bar.getByRole('link', { name: 'Merge requests' }).click()
  await page.waitForURL(`${url}/${project.full_path}/-/merge_requests`)
  const answer = Promise.withResolvers<void>()
  await page.route(url + issues, async route => {
    await answer.promise
    await route.continue()
  })
  await bar.getByRole('link', { name: 'Issues', exact: true }).click()
  await copyOfIssues()

  await page.getByRole('link', { name: 'The lamp smokes' }).hover()
  await page.mouse.down()
  const answered = page.waitForEvent('requestfinished', request => request.url() === url + issues)
  answer.resolve()
  await answered
  // A page that waited for nothing would be drawn with the first of them.
  for (let frame = 0; frame < 5; frame++) await page.evaluate('new Promise(requestAnimationFrame)')
  await page.mouse.up()

  await page.waitForURL(`${url}${issues}/1`)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await someone.close()
})
