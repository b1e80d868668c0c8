import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openScene } from '../../../test/scene.ts'
import { recordStatements } from '../../platform/db/statements/statements.ts'
import { formWith } from '../../spaces/uploads/scene.ts'
import { exportAccount } from '../account_exports/task.ts'
import { unpackLimits } from '../archives/reading/unpack.ts'
import { exportGroup } from '../group_archives/exporting/task.ts'
import { importGroupArchive } from '../group_archives/importing/task.ts'
import { exportProject } from './exporting/task.ts'
import { importArchive } from './importing/task.ts'
import { archiveWith, exported, imported } from './scene.ts'

const scene = await openScene()
const { deps } = scene
const { db } = deps.database

/** Less than any archive has. */
const turn = 100

/** The jobs of a task that wait: queue, payload, and the user whose turn each takes. */
async function waiting(task: string) {
  const { rows } = await sql<{ queue: string; payload: { request_key?: string; large?: boolean }; flags: object }>`
    select line.queue_name as queue, job.payload, job.flags
      from graphile_worker._private_jobs job
      join graphile_worker._private_tasks task on task.id = job.task_id
      join graphile_worker._private_job_queues line on line.id = job.job_queue_id
     where task.identifier = ${task}`.execute(db)
  return rows
}

/** Which request the job of a task that waits is for. */
const requestOf = async (task: string): Promise<string> => (await waiting(task))[0]?.payload.request_key ?? 'none'

/** The job of a task has been queued among the large ones, in the place of the one before, for the same user. */
async function assertGaveWay(task: string, userId: number, payload: object): Promise<void> {
  assert.deepEqual(await waiting(task), [
    { queue: 'large archives', payload: { ...payload, large: true }, flags: { [`user ${userId}`]: true } },
  ])
  await sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs where task_identifier = ${task}))`.execute(db)
}

test('an import of more than its turn gives way to the others, and is made among the large ones', async () => {
  const owner = await scene.user()
  const issues = Array.from({ length: 300 }, (_, at) => ({
    id: at + 1,
    iid: at + 1,
    title: `Issue ${at + 1}`,
    state: 'opened',
    issue_type: 'issue',
  }))
  const archive = await archiveWith({ 'tree/project/issues.ndjson': issues })
  const { body } = await owner.post('/projects/import', formWith('file', 'export.tar.gz', archive, { path: 'large' }))
  const task = { project_id: body.id }
  const state = async () => (await owner.get(`/projects/${body.id}/import`)).body.import_status
  await importArchive(deps, task, { ...unpackLimits, turn })
  await assertGaveWay('import_archive', owner.id, task)
  assert.equal(await state(), 'started')
  await importArchive(deps, { ...task, large: true }, { ...unpackLimits, turn })
  assert.equal(await state(), 'finished')
  assert.equal((await owner.get(`/projects/${body.id}`)).body.open_issues_count, 300)
})

for (const [order, positions, updates] of [
  ['stand in their order', [1, 2, 2, null], 0],
  ['stand in another order', [2, 1, 2, null], 1],
] as const)
  test(`issues of an archive that ${order} are written ${updates + 1} times`, async () => {
    const owner = await scene.user()
    const issues = positions.map((relative_position, at) => ({
      id: at + 1,
      iid: at + 1,
      title: `Issue ${at + 1}`,
      state: 'opened',
      issue_type: 'issue',
      relative_position,
    }))
    const archive = await archiveWith({ 'tree/project/issues.ndjson': issues })
    const { result, statements } = await recordStatements(() => imported(scene, owner, archive))
    assert.equal(statements.filter(statement => statement.includes('update issues set relative_position')).length, updates)
    const rows = await db.selectFrom('issues').select('iid').where('project_id', '=', result.id).orderBy('relative_position').execute()
    assert.deepEqual(
      rows.map(({ iid }) => iid),
      updates === 0 ? [1, 2, 3, 4] : [2, 1, 3, 4],
    )
  })

test('so does an export of a project', async () => {
  const { project, owner } = await scene.project()
  await owner.post(`${project.url}/export`)
  const task = { project_id: project.id, request_key: await requestOf('export_project') }
  await exportProject(deps, task, turn)
  await assertGaveWay('export_project', owner.id, task)
  await exportProject(deps, { ...task, large: true }, turn)
  assert.equal((await owner.get(`${project.url}/export`)).body.export_status, 'finished')
})

test('an export of a project counts its repository and its files', async () => {
  const { project, owner } = await scene.project()
  const rows = (await exported(scene, owner, project)).length * 20
  await scene.commit(project, { 'large.bin': Buffer.from(Array.from({ length: rows }, () => Math.random() * 256)).toString('base64') })
  await owner.post(`${project.url}/export`)
  const task = { project_id: project.id, request_key: await requestOf('export_project') }
  await exportProject(deps, task, rows)
  await assertGaveWay('export_project', owner.id, task)
})

test('so do exports and imports of groups', async () => {
  const { group, owner } = await scene.group()
  await owner.post(`${group.url}/export`)
  const task = { group_id: group.id, request_key: await requestOf('export_group') }
  await exportGroup(deps, task, turn)
  await assertGaveWay('export_group', owner.id, task)
  await exportGroup(deps, { ...task, large: true }, turn)
  const { bytes } = await owner.get(`${group.url}/export/download`)
  const sent = formWith('file', 'export.tar.gz', bytes, { path: 'large-group', name: 'Large' })
  assert.equal((await owner.post('/groups/import', sent)).status, 202)
  const { id: group_id } = (await owner.get('/groups/large-group')).body
  await importGroupArchive(deps, { group_id }, { ...unpackLimits, turn })
  await assertGaveWay('import_group', owner.id, { group_id })
  await importGroupArchive(deps, { group_id, large: true }, { ...unpackLimits, turn })
  const { state } = await db.selectFrom('group_imports').select('state').where('namespace_id', '=', group_id).executeTakeFirstOrThrow()
  assert.equal(state, 'finished')
})

test('and so does an export of an account', async () => {
  const { id } = await scene.user()
  const request_key = '00000000-0000-4000-8000-000000000001'
  const row = { user_id: id, request_key, state: 'queued' as const, created_at: deps.now() }
  await db.insertInto('account_exports').values(row).execute()
  const task = { user_id: id, request_key }
  await exportAccount(deps, task, turn)
  await assertGaveWay('export_account', id, task)
  await exportAccount(deps, { ...task, large: true }, turn)
  const { state } = await db.selectFrom('account_exports').select('state').where('user_id', '=', id).executeTakeFirstOrThrow()
  assert.equal(state, 'finished')
})
