import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { gitProcesses } from '../../../platform/git/index.ts'
import { git } from '../../../platform/git/scene.ts'
import { copyFork } from '../../forks/copy.ts'

const scene = await openScene()

async function world() {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const first = await scene.commit(project, { 'README.md': '# A\n', 'dir/file': 'one\n' })
  const repository = scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })
  const url = `${project.url}/repository/commits`
  return { project, owner, developer, first, repository, url, branches: `${project.url}/repository/branches` }
}

const idsOf = (commits: { id: string }[]) => commits.map(({ id }) => id)

test('a commit with many actions has the given author and the caller as committer', async () => {
  const { project, owner, first, repository, url } = await world()

  const made = await owner.post(url, {
    branch: 'main',
    commit_message: 'Change everything\n\nReviewed-by: Eve <eve@example.com>\nIssue: 7',
    author_name: 'Eve',
    author_email: 'eve@example.com',
    actions: [
      { action: 'create', file_path: 'bin/ü n', content: Buffer.from([0, 255, 10]).toString('base64'), encoding: 'base64' },
      { action: 'update', file_path: 'README.md', content: '# B\n', last_commit_id: first },
      { action: 'move', file_path: 'moved', previous_path: 'dir/file' },
      { action: 'create', file_path: 'tool', content: '#!/bin/sh\n' },
      { action: 'chmod', file_path: 'tool', execute_filemode: true },
      { action: 'create', file_path: 'empty', content: '' },
      { action: 'delete', file_path: 'empty' },
    ],
  })

  assert.equal(made.status, 201)
  const { id, short_id, author_name, author_email, committer_email, parent_ids, title, status, last_pipeline, project_id, stats } =
    made.body
  assert.deepEqual(
    { short_id, author_name, author_email, committer_email, parent_ids, title, status, last_pipeline, project_id },
    {
      short_id: id.slice(0, 8),
      author_name: 'Eve',
      author_email: 'eve@example.com',
      committer_email: owner.email,
      parent_ids: [first],
      title: 'Change everything',
      status: null,
      last_pipeline: null,
      project_id: project.id,
    },
  )
  assert.equal(stats.total, stats.additions + stats.deletions)
  assert.equal(made.body.web_url, `${scene.url}/${project.full_path}/-/commit/${id}`)
  assert.equal(
    git(repository, ['ls-tree', '-r', '--format=%(objectmode) %(path)', 'main']),
    '100644 README.md\n100644 bin/ü n\n100644 moved\n100755 tool',
  )
  const listed = await owner.get(url, { trailers: true })
  assert.deepEqual(listed.body[0].trailers, { 'Reviewed-by': 'Eve <eve@example.com>', Issue: '7' })
  assert.deepEqual((await owner.get(url)).body[0].trailers, {})
})

test('impossible actions refuse the commit, and nothing moves', async () => {
  const { owner, first, repository, url } = await world()
  const refusals: [action: object, message: unknown][] = [
    [{ action: 'create', file_path: 'README.md', content: 'x' }, 'A file with this name already exists'],
    [{ action: 'update', file_path: 'none', content: 'x' }, "A file with this name doesn't exist"],
    [{ action: 'create', file_path: '../x', content: 'x' }, 'Path cannot include directory traversal'],
    [{ action: 'create', file_path: '.git/config', content: 'x' }, "invalid path: '.git/config'"],
    [
      { action: 'update', file_path: 'README.md', content: 'x', last_commit_id: 'f'.repeat(40) },
      'The file has changed since you started editing it: README.md',
    ],
    [{ action: 'create', file_path: 'x' }, { 'actions[0][content]': ['is missing'] }],
    [{ action: 'move', file_path: 'x' }, { 'actions[0][previous_path]': ['is missing'] }],
    [{ action: 'chmod', file_path: 'x' }, { 'actions[0][execute_filemode]': ['is missing'] }],
    [{ action: 'rename', file_path: 'x' }, { 'actions[0][action]': ['does not have a valid value'] }],
    [{ action: 'create', content: 'x' }, { 'actions[0][file_path]': ['is missing'] }],
  ]
  for (const [action, message] of refusals) {
    const answer = await owner.post(url, { branch: 'main', commit_message: 'x', actions: [action] })
    assert.deepEqual(answer, { status: 400, body: { message } }, JSON.stringify(action))
  }
  assert.equal(git(repository, ['rev-parse', 'main']), first)
})

test('a commit can start from another branch or commit, and moves an existing branch only by force', async () => {
  const { project, developer, first, repository, url } = await world()
  const second = await scene.commit(project, { b: '1' })
  const commit = (given: object) =>
    developer.post(url, { commit_message: 'x', actions: [{ action: 'create', file_path: `f${Math.random()}`, content: 'x' }], ...given })

  assert.deepEqual((await commit({ branch: 'from-branch', start_branch: 'main' })).body.parent_ids, [second])
  assert.deepEqual((await commit({ branch: 'from-sha', start_sha: first })).body.parent_ids, [first])
  assert.deepEqual((await commit({ branch: 'from-sha', start_sha: second })).body, {
    message: "A branch called 'from-sha' already exists. Switch to that branch in order to make changes",
  })
  const forced = await commit({ branch: 'from-sha', start_sha: second, force: true })
  assert.deepEqual(forced.body.parent_ids, [second])
  assert.equal(git(repository, ['rev-parse', 'from-sha']), forced.body.id)

  const refusals: [given: object, message: unknown][] = [
    [{ branch: 'nowhere' }, 'You can only create or edit files when you are on a branch'],
    [{ branch: 'x', start_branch: 'nothing' }, 'You can only create or edit files when you are on a branch'],
    [{ branch: 'x', start_sha: 'main' }, "Invalid start_sha 'main'"],
    [{ branch: 'x', start_sha: 'f'.repeat(40) }, `Cannot find start_sha '${'f'.repeat(40)}'`],
    [
      { branch: 'x', start_sha: first, start_branch: 'main' },
      { start_branch: ['is mutually exclusive with start_sha'], start_sha: ['is mutually exclusive with start_branch'] },
    ],
    [{ branch: 'a..b' }, 'Branch name is invalid'],
  ]
  for (const [given, message] of refusals) assert.deepEqual(await commit(given), { status: 400, body: { message } }, JSON.stringify(given))
})

test('protected branches accept commits of users who may push, and no force', async () => {
  const { project, owner, developer, first, url } = await world()
  await scene.commit(project, { b: '1' })
  const given = { branch: 'main', commit_message: 'x', actions: [{ action: 'create', file_path: 'x', content: 'x' }] }
  assert.deepEqual(await developer.post(url, given), {
    status: 403,
    body: { message: '403 Forbidden - You are not allowed to push into this branch' },
  })
  const forced = await owner.post(url, { ...given, start_sha: first, force: true })
  assert.equal(forced.status, 403)
  assert.match(forced.body.message, /not allowed to force push/)
  assert.equal((await owner.post(url, given)).status, 201)
})

test('a commit cannot start from a project outside of the fork network', async () => {
  const { project, owner, url } = await world()
  const other = await scene.project({ owner })
  const given = { branch: 'x', start_branch: 'main', commit_message: 'x', actions: [] }
  assert.equal((await owner.post(url, { ...given, start_project: other.project.id })).status, 403)
  assert.equal((await owner.post(url, { ...given, start_project: 999_999 })).status, 404)
  assert.equal((await owner.post(url, { ...given, start_project: project.full_path })).status, 201)
})

test('a commit can start from another project of the fork network, and brings its history', async () => {
  const { project, owner, url } = await world()
  const person = await scene.user()
  await owner.put(project.url, { visibility: 'public' })
  const fork = (await person.post(`${project.url}/fork`)).body
  await copyFork(scene.deps, { project_id: fork.id, source_id: project.id })
  const tip = await scene.commit({ ...project, url: `/projects/${fork.id}` }, { 'fork.txt': 'new' })
  const given = { branch: 'from-fork', commit_message: 'x', actions: [{ action: 'create', file_path: 'x', content: 'x' }] }

  const { status, body } = await owner.post(url, { ...given, start_project: fork.id, start_branch: 'main' })
  assert.deepEqual([status, body.parent_ids], [201, [tip]])
  assert.equal((await owner.get(`${project.url}/repository/files/fork.txt`, { ref: 'from-fork' })).status, 200)
  const bySha = await owner.post(url, { ...given, branch: 'from-sha', start_project: fork.path_with_namespace, start_sha: tip })
  assert.deepEqual(bySha.body.parent_ids, [tip])
  const missing = await owner.post(url, { ...given, branch: 'other', start_project: fork.id, start_branch: 'no-such' })
  assert.equal(missing.status, 400)
  await person.put(`/projects/${fork.id}`, { repository_access_level: 'private' })
  assert.equal((await owner.post(url, { ...given, branch: 'hidden', start_project: fork.id, start_branch: 'main' })).status, 404)
})

test('the first commit of an empty repository creates any branch, and protects it', async () => {
  const { project, owner } = await scene.project()
  const url = `${project.url}/repository/commits`
  const actions = [{ action: 'create', file_path: 'readme.txt', content: 'x' }]
  assert.equal((await owner.post(url, { branch: 'trunk', commit_message: 'x', actions })).status, 201)
  const { default_branch, empty_repo, readme_url } = (await owner.get(project.url)).body
  assert.deepEqual([default_branch, empty_repo], ['trunk', false])
  assert.match(readme_url, /trunk\/readme\.txt$/)
  assert.equal((await owner.get(`${project.url}/repository/branches/trunk`)).body.protected, true)
})

test('commits are listed by branch, range, path and time, and counted', async () => {
  const { project, owner, first, url, branches } = await world()
  scene.setTime('2031-01-01T00:00:00Z')
  const second = await scene.commit(project, { b: '1' })
  scene.setTime('2031-01-02T00:00:00Z')
  await owner.post(branches, { branch: 'topic', ref: first })
  const third = await scene.commit(project, { 'dir/other': '1' }, { branch: 'topic' })
  scene.setTime(undefined)
  const list = async (query = {}) => idsOf((await owner.get(url, query)).body)

  assert.deepEqual(await list(), [second, first])
  assert.deepEqual(await list({ ref_name: 'topic' }), [third, first])
  assert.deepEqual(await list({ ref_name: 'main..topic' }), [third])
  assert.deepEqual(await list({ all: true }), [third, second, first])
  assert.deepEqual(await list({ all: true, order: 'topo' }).then(ids => ids.length), 3)
  assert.deepEqual(await list({ path: 'dir', all: true }), [third, first])
  assert.deepEqual(await list({ path: 'none' }), [])
  assert.deepEqual(await list({ ref_name: 'none' }), [])
  assert.deepEqual(await list({ since: '2031-01-01T00:00:00Z' }), [second])
  assert.deepEqual(await list({ until: '2030-12-31' }), [first])
  assert.deepEqual(await list({ first_parent: true, per_page: 1, page: 2 }), [first])
  const page = await owner.get(url, { per_page: 1, with_stats: 1 })
  assert.deepEqual([page.headers['x-total'], page.body[0].stats], ['2', { additions: 1, deletions: 0, total: 1 }])
  assert.deepEqual((await owner.get(url, { since: 'yesterday' })).status, 400)
})

test('a commit is found by id, short id, branch and tag', async () => {
  const { project, owner, first, url } = await world()
  await owner.post(`${project.url}/repository/tags`, { tag_name: 'v1', ref: 'main', message: 'x' })
  for (const revision of [first, first.slice(0, 8), 'main', 'v1', 'HEAD']) {
    const { status, body } = await owner.get(`${url}/${revision}`)
    assert.deepEqual([status, body.id], [200, first], revision)
  }
  assert.equal((await owner.get(`${url}/main`, { stats: false })).body.stats, undefined)
  for (const revision of ['none', 'main^', 'f'.repeat(40)])
    assert.deepEqual(await owner.get(`${url}/${encodeURIComponent(revision)}`), { status: 404, body: { message: '404 Commit Not Found' } })
  const etag = (await owner.get(`${url}/main`)).headers.etag as string
  assert.equal((await owner.get(`${url}/main`, {}, { 'if-none-match': etag })).status, 304)
})

test('a commit has its number in the history, along all parents or the first of each', async () => {
  const { project, owner } = await scene.project()
  const first = await scene.commit(project, { 'a.txt': 'a' })
  const side = await scene.commit(project, { 'b.txt': 'b' }, { branch: 'side', start_branch: 'main' })
  await scene.commit(project, { 'c.txt': 'c' })
  const { body: request } = await owner.post(`${project.url}/merge_requests`, {
    source_branch: 'side',
    target_branch: 'main',
    title: 'Side',
  })
  const { body: merged } = await owner.put(`${project.url}/merge_requests/${request.iid}/merge`)
  const at = async (sha: string, query = {}) => (await owner.get(`${project.url}/repository/commits/${sha}/sequence`, query)).body

  assert.deepEqual([await at(first), await at(side)], [{ count: 1 }, { count: 2 }])
  assert.deepEqual([await at(merged.merge_commit_sha), await at('main', { first_parent: true })], [{ count: 4 }, { count: 3 }])
  assert.equal((await owner.get(`${project.url}/repository/commits/none/sequence`)).status, 404)
})

test('a commit has a diff and the branches and tags that contain it', async () => {
  const { project, owner, first, url } = await world()
  const second = await scene.commit(project, { 'dir/new': 'x\n' })
  await owner.post(`${project.url}/repository/tags`, { tag_name: 'v1', ref: first })

  assert.deepEqual((await owner.get(`${url}/${second}/diff`)).body, [
    {
      old_path: 'dir/new',
      new_path: 'dir/new',
      a_mode: '0',
      b_mode: '100644',
      new_file: true,
      renamed_file: false,
      deleted_file: false,
      diff: '--- /dev/null\n+++ b/dir/new\n@@ -0,0 +1 @@\n+x\n',
    },
  ])
  assert.deepEqual((await owner.get(`${url}/${first}/refs`)).body, [
    { type: 'branch', name: 'main' },
    { type: 'tag', name: 'v1' },
  ])
  assert.deepEqual((await owner.get(`${url}/${second}/refs`, { type: 'tag' })).body, [])
  assert.deepEqual(await owner.get(`${url}/${first}/signature`), { status: 404, body: { message: '404 Signature Not Found' } })
})

test('a commit is cherry-picked onto a branch and reverted', async () => {
  const { project, owner, first, repository, url, branches } = await world()
  await owner.post(branches, { branch: 'topic', ref: first })
  const fix = await scene.commit(project, { fix: 'x\n' }, { branch: 'topic', message: 'Fix it' })

  const dry = await owner.post(`${url}/${fix}/cherry_pick`, { branch: 'main', dry_run: true })
  assert.deepEqual([dry.body, git(repository, ['rev-parse', 'main'])], [{ dry_run: 'success' }, first])

  const picked = await owner.post(`${url}/${fix}/cherry_pick`, { branch: 'main' })
  assert.equal(picked.status, 201)
  assert.equal(picked.body.message, `Fix it\n\n(cherry picked from commit ${fix})`)
  const again = await owner.post(`${url}/${fix}/cherry_pick`, { branch: 'main' })
  assert.deepEqual([again.status, again.body.error_code], [400, 'empty'])

  const reverted = await owner.post(`${url}/${picked.body.id}/revert`, { branch: 'main' })
  assert.equal(reverted.body.message, `Revert "Fix it"\n\nThis reverts commit ${picked.body.id}`)
  assert.equal(git(repository, ['rev-parse', 'main^{tree}']), git(repository, ['rev-parse', `${first}^{tree}`]))

  const conflicting = await owner.post(url, {
    branch: 'main',
    commit_message: 'x',
    actions: [{ action: 'create', file_path: 'fix', content: 'other\n' }],
  })
  assert.equal(conflicting.status, 201)
  const conflict = await owner.post(`${url}/${fix}/cherry_pick`, { branch: 'main' })
  assert.deepEqual([conflict.status, conflict.body.error_code], [400, 'conflict'])
  assert.deepEqual(await owner.post(`${url}/${fix}/cherry_pick`, { branch: 'none' }), {
    status: 404,
    body: { message: '404 Branch Not Found' },
  })
})

test('of concurrent commits on one branch the losing ones are refused and can be repeated', async () => {
  const { owner, repository, url } = await world()
  const commit = (name: string) =>
    owner.post(url, { branch: 'main', commit_message: name, actions: [{ action: 'create', file_path: name, content: 'x' }] })
  const names = ['a', 'b', 'c', 'd', 'e']
  const answers = await Promise.all(names.map(commit))
  for (const [index, { status, body }] of answers.entries()) {
    if (status === 201) continue
    assert.deepEqual([status, body.message], [400, 'Could not update refs/heads/main. Please refresh and try again.'])
    assert.equal((await commit(names[index] as string)).status, 201)
  }
  assert.equal(git(repository, ['rev-list', '--count', 'main']), '6')
})

test('a form, a JSON body and a multipart body make the same commit (clients.md 0.4)', async () => {
  const { project, owner, url } = await world()
  const form = new FormData()
  form.set('branch', 'main')
  form.set('commit_message', 'By multipart')
  form.set('actions[][action]', 'create')
  form.set('actions[][file_path]', 'multi')
  form.set('actions[][content]', 'ünï\n')
  assert.equal((await owner.post(url, form)).status, 201)
  const encoded = new URLSearchParams({
    branch: 'main',
    commit_message: 'By form',
    'actions[][action]': 'update',
    'actions[][file_path]': 'multi',
    'actions[][content]': 'a+b&c\n',
  })
  assert.equal((await owner.post(url, encoded)).status, 201)
  assert.equal((await owner.get(`${project.url}/repository/files/multi/raw`)).body, 'a+b&c\n')
})

test('a page of commits costs the same number of git processes, whatever its length', async () => {
  const { project, owner, url } = await world()
  const cost = async (query: { [key: string]: string }) => {
    const before = gitProcesses.started
    await owner.get(url, query)
    return gitProcesses.started - before
  }
  await scene.commit(project, { b: '1' })
  const queries: { [key: string]: string }[] = [{}, { with_stats: '1' }, { all: 'true' }, { path: 'dir/file' }]
  const few: number[] = []
  for (const query of queries) few.push(await cost(query))
  for (const name of ['c', 'd', 'e', 'f', 'g', 'h']) await scene.commit(project, { [`dir/${name}`]: '1' })
  const many: number[] = []
  for (const query of queries) many.push(await cost(query))
  assert.deepEqual(many, few)
  assert.ok(Math.max(...many) <= 2, String(many))
})
