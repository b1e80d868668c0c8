/** What people meet on bad days, in a real browser: hostile texts, ended sessions, branches that move, lines that go, and lines of megabytes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { startTaskWorker } from '../../src/server/tasks.ts'
import { atEnd } from '../at_end.ts'
import { eventually } from '../eventually.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { signIn, visitor } from './visitor.ts'

const scene = await openScene()
const worker = await startTaskWorker(scene.deps, { concurrency: 2 })
atEnd(() => worker.stop())
const { surfer } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

const lines = (changed: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: 20 }, (_, at) => `${changed[at + 1] ?? `lamp ${at + 1}`}\n`).join('')

/** A maintainer, in a window of theirs, of a project with a merge request that changes a file. */
async function place({ before = lines(), after = lines({ 10: 'bright 10' }) } = {}) {
  const { person } = await surfer()
  const { project } = await scene.project({ visibility: 'private' })
  await scene.root.post(`${project.url}/members`, { user_id: person.id, access_level: 40 })
  await scene.commit(project, { 'lamps.txt': before }, { branch: 'main' })
  const push = async (branch: string, files: Readonly<Record<string, string>>, action = 'update', more: object = {}) => {
    const actions = Object.entries(files).map(([file_path, content]) => ({ action, file_path, content }))
    const answer = await scene.root.post(`${project.url}/repository/commits`, { branch, commit_message: 'Change', actions, ...more })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return answer
  }
  await push('brighter', { 'lamps.txt': after }, 'update', { start_branch: 'main' })
  const { iid, url: api } = await scene.mergeRequest(project, { source_branch: 'brighter' })
  const window = await visitor(browser, url)
  await signIn(window, url, { username: person.username, password })
  return { person, project, push, api, window, page: window.page, mergeRequest: `/${project.full_path}/-/merge_requests/${iid}` }
}

/** Each would run a script, load something from elsewhere, or leave its element, where it is not escaped. */
const hostile = "\"><img src=x onerror=pwned()><script>pwned()</script>'-pwned()-'<svg/onload=pwned()>"
const hostileMarkdown = [
  hostile,
  '[click](javascript:pwned())',
  '<a href="javascript:pwned()" onmouseover="pwned()" style="position:fixed;inset:0">all of it</a>',
  '![x](x" onerror="pwned())',
  '<iframe srcdoc="<script>pwned()</script>"></iframe><form action="https://example.com"><input name=password></form>',
  '<turbo-stream action="replace" target="merge-box"><template>gone</template></turbo-stream><turbo-frame src="/-/profile" id="x"></turbo-frame>',
  '<div id="merge-box" data-live="merge_request:1" data-turbo-confirm="x" class="merge-box sr-only">in its place</div>',
  '$`<img src=x onerror=pwned()>`$\n\n```math\n\\href{javascript:pwned()}{x}\n```\n\n```mermaid\ngraph TD; A["<img src=x onerror=pwned()>"]\n```',
  `| ${hostile} |\n|---|\n| ${hostile} |`,
].join('\n\n')

test('hostile texts in every field of planning and review are shown as they are, and nothing of them runs', async () => {
  const { project, api, window, page, mergeRequest } = await place()
  const post = async (to: string, body: object) => {
    const answer = await scene.root.post(to, body)
    assert.ok(answer.status < 300, `${to}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const label = await post(`${project.url}/labels`, { name: `l ${hostile}`.replaceAll(',', ''), color: '#ff0000', description: hostile })
  const milestone = await post(`${project.url}/milestones`, { title: hostile, description: hostileMarkdown, due_date: '2031-01-01' })
  const issue = { title: hostile, description: hostileMarkdown, labels: label.name, milestone_id: milestone.id }
  const { iid } = await post(`${project.url}/issues`, issue)
  await post(`${project.url}/issues/${iid}/discussions`, { body: hostileMarkdown })
  const board = await post(`${project.url}/boards`, { name: hostile })
  await post(`${project.url}/boards/${board.id}/lists`, { label_id: label.id })
  await scene.root.put(api, { title: hostile, description: hostileMarkdown, labels: label.name, milestone_id: milestone.id })
  const { diff_refs } = (await scene.root.get(api)).body
  const position = { ...diff_refs, position_type: 'text', old_path: 'lamps.txt', new_path: 'lamps.txt', new_line: 10 }
  await post(`${api}/discussions`, { body: `${hostileMarkdown}\n\n\`\`\`suggestion:-0+0\n${hostile}\n\`\`\``, position })
  await post(`${api}/approval_rules`, { name: hostile, approvals_required: 0 })
  await post(`${project.url}/releases`, { tag_name: 'v1', ref: 'main', name: hostile, description: hostileMarkdown })

  let ran = 0
  await page.exposeFunction('pwned', () => ran++)
  const asked: string[] = []
  page.on('request', request => asked.push(request.url()))
  page.on('dialog', dialog => void dialog.dismiss())
  const at = `/${project.full_path}/-`
  for (const path of [
    `${at}/issues`,
    `${at}/issues/${iid}`,
    `${at}/issues/${iid}/edit`,
    `${at}/boards/${board.id}`,
    `${at}/milestones`,
    `${at}/milestones/${milestone.iid}`,
    `${at}/labels`,
    `${at}/releases`,
    `${at}/merge_requests`,
    mergeRequest,
    `${mergeRequest}/diffs`,
    `${mergeRequest}/suggestions`,
    `${mergeRequest}/edit`,
    `/search?search=${encodeURIComponent(hostile)}`,
    `${at}/search?scope=issues&search=img`,
    `${at}/issues?search=${encodeURIComponent(hostile)}`,
  ]) {
    assert.equal((await page.goto(url + path))?.status(), 200, path)
    await page.waitForLoadState('networkidle')
    await page.mouse.move(400, 500)
    assert.equal(ran, 0, path)
  }
  await page.goto(url + mergeRequest)
  assert.equal(await page.locator('#merge-box').count(), 1, 'ids of texts are none of the page')
  // Of the texts themselves: a diagram is drawn in a frame without rights, in the shadow of its element.
  const unwanted = '.markdown-body :is(form, iframe, turbo-frame, turbo-stream, script, [style], [onerror])'
  assert.equal(await page.evaluate(`document.querySelectorAll(${JSON.stringify(unwanted)}).length`), 0)
  assert.equal(await page.locator('h1', { hasText: 'onerror=pwned()' }).count(), 1, 'the title is a text')
  assert.deepEqual(
    asked.filter(to => !to.startsWith(url) && !to.startsWith('data:')),
    [],
  )
  await window.close()
})

test('a comment on a line that is sent after the session has ended is there again after signing in', async () => {
  const { person, window, page, mergeRequest } = await place()
  await window.visit(`${mergeRequest}/diffs`)
  const line = page.locator('tr.added', { hasText: 'bright 10' })
  const begin = async () => {
    await line.hover()
    await line.locator('.add-comment').click()
    await page.getByLabel('Comment', { exact: true }).waitFor()
  }
  await begin()
  await page.getByLabel('Comment', { exact: true }).fill('Long thoughts on a line')
  await scene.deps.database.db.deleteFrom('sessions').where('user_id', '=', person.id).execute()
  await page.getByRole('button', { name: 'Add comment now' }).click()
  await page.waitForSelector('[name=login]')
  await page.fill('[name=login]', person.username)
  await page.fill('[name=password]', password)
  await page.click('main button')
  await page.waitForURL(/\/diffs/)
  await begin()
  await page.waitForFunction(`document.querySelector('.comment-form textarea').value === 'Long thoughts on a line'`)
  await page.getByRole('button', { name: 'Add comment now' }).click()
  await page.waitForSelector('.diff-thread:has-text("Long thoughts on a line")')
  await window.close()
})

test('a push that takes a line away leaves its thread above the file, where both people look', async () => {
  const { api, push, window, page, mergeRequest } = await place()
  const { diff_refs } = (await scene.root.get(api)).body
  const position = { ...diff_refs, position_type: 'text', old_path: 'lamps.txt', new_path: 'lamps.txt', new_line: 10 }
  await scene.root.post(`${api}/discussions`, { body: 'Why bright?', position })
  await window.visit(`${mergeRequest}/diffs`)
  await page.waitForSelector('.below-line .diff-thread:has-text("Why bright?")')
  await push('brighter', { 'lamps.txt': lines({ 12: 'bright 12' }) })
  await page.getByRole('link', { name: /New changes were pushed/ }).click()
  await page.waitForURL(/start_sha=/)
  await page.goto(`${url}${mergeRequest}/diffs`)
  await page.waitForSelector('.file-threads .diff-thread:has-text("Why bright?") >> text=another version')
  await window.check()
  await window.close()
})

test('what was pushed to the target while one looks is merged with, and nothing of it is lost', async () => {
  const { project, push, window, page, mergeRequest } = await place()
  await window.visit(mergeRequest)
  await page.waitForSelector('#merge-box >> text=Ready to be merged.')
  await push('main', { 'other.txt': 'other\n' }, 'create')
  await page.locator('#merge-box').getByRole('button', { name: 'Merge', exact: true }).click()
  await page.waitForSelector('#mr-head >> text=Merged')
  for (const file of ['other.txt', 'lamps.txt'])
    assert.equal((await scene.root.get(`${project.url}/repository/files/${file}`, { ref: 'main' })).status, 200)
  await window.close()
})

test('a conflict that comes while one looks is said when one merges, and leads to where it is resolved', async () => {
  const { push, window, page, mergeRequest } = await place()
  await window.visit(mergeRequest)
  await page.waitForSelector('#merge-box >> text=Ready to be merged.')
  await push('main', { 'lamps.txt': lines({ 10: 'dark 10' }) })
  await page
    .locator('#merge-box')
    .getByRole('button', { name: 'Merge', exact: true })
    .or(page.getByRole('link', { name: 'Resolve the conflicts' }))
    .first()
    .click()
  await page.waitForSelector('text=/The branches conflict|in conflict/')
  await window.close()
})

test('a diff of a file with one line of five megabytes is there quickly, and stays usable when it is loaded', async () => {
  const large = (letter: string) => `${letter.repeat(5 * 1024 * 1024)}\n`
  const { window, page, mergeRequest } = await place({ before: large('a'), after: large('b') })
  const begun = Date.now()
  await window.visit(`${mergeRequest}/diffs`)
  await page.waitForSelector('.diff-file >> text=/are large|too large/')
  assert.ok(Date.now() - begun < 10_000, 'the page is there')
  const load = page.getByRole('link', { name: /Load them anyway/ })
  if (await load.isVisible()) {
    await load.click()
    await page.waitForSelector('.diff-file >> text=/more characters|too large to be shown/')
  }
  await window.check()
  const length = (await page.evaluate('document.documentElement.outerHTML.length')) as number
  assert.ok(length < 500_000, `the page has ${length} characters`)
  await window.close()
})

test('a form that does not reach the server says so, keeps what was typed, and can be sent again', async () => {
  const { person, page, window } = await place()
  await page.goto(`${url}/-/profile`)
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('Ida Unreached')
  const save = page.getByRole('button', { name: 'Save' }).first()
  await page.route('**/-/profile', route => route.abort())

  await save.click()

  const says = page.getByText('The server does not answer. What you have typed is still here: try again in a moment.')
  await says.filter({ visible: true }).first().waitFor()
  assert.equal(await name.inputValue(), 'Ida Unreached')
  await page.unroute('**/-/profile')
  await save.click()
  await page.locator('#content > .notice.success').waitFor()
  assert.equal(await page.locator('#content > .notice.danger').count(), 0)
  assert.equal((await scene.root.get(`/users/${person.id}`)).body.name, 'Ida Unreached')
  await window.close()
})

test('a template takes the place of the description alone, and not of what was typed elsewhere or without a question', async () => {
  const { project, window, page } = await place()
  await scene.commit(project, { '.gitlab/issue_templates/Bug.md': '## Steps\n', '.gitlab/merge_request_templates/Why.md': '## Why\n' })
  await scene.commit(project, { 'more.txt': 'more' }, { branch: 'more', start_branch: 'main' })
  const [title, description] = [page.locator('input[name=title]'), page.locator('textarea[name=description]')]
  for (const [form, template, text] of [
    ['issues/new', 'Bug', '## Steps'],
    ['merge_requests/new?merge_request[source_branch]=more', 'Why', '## Why'],
  ] as const) {
    await window.visit(`/${project.full_path}/-/${form}`)
    await title.fill('The lamp is dark')
    await page.getByRole('link', { name: template, exact: true }).click()
    await eventually(async () => (await description.inputValue()).trim() === text, `the template ${template}`)
    assert.equal(await title.inputValue(), 'The lamp is dark')
    await description.fill('Typed by hand')
    const question = async () => {
      const asked = page.waitForEvent('dialog')
      await page.getByRole('link', { name: template, exact: true }).click()
      return asked
    }
    await (await question()).dismiss()
    assert.equal(await description.inputValue(), 'Typed by hand')
    await (await question()).accept()
    await eventually(async () => (await description.inputValue()).trim() === text, `the template ${template}`)
  }
  await window.close()
})
