import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atEnd } from '../../../../test/at_end.ts'
import { eventually } from '../../../../test/eventually.ts'
import { openScene } from '../../../../test/scene.ts'
import { oauthScene } from '../../../identity/oauth/scene.ts'
import { git, importCommits } from '../../../platform/git/scene.ts'
import { startTaskWorker } from '../../../server/tasks.ts'
import { titleOf } from './proposal.ts'

const scene = await openScene()
const worker = await startTaskWorker(scene.deps, { concurrency: 2 })
atEnd(() => worker.stop())
const { surfer } = oauthScene(scene)
const owner = await surfer()
const reader = await surfer()

const branch = (name: string) => ({ 'merge_request[source_branch]': name })
const field = (html: string, name: string) => new RegExp(`name="${name}"[^>]* value="([^"]*)"`).exec(html)?.[1]

/** A public project with these files on `main`, and the path of its new merge request. */
async function place(files: Readonly<Record<string, string>> = {}) {
  const { project } = await scene.project({ owner: owner.person, visibility: 'public' })
  await owner.person.post(`${project.url}/repository/commits`, {
    branch: 'main',
    commit_message: 'Begin',
    actions: Object.entries({ 'lamp.txt': 'dark\n', ...files }).map(([file_path, content]) => ({ action: 'create', file_path, content })),
  })
  const repository = scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })
  return { project, repository, page: `/${project.full_path}/-/merge_requests/new` }
}

test('branches are chosen from what they hold, and what is wrong with them is said', async () => {
  const { repository, page, project } = await place()
  importCommits(
    repository,
    'bright<b>',
    [{ message: 'Brighten & shine', files: { 'lamp.txt': 'bright\n' } }],
    git(repository, ['rev-parse', 'main']),
  )
  const choice = await owner.get(page)
  assert.equal(choice.status, 200)
  assert.match(choice.body, /bright&lt;b&gt;/)
  assert.match(choice.body, /Brighten &amp; shine/)
  const missing = await owner.get(page, branch('nowhere'))
  assert.equal(missing.status, 422)
  assert.match(missing.body, /There is no branch <span class="mono">nowhere/)
  assert.match((await owner.get(page, branch('main'))).body, /Source and target are the same branch/)
  await owner.person.post(`${project.url}/merge_requests`, { source_branch: 'bright<b>', target_branch: 'main', title: 'There' })
  assert.match((await owner.get(page, branch('bright<b>'))).body, /!1<\/a> is open for/)
  assert.equal((await reader.get(page, branch('bright<b>'))).status, 403)
})

test('the words of a single commit, the template and the issue of a branch begin the form, above commits and changes', async () => {
  const { repository, page, project } = await place({ '.gitlab/merge_request_templates/Why.md': 'Why: <reason>\n' })
  await owner.person.post(`${project.url}/issues`, { title: 'It is "dark"' })
  const main = git(repository, ['rev-parse', 'main'])
  importCommits(repository, 'one', [{ message: 'Brighten the lamp\n\nIt was dark.', files: { 'lamp.txt': 'bright\n' } }], main)
  importCommits(
    repository,
    '1-two',
    [
      { message: 'A', files: { a: '1\n' } },
      { message: 'B', files: { b: '2\n' } },
    ],
    main,
  )
  git(repository, ['update-ref', 'refs/heads/same', main])

  const one = await owner.get(page, branch('one'))
  assert.equal(field(one.body, 'title'), 'Brighten the lamp')
  assert.match(one.body, />\nIt was dark\.<\/textarea>/)
  assert.match(one.body, /1 commit</)
  assert.match(one.body, /lamp\.txt/)
  const two = await owner.get(page, branch('1-two'))
  assert.equal(field(two.body, 'title'), 'Resolve &quot;It is &quot;dark&quot;&quot;')
  assert.match(two.body, />\nCloses #1<\/textarea>/)
  const templated = await owner.get(page, { ...branch('1-two'), issuable_template: 'Why' })
  assert.match(templated.body, />\nWhy: &lt;reason&gt;\n\nCloses #1<\/textarea>/)
  assert.match((await owner.get(page, branch('same'))).body, /nothing to merge yet/)

  const refused = await owner.submit(page, { source_branch: 'one', target_branch: 'main', title: ' ', description: 'typed' })
  assert.equal(refused.status, 422)
  assert.match(refused.body, />\ntyped<\/textarea>/)
  assert.match(refused.body, /1 commit</)
  const made = await owner.submit(page, { source_branch: 'one', target_branch: 'main', title: 'Bright' })
  assert.match(String(made.headers.location), /\/merge_requests\/1$/)
})

test('the commits of a fork are compared with what it has of the target', async () => {
  const { project, repository } = await place()
  const { body: fork } = await reader.person.post(`${project.url}/fork`, {})
  await eventually(async () => (await reader.person.get(`/projects/${fork.id}`)).body.import_status === 'finished', 'the fork')
  const forked = scene.deps.storages.repository({ id: fork.id, repository_storage: 'default' })
  importCommits(forked, 'mine', [{ message: 'Mine', files: { mine: '1\n' } }], git(forked, ['rev-parse', 'main']))
  importCommits(repository, 'main', [{ message: 'Newer', files: { newer: '1\n' } }])
  const shown = await reader.get(`/${fork.path_with_namespace}/-/merge_requests/new`, branch('mine'))
  assert.equal(shown.status, 200)
  assert.equal(field(shown.body, 'title'), 'Mine')
  assert.equal(field(shown.body, 'target_project_id'), String(project.id))
  assert.doesNotMatch(shown.body, /Newer/)
})

test('a project beside the own one shows its branches and templates to those who may open merge requests in it', async () => {
  const { project, page } = await place({ '.gitlab/merge_request_templates/Why.md': 'Why\n' })
  const { body: fork } = await reader.person.post(`${project.url}/fork`, {})
  await eventually(async () => (await reader.person.get(`/projects/${fork.id}`)).body.import_status === 'finished', 'the fork')
  await owner.person.post(`${project.url}/repository/branches`, { branch: 'secret-plan', ref: 'main' })
  const { project: stranger } = await scene.project({ owner: owner.person, visibility: 'public' })
  await owner.person.post(`${stranger.url}/repository/commits`, {
    branch: 'other-plan',
    commit_message: 'Begin',
    actions: [{ action: 'create', file_path: 'a', content: 'a' }],
  })
  const chosen = (id: number, more = {}) =>
    reader.get(`/${fork.path_with_namespace}/-/merge_requests/new`, { 'merge_request[target_project_id]': String(id), ...more })
  const proposed = { 'merge_request[source_branch]': 'main', 'merge_request[target_branch]': 'secret-plan' }
  assert.match((await chosen(project.id)).body, /secret-plan/)
  assert.match((await chosen(project.id, proposed)).body, /issuable_template=Why/)
  assert.doesNotMatch((await chosen(stranger.id)).body, /other-plan/, 'a project of another network')

  for (const closed of [
    { repository_access_level: 'private' },
    { repository_access_level: 'enabled', merge_requests_access_level: 'private' },
  ]) {
    assert.equal((await owner.person.put(project.url, closed)).status, 200)
    assert.doesNotMatch((await chosen(project.id)).body, /secret-plan/, JSON.stringify(closed))
    assert.doesNotMatch((await chosen(project.id, proposed)).body, /issuable_template/, JSON.stringify(closed))
    const typed = await reader.submit(`/${fork.path_with_namespace}/-/merge_requests/new`, {
      source_branch: 'main',
      target_branch: 'secret-plan',
      target_project_id: String(project.id),
      title: ' ',
    })
    assert.doesNotMatch(typed.body, /issuable_template/)
  }
  assert.equal((await owner.get(page)).status, 200)
})

test('a branch gives a title', () => {
  assert.deepEqual(['feature/12-paint_the-shed', 'x', '9-', 'été'].map(titleOf), ['Paint the shed', 'X', '', 'Été'])
})

test('the pages of a project and of its merge requests lead from a branch that one has just pushed to its merge request', async () => {
  const { project } = await place()
  const pages = [`/${project.full_path}`, `/${project.full_path}/-/merge_requests`]
  const seenBy = (who: typeof owner) => Promise.all(pages.map(async page => String((await who.get(page)).body)))
  const push = (branch: string, file_path: string, options = {}) =>
    owner.person.post(`${project.url}/repository/commits`, {
      branch,
      start_branch: 'main',
      commit_message: 'Change',
      actions: [{ action: 'create', file_path, content: 'x' }],
      ...options,
    })
  for (const page of await seenBy(owner)) assert.doesNotMatch(page, /You pushed to/, 'the default branch')

  await push('bright<b>', 'a.txt')
  await push('gone', 'b.txt')
  await owner.person.delete(`${project.url}/repository/branches/gone`)
  await owner.person.post(`${project.url}/repository/branches`, { branch: 'same', ref: 'main' })
  for (const page of await seenBy(owner)) {
    assert.deepEqual(
      [...page.matchAll(/You pushed to <a[^>]*>([^<]*)</g)].map(([, name]) => name),
      ['bright&lt;b&gt;'],
    )
    assert.match(page, /href="[^"]*\/-\/merge_requests\/new\?merge_request%5Bsource_branch%5D=bright%3Cb%3E"/)
  }
  for (const page of await seenBy(reader)) assert.doesNotMatch(page, /You pushed to/)

  await owner.person.post(`${project.url}/merge_requests`, { source_branch: 'bright<b>', target_branch: 'main', title: 'Brighter' })
  for (const page of await seenBy(owner)) assert.doesNotMatch(page, /You pushed to/)
  await owner.person.put(`${project.url}/merge_requests/1`, { state_event: 'close' })
  for (const page of await seenBy(owner)) assert.doesNotMatch(page, /You pushed to/, 'these commits had their merge request')
  await push('bright<b>', 'c.txt', { start_branch: undefined })
  for (const page of await seenBy(owner)) assert.match(page, /You pushed to/)
})

test('a push to a fork is offered where it was forked from', async () => {
  const { project } = await place()
  const forker = await surfer()
  const { body: fork } = await forker.person.post(`${project.url}/fork`)
  await eventually(async () => (await forker.person.get(`/projects/${fork.id}`)).body.import_status === 'finished', 'the fork')
  await forker.person.post(`/projects/${fork.id}/repository/commits`, {
    branch: 'bright',
    start_branch: 'main',
    commit_message: 'Brighten',
    actions: [{ action: 'update', file_path: 'lamp.txt', content: 'bright' }],
  })

  const { body } = await forker.get(`/${project.full_path}`)

  const to = new RegExp(`href="(/${fork.path_with_namespace}/-/merge_requests/new[^"]*)"`).exec(body)?.[1] ?? ''
  const form = String((await forker.get(to.replaceAll('&amp;', '&'))).body)
  assert.deepEqual([field(form, 'target_project_id'), field(form, 'target_branch')], [String(project.id), 'main'])
})
