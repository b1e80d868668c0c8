/** Nothing acknowledged is lost by a crash in the middle of a merge, or by concurrent pushes, rebases and merges. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atEnd } from '../../../../test/at_end.ts'
import { eventually } from '../../../../test/eventually.ts'
import { openScene, type Person, type SceneProject } from '../../../../test/scene.ts'
import { journalUpdate } from '../../../code/ref_updates/journal.ts'
import { reconcileReferences } from '../../../code/ref_updates/reconcile.ts'
import { transact } from '../../../platform/db/transact.ts'
import { processMark, showPresence } from '../../../platform/events/lease.ts'
import { startWorker } from '../../../platform/events/worker.ts'
import { git } from '../../../platform/git/scene.ts'
import type { Deps } from '../../../platform/kernel/context.ts'
import { tasksOf } from '../../../server/tasks.ts'
import { findProject } from '../../../spaces/projects/scope.ts'
import { findMergeRequest } from '../scope.ts'
import { lockedForMerge } from './finalize.ts'
import { mergeNow } from './merge.ts'

const scene = await openScene()
const { deps, root } = scene

const say = (project: SceneProject, args: readonly string[]) =>
  git(deps.storages.repository({ id: project.id, repository_storage: 'default' }), args)

/** The same instance, which fails in the transaction that records the outcome. */
const crashing: Deps = {
  ...deps,
  now: () => {
    throw new Error('crash')
  },
}

test('a server that dies after the target branch has moved leaves a merged merge request', async () => {
  const { project } = await scene.project()
  const proposal = await scene.mergeRequest(project)
  // Merging must not run inside a transaction.
  const ctx = await scene.run(root, async inner => ({ ...inner, db: deps.database.db }))
  const target = await findProject(ctx.db, ctx.actor, String(project.id))

  const row = await findMergeRequest(ctx, target, proposal.iid)

  await assert.rejects(mergeNow({ ...ctx, deps: crashing }, target, row, {}), /crash/)
  assert.equal((await root.get(proposal.url)).body.state, 'locked')
  assert.equal((await root.put(`${proposal.url}/merge`)).status, 405)
  assert.equal((await root.put(proposal.url, { state_event: 'close' })).body.state, 'locked')

  await Promise.all([reconcileReferences(deps), reconcileReferences(deps)])
  const { body } = await root.get(proposal.url)
  assert.deepEqual([body.state, body.merged_by.id, body.merge_commit_sha], ['merged', root.id, say(project, ['rev-parse', 'main'])])
})

test('a server that dies before the target branch has moved leaves an open merge request', async t => {
  const { project } = await scene.project()
  const proposal = await scene.mergeRequest(project)
  const [old, ref] = [say(project, ['rev-parse', 'main']), 'refs/heads/main']
  const commits = { merged_commit_sha: proposal.sha, merge_commit_sha: null, squash_commit_sha: null }
  await transact(deps.database.db, async db => {
    const continuation = { kind: 'merge', ref, merge_request_id: proposal.id, ...commits } as const
    await journalUpdate(db, project.id, root.id, [{ ref, old, new: proposal.sha }], { continuation, claim: lockedForMerge(proposal.id) })
  })

  await reconcileReferences(deps)
  assert.equal((await root.get(proposal.url)).body.state, 'locked')
  t.after(() => scene.setTime(undefined))
  scene.setTime(new Date(Date.now() + 6 * 60 * 1000).toISOString())
  await reconcileReferences(deps)
  assert.equal((await root.get(proposal.url)).body.state, 'opened')
  assert.equal((await root.put(`${proposal.url}/merge`)).body.state, 'merged')
})

test('a merge of a process that is gone is dropped soon, and that of one that lives or is not known is not', async () => {
  const { project } = await scene.project()
  const { database } = deps
  const presence = showPresence(database, deps.log)
  await eventually(() => processMark(database.db) !== undefined, 'the mark of this process')
  const holders = ['process of a server that was killed', processMark(database.db)!, null]
  const proposals: (Awaited<ReturnType<typeof scene.mergeRequest>> & { readonly holder: string | null })[] = []
  for (const holder of holders) proposals.push({ ...(await scene.mergeRequest(project)), holder })
  const [old, ref] = [say(project, ['rev-parse', 'main']), 'refs/heads/main']
  for (const proposal of proposals)
    await transact(database.db, async db => {
      const commits = { merged_commit_sha: proposal.sha, merge_commit_sha: null, squash_commit_sha: null }
      const continuation = { kind: 'merge', ref, merge_request_id: proposal.id, ...commits } as const
      const moves = [{ ref, old, new: proposal.sha }]
      const id = await journalUpdate(db, project.id, root.id, moves, { continuation, claim: lockedForMerge(proposal.id) })
      await db.updateTable('reference_intents').set({ holder: proposal.holder }).where('id', '=', id!).execute()
    })
  const states = () => Promise.all(proposals.map(async ({ url }) => (await root.get(url)).body.state))
  const after = (seconds: number) => reconcileReferences({ ...deps, now: () => new Date(Date.now() + seconds * 1_000) })

  await after(0)
  assert.deepEqual(await states(), ['locked', 'locked', 'locked'])
  // The database of the tests may have started a moment ago, when nobody counts as gone.
  await eventually(async () => {
    await after(40)
    return (await states())[0] === 'opened'
  }, 'the merge request of the killed server')
  assert.deepEqual(await states(), ['opened', 'locked', 'locked'])
  await presence.release()
  assert.equal(processMark(database.db), undefined)
  // The server notices a moment later that the connection is gone which showed the presence.
  await eventually(async () => {
    await after(40)
    return (await states())[1] === 'opened'
  }, 'the merge request of the released process')
  assert.deepEqual(await states(), ['opened', 'opened', 'locked'])
})

test('of many concurrent merges of one merge request one succeeds', async () => {
  const { project } = await scene.project()
  const proposal = await scene.mergeRequest(project)
  const answers = await Promise.all([1, 2, 3].map(() => root.put(`${proposal.url}/merge`)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 405, 405])
})

test('concurrent merges of different merge requests into one branch all succeed', async () => {
  const { project } = await scene.project()
  const proposals = []
  for (let count = 0; count < 8; count++) proposals.push(await scene.mergeRequest(project))

  const answers = await Promise.all(proposals.map(({ url }) => root.put(`${url}/merge`)))

  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.state]),
    proposals.map(() => [200, 'merged']),
  )
  const landed = say(project, ['rev-list', 'main']).split('\n')
  assert.deepEqual(
    proposals.filter(({ sha }) => !landed.includes(sha)),
    [],
  )
})

/** Seconds of the race below: `INGOT_RACE_SECONDS=60` for a full minute. */
// biome-ignore lint/style/noProcessEnv: the duration is set by the caller of the tests
const SECONDS = Number(process.env.INGOT_RACE_SECONDS ?? 6)

test('two users who push, rebase and merge at random lose nothing that was acknowledged', async () => {
  const worker = await startWorker({ database: deps.database, tasks: tasksOf(deps), log: deps.log, concurrency: 2 })
  atEnd(() => worker.stop())
  const { project, owner, maintainer } = await scene.project({ members: ['maintainer'] })
  await scene.commit(project, { start: '' })
  const acknowledged: string[] = []
  const branches = ['main']
  const end = Date.now() + SECONDS * 1000
  let files = 0
  const oneOf = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T

  async function push(person: Person, branch: string, more: object = {}) {
    const file_path = `file-${++files}`
    const actions = [{ action: 'create', file_path, content: file_path }]
    const answer = await person.post(`${project.url}/repository/commits`, { branch, commit_message: file_path, actions, ...more })
    if (answer.status === 201) acknowledged.push(file_path)
    else assert.ok([400, 403].includes(answer.status), JSON.stringify(answer))
    return answer.status === 201
  }
  async function propose(person: Person) {
    const branch = `topic-${files}`
    if (!(await push(person, branch, { start_branch: 'main' }))) return
    branches.push(branch)
    await person.post(`${project.url}/merge_requests`, { source_branch: branch, target_branch: 'main', title: branch })
  }
  async function finish(person: Person) {
    const open = (await person.get(`${project.url}/merge_requests?state=opened`)).body as { iid: number }[]
    if (open.length === 0) return propose(person)
    const url = `${project.url}/merge_requests/${oneOf(open).iid}`
    const squash = Math.random() < 0.3
    const rebases = Math.random() < 0.4
    const answer = rebases
      ? await person.put(`${url}/rebase`)
      : await person.put(`${url}/merge`, { squash, should_remove_source_branch: true })
    assert.ok([200, 202, 405, 406, 409].includes(answer.status), JSON.stringify(answer))
  }
  const live = async (person: Person) => {
    while (Date.now() < end) await oneOf([() => push(person, oneOf(branches)), () => propose(person), () => finish(person)])()
  }
  await Promise.all([live(owner), live(maintainer), live(owner)])

  const heads = say(project, ['for-each-ref', '--format=%(refname)', 'refs/heads']).split('\n')
  const found = new Set(heads.flatMap(head => say(project, ['ls-tree', '--name-only', head]).split('\n')))
  assert.ok(acknowledged.length > 5)
  assert.deepEqual(
    acknowledged.filter(file => !found.has(file)),
    [],
  )
  assert.equal(say(project, ['fsck', '--connectivity-only', '--no-dangling']), '')
})
