/** The list of a project's artifacts, and what deletes single ones. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openScene, type Person, type SceneProject } from '../../../../test/scene.ts'
import { endJob, runningJob } from '../../jobs/scene.ts'
import { uploadTo } from '../scene.ts'
import { zipOf } from '../zip/scene.ts'
import { jobsWithArtifacts } from './queries.ts'

const scene = await openScene()
const { db } = scene.deps.database

/** A job that has ended, with an archive of this file and a report. */
async function jobWithFiles(project: SceneProject, owner: Person, content: string, ref = 'main') {
  const job = await runningJob(scene, project, owner, { ref })
  assert.equal((await uploadTo(scene, job, await zipOf({ 'out.txt': content }), { expire_in: '1 day' })).status, 201)
  assert.equal((await uploadTo(scene, job, Buffer.from('{}'), { artifact_type: 'performance', artifact_format: 'raw' })).status, 201)
  await endJob(scene, job)
  return job
}

const listed = async (person: Person, project: SceneProject, query = {}) => {
  const { body } = await person.get(`${project.url}/artifacts`, query)
  return body as { job: { id: number }; size: number; locked: boolean; artifacts: { id: number; file_type: string; size: number }[] }[]
}

const ids = (rows: Awaited<ReturnType<typeof listed>>) => rows.map(({ job }) => job.id)

test('jobs with artifacts are listed by age, by size and by reference, with their files', async () => {
  const { project, owner } = await scene.project()
  const [first, second, third] = [
    await jobWithFiles(project, owner, 'b'.repeat(2_000), 'main'),
    await jobWithFiles(project, owner, 'a', 'docs'),
    await jobWithFiles(project, owner, 'abc'.repeat(10), 'main'),
  ]
  await endJob(scene, await runningJob(scene, project, owner))

  const newest = await listed(owner, project)

  assert.deepEqual(ids(newest), [third.id, second.id, first.id])
  assert.deepEqual(
    newest[0]?.artifacts.map(({ file_type }) => file_type),
    ['archive', 'performance'],
  )
  assert.equal(
    newest[0]?.size,
    newest[0]?.artifacts.reduce((sum, { size }) => sum + size, 0),
  )
  assert.deepEqual(ids(await listed(owner, project, { ref: 'main', sort: 'asc' })), [first.id, third.id])
  assert.deepEqual(ids(await listed(owner, project, { order_by: 'ref', sort: 'asc' })), [second.id, first.id, third.id])
  const bySize = await listed(owner, project, { order_by: 'size' })
  assert.deepEqual(
    bySize.map(({ size }) => size),
    newest.map(({ size }) => size).sort((a, b) => b - a),
  )
})

test('a job leaves the list with its last file, and a log alone does not bring it there', async () => {
  const { project, owner } = await scene.project()
  const job = await jobWithFiles(project, owner, 'a')
  await scene.deps.database.db.updateTable('jobs').set({ trace_size: 4 }).where('id', '=', job.id).execute()
  const [row] = await listed(owner, project)
  const [archive, report] = row?.artifacts ?? []

  const deleted = await owner.delete(`${project.url}/artifacts/${archive?.id}`)
  const [left] = await listed(owner, project)
  await owner.delete(`${project.url}/artifacts/${report?.id}`)

  assert.equal(deleted.status, 204)
  assert.deepEqual(
    left?.artifacts.map(({ id }) => id),
    [report?.id],
  )
  assert.equal(left?.size, 2)
  assert.deepEqual(await listed(owner, project), [])
  const statistics = await db
    .selectFrom('project_statistics')
    .select('job_artifacts_size')
    .where('project_id', '=', project.id)
    .executeTakeFirst()
  assert.equal(statistics?.job_artifacts_size, 0)
  assert.equal((await owner.delete(`${project.url}/artifacts/${archive?.id}`)).status, 404)
})

test('the artifacts of several jobs are deleted together, and those of another project are not', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const { project: other } = await scene.project({ owner })
  const [first, second, theirs] = [
    await jobWithFiles(project, owner, 'a'),
    await jobWithFiles(project, owner, 'b'),
    await jobWithFiles(other, owner, 'c'),
  ]
  const path = `${project.url}/artifacts/bulk_destroy`

  const refused = await developer.post(path, { job_ids: [first.id] })
  const answer = await owner.post(path, { job_ids: [first.id, theirs.id] })

  assert.equal(refused.status, 403)
  assert.equal(answer.status, 204)
  assert.deepEqual(ids(await listed(owner, project)), [second.id])
  assert.deepEqual(ids(await listed(owner, other)), [theirs.id])
  assert.equal((await owner.post(path, { job_ids: [] })).status, 400)
})

test('erasing a job takes it off the list', async () => {
  const { project, owner } = await scene.project()
  const job = await jobWithFiles(project, owner, 'a')

  await owner.post(`${project.url}/jobs/${job.id}/erase`)

  assert.deepEqual(await listed(owner, project), [])
})

test('each order is read by an index, with and without a reference', async () => {
  const { project } = await scene.project()
  for (const ref of [undefined, 'main'])
    for (const order_by of ['id', 'size', 'ref'] as const) {
      const query = jobsWithArtifacts(db, project.id, { ref, order_by }).limit(20).compile()
      const plan = await db.transaction().execute(async tx => {
        await sql`set local enable_seqscan = off`.execute(tx)
        await sql`set local enable_bitmapscan = off`.execute(tx)
        return tx.executeQuery<{ 'QUERY PLAN': string }>({ ...query, sql: `explain ${query.sql}` })
      })
      const text = plan.rows.map(row => row['QUERY PLAN']).join('\n')
      assert.match(text, /Index/, `${ref} ${order_by}`)
      assert.doesNotMatch(text, /Sort/, `${ref} ${order_by}: ${text}`)
    }
})
