/** What a job begins with: the archives and variables of other jobs (runner protocol c.2 `dependencies`). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openScene, type SceneProject } from '../../../../test/scene.ts'
import { uploadTo } from '../../artifacts/scene.ts'
import { zipOf } from '../../artifacts/zip/scene.ts'
import { jobIn, pipelineIn, registered, runOf, type SceneRunner } from '../scene.ts'

const scene = await openScene()

const { db } = scene.deps.database
const jobRow = (id: number) => db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const idOf = async (runner: SceneRunner): Promise<number | undefined> => (await runner.ask()).body?.id

test('a job gets the archives of the jobs before it, of those that it names, or of those that it needs (c.2 `dependencies`)', async () => {
  const { project } = await scene.project()
  const pipelineId = await pipelineIn(scene, project)
  const runner = await registered(scene, { project })
  const before: number[] = []
  for (const name of ['one', 'two', 'bare']) before.push((await jobIn(scene, project, { pipelineId, name, status: 'success' })).id)
  const [one, two] = before as [number, number]
  for (const job_id of [one, two]) await addArchive(project.id, job_id)
  const common = { pipelineId, stage_position: 1 }
  await jobIn(scene, project, { ...common, name: 'all' })
  await jobIn(scene, project, { ...common, name: 'named', options: { script: ['true'], dependencies: ['two'] } })
  await jobIn(scene, project, { ...common, name: 'none', options: { script: ['true'], dependencies: [] } })
  const needy = await jobIn(scene, project, { ...common, name: 'needy', scheduling: 'dag' })
  const needs = [
    { job_id: needy.id, pipeline_id: pipelineId, name: 'one' },
    { job_id: needy.id, pipeline_id: pipelineId, name: 'two', artifacts: false },
  ]
  await db.insertInto('job_needs').values(needs).execute()

  const got: Record<string, number[]> = {}
  for (let count = 0; count < 4; count++) {
    const { body } = await runner.ask()
    got[body.job_info.name] = body.dependencies.map(({ id }: { id: number }) => id)
    for (const { token, artifacts_file } of body.dependencies)
      assert.deepEqual([token, artifacts_file], [body.token, { filename: 'artifacts.zip', size: 3 }], 'its own token opens them')
  }

  assert.deepEqual(got, { all: [one, two], named: [two], none: [], needy: [one] })
})

test('a job whose dependency has expired or was erased fails before it runs, and the next one is handed out', async () => {
  const { project } = await scene.project()
  const runner = await registered(scene, { project })
  const outcomes: unknown[] = []
  for (const [locked, changes] of [
    [false, { artifacts_expire_at: '2020-01-01T00:00:00Z' }],
    [true, { artifacts_expire_at: '2020-01-01T00:00:00Z' }],
    [false, { erased_at: '2020-01-01T00:00:00Z' }],
  ] as const) {
    const pipelineId = await pipelineIn(scene, project, { locked })
    const { id } = await jobIn(scene, project, { pipelineId, name: 'before', status: 'success' })
    await addArchive(project.id, id)
    await db.updateTable('jobs').set(changes).where('id', '=', id).execute()
    const waiting = await jobIn(scene, project, { pipelineId, name: 'after', stage_position: 1 })
    const next = await jobIn(scene, project, { name: 'next' })

    const got = await idOf(runner)

    const { status, failure_reason } = await jobRow(waiting.id)
    outcomes.push([got === next.id ? 'next' : 'it', status, failure_reason])
    if (got !== next.id) await idOf(runner)
  }
  assert.deepEqual(outcomes, [
    ['next', 'failed', 'missing_dependency_failure'],
    ['it', 'running', null],
    ['next', 'failed', 'missing_dependency_failure'],
  ])
})

test('a need of another project brings the archive and the variables of its latest successful job (needs: project; `dotenv`)', async () => {
  const owner = await scene.user()
  const [one, two] = [await scene.project({ owner }), await scene.project({ owner })]
  const { made, archive } = await compiledIn(one.project, owner.id)
  // A tag of the branch's name has a newer one, which is not the branch's.
  await scene.commit(one.project, { 'a.txt': 'a\n' })
  const posed = await pipelineIn(scene, one.project)
  await jobIn(scene, one.project, { pipelineId: posed, name: 'compile', status: 'success' })
  await db.updateTable('pipelines').set({ status: 'success', tag: true }).where('id', '=', posed).execute()
  const need = { project: '$WHERE', ref: 'main', job: 'compile', artifacts: true }
  const options = { script: ['true'], other_needs: [need] }
  const variables = [{ key: 'WHERE', value: one.project.full_path }]
  await jobIn(scene, two.project, { name: 'use', scheduling: 'dag', options, variables, user_id: owner.id })
  await jobIn(scene, two.project, { name: 'stranger', scheduling: 'dag', options, variables, user_id: (await scene.user()).id })
  const user = await registered(scene, { project: two.project })

  const { body } = await user.ask()

  assert.deepEqual(
    body.dependencies.map(({ id, name }: { id: number; name: string }) => [id, name]),
    [[made.id, 'compile']],
  )
  assert.equal(body.variables.find(({ key }: { key: string }) => key === 'VERSION')?.value, '7')
  const download = await fetch(`${scene.url}/api/v4/jobs/${made.id}/artifacts`, { headers: { 'job-token': body.dependencies[0].token } })
  assert.deepEqual([download.status, Buffer.from(await download.arrayBuffer()).equals(archive)], [200, true])
  assert.equal((await user.ask()).status, 204)
  const stranger = await db.selectFrom('jobs').select(['status', 'failure_reason']).where('name', '=', 'stranger').executeTakeFirst()
  assert.deepEqual(stranger, { status: 'failed', failure_reason: 'missing_dependency_failure' }, 'whom the job runs for may not see it')
})

test('who may not download the `dotenv` report of a job gets its archive by a need, and none of its variables', async () => {
  const { project, owner, developer } = await scene.project({ visibility: 'public', members: ['developer'] })
  await compiledIn(project, owner.id)
  const reader = await scene.project()
  const need = { project: project.full_path, ref: 'main', job: 'compile', artifacts: true }
  const options = { script: ['true'], other_needs: [need] }
  for (const user of [reader.owner, developer])
    await jobIn(scene, reader.project, { name: user.username, scheduling: 'dag', options, user_id: user.id })
  const runner = await registered(scene, { project: reader.project })

  const got: Record<string, unknown> = {}
  for (let count = 0; count < 2; count++) {
    const { body } = await runner.ask()
    const version = body.variables.find(({ key }: { key: string }) => key === 'VERSION')?.value
    got[body.job_info.name] = [body.dependencies.length, version]
  }

  assert.deepEqual(got, { [reader.owner.username]: [1, undefined], [developer.username]: [1, '7'] })
})

/** A successful job `compile` with an archive, and with the variable `VERSION` in its report. */
async function compiledIn(project: SceneProject, user_id: number) {
  const runner = await registered(scene, { project })
  const pipelineId = await pipelineIn(scene, project)
  await jobIn(scene, project, { pipelineId, name: 'compile', user_id })
  const { body: made } = await runner.ask()
  const archive = await zipOf({ 'out.txt': 'made elsewhere' })
  assert.equal((await uploadTo(scene, made, archive)).status, 201)
  const report = { artifact_type: 'dotenv', artifact_format: 'gzip', filename: '.env.gz' }
  await uploadTo(scene, made, gzipSync('VERSION=7\n'), report)
  await runOf(scene.anonymous, made).finish('success', '')
  await db.updateTable('pipelines').set({ status: 'success' }).where('id', '=', pipelineId).execute()
  return { made, archive }
}

async function addArchive(project_id: number, job_id: number): Promise<void> {
  const object = await db
    .insertInto('stored_objects')
    .values({ key: `test/${job_id}`, size: 3, sha256: 'a'.repeat(64) })
    .returning('id')
    .executeTakeFirstOrThrow()
  const archive = {
    job_id,
    project_id,
    file_type: 'archive',
    file_format: 'zip',
    filename: 'artifacts.zip',
    object_id: object.id,
    size: 3,
  } as const
  await db.insertInto('job_artifacts').values(archive).execute()
}
