/** Runners that ask at the same time are handed their jobs together, and each gets its own (runner protocol c.2). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type SceneProject } from '../../../../test/scene.ts'
import { recordStatements } from '../../../platform/db/statements/statements.ts'
import { given, insertRunVariables } from '../../run_variables/given.ts'
import { info, jobIn, pipelineIn, registered, runOf, type SceneRunner } from '../scene.ts'

const scene = await openScene({ settings: { hosts: 'one.example.com,two.example.com,three.example.com,four.example.com' } })
const { db } = scene.deps.database

/** The values of variables in what a runner was handed. */
const variableIn = (body: { variables: { key: string; value: string }[] }, key: string) =>
  body.variables.findLast(variable => variable.key === key)?.value

const runnersOf = (project: SceneProject, count: number) => Promise.all(Array.from({ length: count }, () => registered(scene, { project })))

/** So many jobs of one pipeline; their ids. */
async function jobsIn(project: SceneProject, count: number): Promise<number[]> {
  const pipelineId = await pipelineIn(scene, project)
  const ids: number[] = []
  for (let n = 0; n < count; n++) ids.push((await jobIn(scene, project, { name: `job ${n}`, pipelineId })).id)
  return ids
}

const askAll = (runners: readonly SceneRunner[]) => Promise.all(runners.map(runner => runner.ask()))
const idsOf = (answers: readonly { body: { id?: number } }[]) => answers.map(({ body }) => body?.id)

test('runners that ask at the same time are handed their jobs in few statements, each with a token, variables and an address of its own', async () => {
  const { project } = await scene.project()
  const runners = await runnersOf(project, 4)
  const pipelineId = await pipelineIn(scene, project)
  const ids: number[] = []
  for (const name of ['a', 'b', 'c', 'd']) {
    const { id } = await jobIn(scene, project, { name, pipelineId, variables: [{ key: 'OF_FILE', value: name }] })
    await scene.run(undefined, ctx => insertRunVariables(ctx, { job_id: id }, [given({ key: 'GIVEN', value: `to ${name}` })]))
    ids.push(id)
  }

  const hosts = ['one.example.com', 'two.example.com', 'three.example.com', 'four.example.com']
  const ask = ({ token }: SceneRunner, index: number) =>
    scene.app.inject({ method: 'POST', url: '/api/v4/jobs/request', headers: { host: hosts[index]! }, payload: { token, info } })
  const { result, statements } = await recordStatements(() => Promise.all(runners.map(ask)))

  const taken = result.map(answer => answer.json())
  assert.deepEqual(
    taken.map(({ id }) => id).sort((a, b) => a - b),
    ids,
  )
  assert.equal(new Set(taken.map(({ token }) => token)).size, 4)
  for (const [index, body] of taken.entries()) {
    const { name } = body.job_info
    assert.deepEqual(
      [variableIn(body, 'OF_FILE'), variableIn(body, 'GIVEN'), variableIn(body, 'CI_RUNNER_ID'), variableIn(body, 'CI_JOB_ID')],
      [name, `to ${name}`, String(runners[index]!.id), String(body.id)],
    )
    assert.ok(body.git_info.repo_url.includes(`${body.token}@${hosts[index]}`), body.git_info.repo_url)
    assert.ok(variableIn(body, 'CI_SERVER_URL')!.includes(hosts[index]!))
    assert.equal((await runOf(scene.anonymous, body).update({ state: 'success' })).status, 200)
  }
  const moves = statements.filter(statement => /update "jobs" set/.test(statement))
  assert.ok(moves.length < 4, `${moves.length} moves`)
})

test('one job that cannot be handed out fails alone, and its runner is handed the next one', async () => {
  const failing = await openScene({ failuresExpected: true })
  const { project } = await failing.project()
  const runners = await Promise.all([1, 2, 3].map(() => registered(failing, { project })))
  const pipelineId = await pipelineIn(failing, project)
  const { id: broken } = await jobIn(failing, project, { name: 'broken', pipelineId })
  // Nobody can read it.
  await failing.deps.database.db
    .insertInto('run_variables')
    .values({ job_id: broken, key: 'A', value: 'not encrypted', variable_type: 'env_var', raw: false, source: 'given' })
    .execute()
  const good = [1, 2, 3].map(n => jobIn(failing, project, { name: `good ${n}`, pipelineId }))

  const ids = (await Promise.all(good)).map(({ id }) => id)
  const answers = await askAll(runners)

  assert.deepEqual(
    idsOf(answers).sort((a, b) => a! - b!),
    ids.sort((a, b) => a - b),
  )
  const { status, failure_reason } = await failing.deps.database.db
    .selectFrom('jobs')
    .select(['status', 'failure_reason'])
    .where('id', '=', broken)
    .executeTakeFirstOrThrow()
  assert.deepEqual([status, failure_reason], ['failed', 'data_integrity_failure'])
})

test('a locked job or runner delays no other request', async () => {
  const { project } = await scene.project()
  const runners = await runnersOf(project, 5)
  const [heldRunner, ...others] = runners
  const [heldJob, ...jobs] = await jobsIn(project, 6)
  const holding = await db.startTransaction().execute()
  await holding.selectFrom('jobs').select('id').where('id', '=', heldJob!).forUpdate().execute()
  await holding.selectFrom('runners').select('id').where('id', '=', heldRunner!.id).forUpdate().execute()

  const late = heldRunner!.ask()
  const answers = await askAll(others)

  assert.ok(answers.every(({ status, body }) => status === 201 && jobs.includes(body.id)))
  await holding.commit().execute()
  const { status, body } = await late
  assert.equal(status, 201)
  assert.ok(!idsOf(answers).includes(body.id))
})

test('a job that deploys is handed out among others, and the variables of its environment are its own', async () => {
  const { project } = await scene.project()
  const runners = await runnersOf(project, 3)
  const [, ...plain] = await jobsIn(project, 3)
  const { id } = await scene.run(scene.root, async ctx =>
    ctx.db
      .insertInto('environments')
      .values({ project_id: project.id, name: 'production', slug: 'production', tier: 'production' })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  await db
    .updateTable('jobs')
    .set({ environment: 'production', environment_id: id })
    .where('project_id', '=', project.id)
    .where('id', 'not in', plain)
    .execute()

  const answers = await askAll(runners)

  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201],
  )
  const deploying = answers.find(({ body }) => !plain.includes(body.id))!
  assert.equal(variableIn(deploying.body, 'CI_ENVIRONMENT_NAME'), 'production')
  assert.ok(answers.filter(each => each !== deploying).every(({ body }) => variableIn(body, 'CI_ENVIRONMENT_NAME') === undefined))
})

test('runners of the instance that ask at the same time take turns between projects', async () => {
  const { project: one } = await scene.project()
  const { project: two } = await scene.project()
  const tags = ['turns']
  for (const project of [one, two]) {
    const pipelineId = await pipelineIn(scene, project)
    for (let n = 0; n < 6; n++) await jobIn(scene, project, { name: `job ${n}`, pipelineId, tags })
  }
  const runners: SceneRunner[] = []
  for (let n = 0; n < 4; n++) runners.push(await registered(scene, {}, { tag_list: 'turns', run_untagged: false }))

  const answers = await askAll(runners)

  const places = answers.map(({ body }) => body.job_info.project_id)
  assert.equal(places.filter(id => id === one.id).length, 2)
  assert.equal(places.filter(id => id === two.id).length, 2)
})

test('of concurrent requests those with a wrong token are refused, and those of runners without a job are answered so (c.2)', async () => {
  const { project } = await scene.project()
  const { project: other } = await scene.project()
  const [runner] = await runnersOf(project, 1)
  const idle = await registered(scene, { project: other })
  const [id] = await jobsIn(project, 1)

  const answers = await Promise.all([
    scene.anonymous.post('/jobs/request', { token: 'wrong', info }),
    runner!.ask(),
    idle.ask(),
    runner!.ask(),
  ])

  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 204, 204, 403])
  assert.deepEqual(idsOf(answers.filter(({ status }) => status === 201)), [id])
})
