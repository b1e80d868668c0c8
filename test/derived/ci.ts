/** Pipelines of the world, made for a branch with a CI file; of the last one most jobs have run. */
import { moveJobs } from '../../src/ci/jobs/transitions/move.ts'
import { make, rows } from './making.ts'
import type { Place, World } from './world.ts'

const lines = (lineOf: (row: number) => string) => rows.map(lineOf).join('\n')

/** Jobs that run by themselves, one that waits for a user, and bridges to a child pipeline. */
const ciFile = [
  lines(row => `test ${row}: { script: make test, environment: tested/${row} }`),
  'by hand: { script: make release, when: manual, environment: by-hand }',
  // Of merge requests alone.
  'proposed: { script: make test, rules: [{ if: $CI_MERGE_REQUEST_IID }] }',
  lines(row => `start ${row}: { trigger: { include: child.yml } }`),
].join('\n')

export async function pipelines(world: World): Promise<void> {
  const { scene } = world
  for (const place of Object.values(world.places)) {
    const files = { '.gitlab-ci.yml': `${ciFile}\n`, 'child.yml': 'test: { script: make test }\n' }
    await scene.commit(place.project, files, { branch: 'ci', start_branch: 'main', message: 'Test it' })
    const variables = rows.map(row => ({ key: `KEY_${row}`, value: 'value' }))
    for (const _ of rows) place.things.pipeline = (await make(scene.root, `${place.project.url}/pipeline`, { ref: 'ci', variables })).id
    await run(world, place)
    for (const row of rows)
      place.things.agent = (await make(scene.root, `${place.project.url}/cluster_agents`, { name: `agent-${row}` })).id
  }
}

/** As runners run the jobs of the last pipeline. */
async function run({ scene }: World, { things }: Place): Promise<void> {
  const jobs = await scene.deps.database.db
    .selectFrom('jobs')
    .select(['id', 'name', 'kind'])
    .where('pipeline_id', '=', things.pipeline as number)
    .orderBy('id')
    .execute()
  const ids = jobs.filter(({ kind, name }) => kind === 'build' && name.startsWith('test')).map(({ id }) => id)
  await scene.run(scene.root, async ctx => {
    await moveJobs(ctx, ids, 'run')
    await moveJobs(ctx, ids, 'succeed')
  })
  things.job = ids[0] as number
  things.manual_job = jobs.find(({ name }) => name === 'by hand')?.id as number
  for (const [name, job] of [
    ['job', things.job],
    ['manual', things.manual_job],
  ] as const) {
    const { id, environment_id } = await scene.deps.database.db
      .selectFrom('deployments')
      .select(['id', 'environment_id'])
      .where('job_id', '=', job)
      .executeTakeFirstOrThrow()
    things[`${name}_deployment`] = id
    things[`${name}_environment`] = environment_id
  }
}

/** A merge request of the branch that has the pipelines. */
export async function testedMergeRequests({ scene, places }: World): Promise<void> {
  for (const { project, things } of Object.values(places)) {
    const { iid } = await make(scene.root, `${project.url}/merge_requests`, {
      milestone_id: things.project_milestone,
      title: 'Test it',
      source_branch: 'ci',
      target_branch: 'main',
    })
    things.tested_merge_request = iid
  }
}
