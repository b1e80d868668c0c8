import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { systemContext } from '../../platform/kernel/context.ts'
import { Secret } from '../../platform/secret.ts'
import { projectsById } from '../../spaces/projects/queries.ts'
import { jobById } from '../jobs/queries.ts'
import { runningJob, type SceneJobOptions } from '../jobs/scene.ts'
import { given, insertRunVariables } from '../run_variables/given.ts'
import { runnerVariablesOf } from './for_job.ts'
import { variablesForPlan } from './for_plan.ts'
import { expanded, layered, type RunnerVariable } from './precedence.ts'

const scene = await openScene()
const ctx = systemContext(scene.deps, scene.deps.database.db)

const variable = (key: string, value: string, more: Partial<RunnerVariable> = {}): RunnerVariable => ({
  key,
  value: new Secret(value),
  public: true,
  file: false,
  masked: false,
  raw: false,
  ...more,
})

/** With its value as text, which comparisons see. */
const revealed = (each: RunnerVariable) => ({ ...each, value: each.value.reveal() })

const plain = (...given: Parameters<typeof variable>) => revealed(variable(...given))

async function variablesOf(id: number, token?: string) {
  const job = (await jobById(ctx.db, id))!
  const variables = await runnerVariablesOf(ctx, job, token)
  return Object.fromEntries(variables.map(each => [each.key, revealed(each)]))
}

test('of layers with one key the strongest counts: given, set, inherited, the CI file, predefined', () => {
  const of = (value: string) => [variable('KEY', value)]
  const layers = { predefined: of('predefined'), file: of('file'), inherited: of('inherited'), set: of('set'), given: of('given') }
  const names = ['given', 'set', 'inherited', 'file', 'predefined'] as const
  for (const [index, name] of names.entries()) {
    const rest = Object.fromEntries(names.map((each, at) => [each, at < index ? [] : layers[each]])) as never
    assert.deepEqual(
      layered(rest).map(({ value }) => value.reveal()),
      [name],
    )
  }
})

test('values are expanded through any number of steps, but what the runner alone knows and files stay references', () => {
  const values = expanded([
    variable('A', '$B/x'),
    variable('B', '${C}'),
    variable('C', 'c$RAW'),
    variable('RAW', '$A', { raw: true }),
    variable('FILE', 'content', { file: true }),
    variable('D', '$CI_PROJECT_DIR/$FILE $$5'),
  ]).map(({ value }) => value.reveal())

  assert.deepEqual(values, ['c$$A/x', 'c$$A', 'c$$A', '$A', 'content', '$CI_PROJECT_DIR/$FILE $$5'])
})

test('a job is given what was set around its project, what its pipeline and it were given, and what earlier jobs left', async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group, owner })
  const set = (url: string, key: string, more: object = {}) =>
    owner.post(`${url}/variables`, { key, value: `${key}-of-${url.split('/')[1]}`, ...more })
  await set(group.url, 'BOTH')
  await set(group.url, 'GROUP')
  await set(project.url, 'BOTH')
  await set(project.url, 'HIDDEN_', { masked: true })
  await set(project.url, 'GUARDED', { protected: true })
  await set(project.url, 'ELSEWHERE', { environment_scope: 'production' })
  await set(project.url, 'AS_FILE', { variable_type: 'file' })
  await set(project.url, 'GIVEN')
  const before = await runningJob(scene, project, owner, { name: 'before' })
  const input: SceneJobOptions = {
    pipelineId: before.pipelineId,
    variables: [
      { key: 'FROM_FILE', value: 'for $BOTH' },
      { key: 'BOTH', value: 'of-the-file' },
      { key: 'LEFT', value: 'of-the-file' },
    ],
  }
  const job = await runningJob(scene, project, owner, input)
  await ctx.db.updateTable('jobs').set({ stage_position: 1 }).where('id', '=', job.id).execute()
  await insertRunVariables(ctx, { job_id: before.id }, [given({ key: 'LEFT', value: 'of-before' })], 'dotenv')
  await insertRunVariables(ctx, { pipeline_id: job.pipelineId }, [
    given({ key: 'GIVEN', value: 'of-the-pipeline' }),
    given({ key: 'PLAYED', value: 'of-the-pipeline' }),
  ])
  await insertRunVariables(ctx, { job_id: job.id }, [given({ key: 'PLAYED', value: 'of-the-job' })])

  const all = await variablesOf(job.id, job.token)

  const { BOTH, GROUP, HIDDEN_, GUARDED, ELSEWHERE, AS_FILE, GIVEN, PLAYED, LEFT, FROM_FILE } = all
  assert.deepEqual(BOTH, plain('BOTH', 'BOTH-of-projects', { public: false }))
  assert.deepEqual(GROUP, plain('GROUP', 'GROUP-of-groups', { public: false }))
  assert.deepEqual(HIDDEN_, plain('HIDDEN_', 'HIDDEN_-of-projects', { public: false, masked: true }))
  assert.deepEqual([GUARDED, ELSEWHERE], [undefined, undefined])
  assert.equal(AS_FILE?.file, true)
  assert.deepEqual([GIVEN?.value, PLAYED?.value, LEFT?.value], ['of-the-pipeline', 'of-the-job', 'of-before'])
  assert.deepEqual(FROM_FILE, plain('FROM_FILE', 'for BOTH-of-projects'))
  assert.deepEqual(all.CI_JOB_TOKEN, plain('CI_JOB_TOKEN', job.token, { public: false, masked: true, raw: true }))
  assert.equal(all.CI_JOB_ID?.value, String(job.id))
})

test('protected variables are for protected branches, and the scope of an environment for its jobs', async () => {
  const { project, owner } = await scene.project()
  const url = `${project.url}/variables`
  await owner.post(url, { key: 'GUARDED', value: 'x', protected: true })
  await owner.post(url, { key: 'SCOPED', value: 'everywhere' })
  await owner.post(url, { key: 'SCOPED', value: 'review', environment_scope: 'review/*' })
  const options = {
    script: ['true'],
    environment: { name: 'review/$CI_COMMIT_REF_SLUG', url: 'https://$CI_ENVIRONMENT_SLUG.example.com/$SCOPED' },
  }
  const job = await runningJob(scene, project, owner, { protected: true, options })
  await ctx.db.updateTable('jobs').set({ environment: 'review/main' }).where('id', '=', job.id).execute()

  const all = await variablesOf(job.id)

  assert.equal(all.GUARDED?.value, 'x')
  assert.equal(all.SCOPED?.value, 'review')
  assert.equal(all.CI_ENVIRONMENT_NAME?.value, 'review/main')
  assert.match(all.CI_ENVIRONMENT_URL?.value ?? '', /^https:\/\/review-main-[a-z0-9]+\.example\.com\/review$/)
  assert.equal(all.CI_JOB_TOKEN, undefined)
})

test('a job whose dependencies or needs leave a job out inherits nothing from it', async () => {
  const { project, owner } = await scene.project()
  const one = await runningJob(scene, project, owner, { name: 'one' })
  const { pipelineId } = one
  const two = await runningJob(scene, project, owner, { name: 'two', pipelineId })
  for (const [name, { id }] of Object.entries({ ONE: one, TWO: two }))
    await insertRunVariables(ctx, { job_id: id }, [given({ key: name, value: name })], 'dotenv')
  const after = await runningJob(scene, project, owner, { name: 'after', pipelineId, options: { script: ['true'], dependencies: ['two'] } })
  const needing = await runningJob(scene, project, owner, { name: 'needing', pipelineId })
  await ctx.db.updateTable('jobs').set({ stage_position: 1 }).where('id', 'in', [after.id, needing.id]).execute()
  await ctx.db.updateTable('jobs').set({ scheduling: 'dag' }).where('id', '=', needing.id).execute()
  await ctx.db.insertInto('job_needs').values({ job_id: needing.id, pipeline_id: pipelineId, name: 'one' }).execute()
  await ctx.db.insertInto('job_needs').values({ job_id: needing.id, pipeline_id: pipelineId, name: 'two', artifacts: false }).execute()

  const inherited = async ({ id }: { id: number }) => Object.keys(await variablesOf(id)).filter(key => key === 'ONE' || key === 'TWO')

  assert.deepEqual(await inherited(after), ['TWO'])
  assert.deepEqual(await inherited(needing), ['ONE'])
})

test('rules see what a pipeline will have, before there is one', async () => {
  const { project, owner } = await scene.project()
  await owner.post(`${project.url}/repository/files/README.md`, { branch: 'main', content: 'x', commit_message: 'Begin' })
  const sha = (await owner.get(`${project.url}/repository/branches/main`)).body.commit.id
  await owner.post(`${project.url}/variables`, { key: 'SET', value: 'project' })
  await owner.post(`${project.url}/variables`, { key: 'GIVEN', value: 'project' })
  const row = (await projectsById(ctx.db, [project.id])).get(project.id)!

  const variables = await variablesForPlan(ctx, row, {
    source: 'api',
    ref: 'refs/heads/main',
    sha,
    protected: false,
    variables: [given({ key: 'GIVEN', value: 'here' })],
  })

  const values = Object.fromEntries(variables.map(({ key, value }) => [key, value.reveal()]))
  assert.equal(values.SET, 'project')
  assert.equal(values.GIVEN, 'here')
  assert.equal(values.CI_COMMIT_BRANCH, 'main')
  assert.equal(values.CI_COMMIT_TITLE, 'Begin')
  assert.equal(values.CI_PIPELINE_SOURCE, 'api')
  assert.equal(values.CI_JOB_ID, undefined)
})

test('what people gave is kept encrypted', async () => {
  const { project, owner } = await scene.project()
  const { id } = await runningJob(scene, project, owner)
  await insertRunVariables(ctx, { job_id: id }, [given({ key: 'SECRET', value: 'open sesame' })])

  const row = await ctx.db.selectFrom('run_variables').select('value').where('job_id', '=', id).executeTakeFirstOrThrow()

  assert.doesNotMatch(row.value, /sesame/)
  assert.equal((await variablesOf(id)).SECRET?.value, 'open sesame')
})
