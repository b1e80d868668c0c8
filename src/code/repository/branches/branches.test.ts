import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person, type SceneProject } from '../../../../test/scene.ts'
import { gitProcesses } from '../../../platform/git/index.ts'

const scene = await openScene()

async function world() {
  const { project, owner, developer, reporter } = await scene.project({ members: ['developer', 'reporter'] })
  const commit = await scene.commit(project, { 'README.md': '# A' })
  return { project, owner, developer, reporter, commit, url: `${project.url}/repository/branches` }
}

const branchNames = async (person: Person, project: SceneProject, query = {}) =>
  (await person.get(`${project.url}/repository/branches`, query)).body.map((branch: { name: string }) => branch.name)

test('a branch is created, shown, listed and deleted', async () => {
  const { project, developer, commit, url } = await world()

  const made = await developer.post(url, { branch: 'feature/a.b', ref: 'main' })

  assert.equal(made.status, 201)
  const { commit: tip, ...rest } = made.body
  assert.equal(tip.id, commit)
  assert.deepEqual(rest, {
    name: 'feature/a.b',
    merged: false,
    protected: false,
    developers_can_push: false,
    developers_can_merge: false,
    can_push: true,
    default: false,
    web_url: `${scene.url}/${project.full_path}/-/tree/feature/a.b`,
  })
  assert.deepEqual((await developer.get(`${url}/feature%2Fa%2Eb`)).body, made.body)
  assert.equal((await developer.head(`${url}/feature%2Fa%2Eb`)).status, 200)
  assert.deepEqual(await branchNames(developer, project), ['feature/a.b', 'main'])
  assert.equal((await developer.delete(`${url}/feature%2Fa.b`)).status, 204)
  assert.deepEqual(await developer.get(`${url}/feature%2Fa.b`), { status: 404, body: { message: '404 Branch Not Found' } })
  assert.equal((await developer.head(`${url}/feature%2Fa.b`)).status, 404)
})

test('invalid branches are refused with the texts of the public API', async () => {
  const { owner, url } = await world()
  await owner.post(url, { branch: 'taken/x', ref: 'main' })
  const refusals: [branch: string, ref: string, message: string][] = [
    ['main', 'main', 'Branch already exists'],
    ['new', 'nothing', 'Invalid reference name: nothing'],
    ['new', 'main~1', 'Invalid reference name: main~1'],
    ['a..b', 'main', 'Branch name is invalid'],
    ['-x', 'main', 'Branch name is invalid'],
    ['f'.repeat(40), 'main', 'Branch name is invalid'],
    ['taken', 'main', 'Branch name is invalid'],
  ]
  for (const [branch, ref, message] of refusals)
    assert.deepEqual(await owner.post(url, { branch, ref }), { status: 400, body: { message } }, branch)
})

test('the default branch is never deleted', async () => {
  const { owner, url } = await world()
  assert.deepEqual(await owner.delete(`${url}/main`), {
    status: 400,
    body: { message: 'The default branch of a project cannot be deleted.' },
  })
})

test('a branch changed since If-Unmodified-Since is not deleted (decision 15)', async () => {
  const { developer, url } = await world()
  await developer.post(url, { branch: 'x', ref: 'main' })
  const old = await developer.delete(`${url}/x`, {}, { 'if-unmodified-since': 'Wed, 01 Jan 2020 00:00:00 GMT' })
  assert.equal(old.status, 412)
  assert.equal((await developer.delete(`${url}/x`, {}, { 'if-unmodified-since': new Date(Date.now() + 60_000).toUTCString() })).status, 204)
})

test('lists are searched and ordered', async () => {
  const { project, developer, url } = await world()
  for (const branch of ['alpha', 'beta-alpha', 'gamma']) await developer.post(url, { branch, ref: 'main' })
  await scene.commit(project, { b: '1' }, { branch: 'gamma' })
  assert.deepEqual(await branchNames(developer, project, { search: 'ALPHA' }), ['alpha', 'beta-alpha'])
  assert.deepEqual(await branchNames(developer, project, { search: '^alpha' }), ['alpha'])
  assert.deepEqual(await branchNames(developer, project, { search: 'a$' }), ['alpha', 'beta-alpha', 'gamma'])
  assert.equal((await branchNames(developer, project, { sort: 'updated_asc' })).length, 4)
  const page = await developer.get(url, { per_page: 2, page: 2 })
  assert.deepEqual([page.body.length, page.headers['x-total'], page.headers['x-total-pages']], [2, '4', '2'])
})

test('merged branches are recognized and deleted together, protected ones stay', async () => {
  const { project, owner, developer, commit, url } = await world()
  await scene.commit(project, { b: '1' })
  for (const branch of ['merged', 'kept', 'tip']) await developer.post(url, { branch, ref: branch === 'tip' ? 'main' : commit })
  await developer.post(url, { branch: 'open', ref: commit })
  await scene.commit(project, { c: '1' }, { branch: 'open' })
  await owner.post(`${project.url}/protected_branches`, { name: 'kept' })

  const { body } = await developer.get(url)
  assert.deepEqual(
    body.map(({ name, merged }: { name: string; merged: boolean }) => [name, merged]),
    [
      ['kept', true],
      ['main', false],
      ['merged', true],
      ['open', false],
      // A branch at the same commit as the default branch is not merged (branches API).
      ['tip', false],
    ],
  )
  assert.deepEqual(await developer.delete(`${project.url}/repository/merged_branches`), {
    status: 202,
    body: { message: '202 Accepted' },
  })
  assert.deepEqual(await branchNames(developer, project), ['kept', 'main', 'open', 'tip'])
})

test('readers cannot write, and outsiders see nothing', async () => {
  const { reporter, url } = await world()
  const stranger = await scene.user()
  assert.equal((await reporter.get(url)).body[0].can_push, false)
  assert.equal((await reporter.post(url, { branch: 'x', ref: 'main' })).status, 403)
  assert.equal((await stranger.get(url)).status, 404)
  assert.equal((await scene.anonymous.get(url)).status, 404)
})

test('an empty repository has no branches, and reading does not create it on disk', async () => {
  const { project, owner } = await scene.project()
  assert.deepEqual((await owner.get(`${project.url}/repository/branches`)).body, [])
  assert.equal((await owner.delete(`${project.url}/repository/merged_branches`)).status, 202)
  const storage = scene.deps.storages.get('default')
  assert.equal(await storage.exists(storage.repository(project.id)), false)
})

test('the first branch of an empty project begins with an empty README.md on the default branch', async () => {
  const { project, owner } = await scene.project()
  const url = `${project.url}/repository/branches`
  const refused = await owner.post(url, { branch: 'topic', ref: 'other' })
  assert.deepEqual(refused, { status: 400, body: { message: 'Invalid reference name: other' } })
  assert.deepEqual((await owner.get(url)).body, [])

  const made = await Promise.all(['topic', 'second'].map(branch => owner.post(url, { branch, ref: 'main' })))
  assert.deepEqual(
    made.map(({ status }) => status),
    [201, 201],
  )
  assert.deepEqual(
    (await owner.get(url)).body.map((branch: { name: string; default: boolean }) => [branch.name, branch.default]),
    [
      ['main', true],
      ['second', false],
      ['topic', false],
    ],
  )
  const commits = (await owner.get(`${project.url}/repository/commits`, { ref_name: 'topic' })).body
  assert.deepEqual(
    commits.map((commit: { title: string }) => commit.title),
    ['Add README.md'],
  )
  const readme = (await owner.get(`${project.url}/repository/files/README.md`, { ref: 'topic' })).body
  assert.equal(readme.size, 0)

  const { project: guarded, owner: keeper } = await scene.project()
  const developer = await scene.user()
  await keeper.post(`${guarded.url}/members`, { user_id: developer.id, access_level: 30 })
  await keeper.post(`${guarded.url}/protected_branches`, { name: 'main' })
  assert.equal((await developer.post(`${guarded.url}/repository/branches`, { branch: 'topic', ref: 'main' })).status, 403)
  assert.deepEqual((await keeper.get(`${guarded.url}/repository/branches`)).body, [])
})

test('a page of branches costs the same number of git processes, whatever its length', async () => {
  const { project, developer, url } = await world()
  const cost = async () => {
    const before = gitProcesses.started
    await developer.get(url, { per_page: 100 })
    return gitProcesses.started - before
  }
  await developer.post(url, { branch: 'one', ref: 'main' })
  await scene.commit(project, { x: '1' })
  const few = await cost()
  for (let index = 0; index < 12; index++) await developer.post(url, { branch: `more-${index}`, ref: 'main' })
  await scene.commit(project, { y: '1' })
  assert.equal(await cost(), few)
  assert.ok(few <= 2, `${few} processes`)
  // What the default branch holds is known by now.
  assert.equal(await cost(), 1)
})

test('a branch is protected and unprotected by its own address, again and again', async () => {
  const { project, maintainer, developer } = await scene.project({ members: ['maintainer', 'developer'], initialize_with_readme: true })
  await maintainer.post(`${project.url}/repository/branches`, { branch: 'side', ref: 'main' })
  const url = `${project.url}/repository/branches/side`
  const flagsOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
    status,
    body.protected,
    body.developers_can_push,
    body.developers_can_merge,
  ]

  assert.deepEqual(flagsOf(await maintainer.put(`${url}/protect`, { developers_can_merge: true })), [200, true, false, true])
  assert.deepEqual(flagsOf(await maintainer.put(`${url}/protect`)), [200, true, false, true])
  assert.deepEqual(flagsOf(await maintainer.put(`${url}/protect`, { developers_can_push: true, developers_can_merge: false })), [
    200,
    true,
    true,
    false,
  ])
  assert.equal((await developer.put(`${url}/unprotect`)).status, 403)
  assert.deepEqual(flagsOf(await maintainer.put(`${url}/unprotect`)), [200, false, false, false])
  assert.deepEqual(flagsOf(await maintainer.put(`${url}/unprotect`)), [200, false, false, false])
  assert.equal((await maintainer.put(`${project.url}/repository/branches/none/protect`)).status, 404)
})

test('a branch that is protected by several calls in one moment is protected once', async () => {
  const { project, owner } = await scene.project({ initialize_with_readme: true })
  await owner.delete(`${project.url}/protected_branches/main`)

  const answers = await Promise.all([1, 2, 3].map(() => owner.put(`${project.url}/repository/branches/main/protect`)))

  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  )
  assert.equal((await owner.get(`${project.url}/protected_branches`)).body.length, 1)
})
