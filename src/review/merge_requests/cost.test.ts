/** A request takes a fixed number of git processes and statements, whatever the size of the merge request. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type SceneMergeRequest, type SceneProject } from '../../../test/scene.ts'
import { recordStatements } from '../../platform/db/statements/statements.ts'
import { gitProcesses } from '../../platform/git/index.ts'
import { checkMergeability } from './merging/mergeability/check.ts'

const scene = await openScene()
const { root } = scene
// Fixed, so that a slow run does not cross the interval after which a token's last use is recorded again.
scene.setTime(new Date().toISOString())

interface Cost {
  readonly statements: number
  readonly processes: number
}

/** Measures a request, which must be answered with a 2xx. */
async function costOf(method: 'GET' | 'PUT' | 'POST', path: string, body?: object): Promise<Cost> {
  const before = gitProcesses.started
  const { result, statements } = await recordStatements(async () =>
    scene.app.inject({ method, url: `/api/v4${path}`, headers: { 'private-token': root.token }, ...(body && { payload: body }) }),
  )
  assert.match(String(result.statusCode), /^2/, `${method} ${path}: ${result.body}`)
  return { statements: statements.length, processes: gitProcesses.started - before }
}

const filesNamed = (name: string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${name}/${n}.txt`, `${n}\n`]))

/** A merge request with the given number of commits, of three files each. */
async function proposalOf(project: SceneProject, name: string, commits: number): Promise<SceneMergeRequest> {
  for (let n = 0; n < commits; n++)
    await scene.commit(project, filesNamed(`${name}-${n}`, 3), { branch: name, ...(n === 0 && { start_branch: 'main' }) })
  const proposal = await scene.mergeRequest(project, { source_branch: name })
  for (let n = 0; n < commits; n++) await root.post(`${proposal.url}/discussions`, { body: `Word ${n}` })
  return proposal
}

const { project } = await scene.project()
await scene.commit(project, { 'a.txt': 'a\n' })
await root.delete(`${project.url}/protected_branches/main`)
const [small, large] = [await proposalOf(project, 'small', 1), await proposalOf(project, 'large', 12)]
// Long-lived git readers are started by their first use.
for (const { url } of [small, large]) await costOf('GET', `${url}/changes`)

/** The processes that each request may start, by path suffix. Processes shared by all requests are not counted. */
const processes: Readonly<Record<string, number>> = {
  '': 0,
  '?include_diverged_commits_count=true&include_rebase_in_progress=true': 1,
  // Cached by an earlier request; the first one starts a process.
  '/changes': 0,
  '/changes?access_raw_diffs=true': 1,
  '/diffs': 1,
  '/raw_diffs': 1,
  // Two with more than sixteen commits, or with merge commits among them: one for the page, one for the count.
  '/commits': 0,
  '/versions': 0,
  '/participants': 0,
  '/notes': 0,
  '/discussions': 0,
  '/approvals': 0,
  '/approval_state': 0,
  '/closes_issues': 0,
}

for (const [suffix, expected] of Object.entries(processes))
  test(`GET /merge_requests/:iid${suffix} starts ${expected} processes, for one commit and for twelve`, async () => {
    const [one, many] = [await costOf('GET', small.url + suffix), await costOf('GET', large.url + suffix)]

    assert.deepEqual(many, one)
    assert.equal(one.processes, expected)
  })

test('GET /versions/:id costs the same for one commit and for twelve', async () => {
  const costs = await Promise.all(
    [small, large].map(async ({ url }) => costOf('GET', `${url}/versions/${(await root.get(`${url}/versions`)).body[0].id}`)),
  )

  assert.deepEqual(costs[1]?.statements, costs[0]?.statements)
})

test('a push costs as many statements for five open merge requests from its branch as for one', async () => {
  const pushTo = async (branch: string, name: string) =>
    costOf('POST', `${project.url}/repository/commits`, {
      branch,
      commit_message: name,
      actions: [{ action: 'create', file_path: name, content: '' }],
    })
  const one = await pushTo('large', 'pushed-1.txt')
  for (const target of ['b', 'c', 'd', 'e']) {
    await root.post(`${project.url}/repository/branches`, { branch: target, ref: 'main' })
    await scene.mergeRequest(project, { source_branch: 'large', target_branch: target })
  }

  assert.deepEqual(await pushTo('large', 'pushed-2.txt'), one)
})

test('creating and merging cost the same for one commit and for twelve', async () => {
  const { project: place } = await scene.project()
  await scene.commit(place, { 'a.txt': 'a\n' })
  const costs: Cost[][] = []
  for (const commits of [1, 12]) {
    const name = `topic-${commits}`
    for (let n = 0; n < commits; n++)
      await scene.commit(place, filesNamed(`${name}-${n}`, 3), { branch: name, ...(n === 0 && { start_branch: 'main' }) })
    const created = await costOf('POST', `${place.url}/merge_requests`, { source_branch: name, target_branch: 'main', title: name })
    const [{ iid }] = (await root.get(`${place.url}/merge_requests`)).body
    const merged = await costOf('PUT', `${place.url}/merge_requests/${iid}/merge`)
    costs.push([created, merged])
  }

  assert.deepEqual(costs[1], costs[0])
})

test('opening a merge request starts one process, checking it one more, and merging it none', async () => {
  const { project: place } = await scene.project()
  await scene.commit(place, { 'a.txt': 'a\n' })
  await scene.commit(place, { 'b.txt': 'b\n' }, { branch: 'topic', start_branch: 'main' })

  const created = await costOf('POST', `${place.url}/merge_requests`, { source_branch: 'topic', target_branch: 'main', title: 'b' })
  const [{ id, iid }] = (await root.get(`${place.url}/merge_requests`)).body
  const before = gitProcesses.started
  await checkMergeability(scene.deps, { merge_request_id: id })
  const checked = gitProcesses.started - before
  const merged = await costOf('PUT', `${place.url}/merge_requests/${iid}/merge`)

  assert.deepEqual([created.processes, checked, merged.processes], [1, 1, 0])
  // Includes `begin`, `commit`, the wait for the WAL flush, the push rules, and the locks of files.
  assert.ok(merged.statements <= 27, `merging takes ${merged.statements} statements`)
})

test('opening a merge request whose target branch has moved on starts two processes', async () => {
  const { project: place } = await scene.project()
  scene.setTime('2031-01-01T10:00:00Z')
  await scene.commit(place, { 'a.txt': 'a\n' })
  await scene.commit(place, { 'b.txt': 'b\n' }, { branch: 'topic', start_branch: 'main' })
  scene.setTime('2031-01-01T11:00:00Z')
  for (let n = 0; n < 20; n++) await scene.commit(place, { [`${n}.txt`]: '' })

  const created = await costOf('POST', `${place.url}/merge_requests`, { source_branch: 'topic', target_branch: 'main', title: 'b' })

  // One finds the merge base, one the diff.
  assert.equal(created.processes, 2)
  assert.equal((await root.get(`${place.url}/merge_requests/1/commits`)).body.length, 1)
  scene.setTime(new Date().toISOString())
})
