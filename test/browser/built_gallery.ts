/** What is built in the furnished world: a pipeline with stages and needs, a job that failed with its log, one that runs, and one that waits. */
import { sql } from 'kysely'
import { uploadTo } from '../../src/ci/artifacts/scene.ts'
import { zipOf } from '../../src/ci/artifacts/zip/scene.ts'
import { processPipeline } from '../../src/ci/pipeline_processing/process.ts'
import { registered, runOf } from '../../src/ci/runner_protocol/scene.ts'
import { runSchedule } from '../../src/ci/schedules/run.ts'
import type { Db } from '../../src/platform/db/connection.ts'
import { npmDocument } from '../derived/bodies.ts'
import { make } from '../derived/making.ts'
import type { World } from '../derived/world.ts'
import type { Shown } from './gallery.ts'

const ci = `stages: [build, test, deploy]
compile: { stage: build, script: [make] }
assets with quite a long name of a job: { stage: build, script: [make assets] }
unit: { stage: test, needs: [compile], script: [make test] }
lint: { stage: test, needs: [], script: [make lint], allow_failure: true }
browser 1/2: { stage: test, script: [make browser] }
browser 2/2: { stage: test, script: [make browser] }
staging: { stage: deploy, script: [make staging], environment: staging }
production: { stage: deploy, script: [make production], when: manual, environment: production }
`

const log = [
  '\u001b[0KRunning with runner 14.0.0\n',
  '\u001b[0Ksection_start:1625000000:prepare_script[collapsed=true]\r\u001b[0K\u001b[36;1mPreparing environment\u001b[0;m\n',
  'Running on runner-1 by the harbour…\n',
  'section_end:1625000004:prepare_script\r\u001b[0K',
  'section_start:1625000004:step_script\r\u001b[0K\u001b[36;1mExecuting the script\u001b[0;m\n',
  '\u001b[32;1m$ make lint\u001b[0;m\n',
  ...Array.from({ length: 30 }, (_, at) => `checking src/part_${at}.c … \u001b[32mok\u001b[0m\n`),
  '\u001b[31;1msrc/part_31.c:12: a line that is longer than most windows are wide, since tools print all that they know about what they have found wrong there\u001b[0m\n',
  'section_end:1625000009:step_script\r\u001b[0K',
  '\u001b[31;1mERROR: Job failed: exit status 2\n\u001b[0;m',
].join('')

/** Figures of three months, with weekends, for a project and the instance. */
async function furnishDays(db: Db, projectId: number): Promise<void> {
  await sql`
    insert into ci_days (day, project_id, pipelines, succeeded, failed, canceled, duration_p50, duration_p95, jobs, failed_jobs, flaky_jobs,
                         job_seconds, queue_p50, queue_p95)
    select current_date - ago, of.id, busy, busy * 7 / 10, busy / 5, busy / 20, 240 + busy * 3, 900 + busy * 7, busy * 8, busy, busy / 9,
           busy * 8 * 95, 4 + busy / 6, 20 + busy * 2
      from generate_series(1, 89) as ago cross join (values (${projectId}::bigint), (null)) as of(id)
           cross join lateral (select case when extract(isodow from current_date - ago) > 5 then 3 else 30 + (ago * 13) % 25 end as busy) as work
    on conflict do nothing`.execute(db)
  await sql`
    insert into ci_job_days (day, project_id, name, runs, failed, flaky, ended, seconds, longest)
    select current_date - 1, ${projectId}, name, 40 + at, at * 3, at, 38 + at, at * at * 700, at * 400
      from unnest(array['compile', 'lint', 'unit', 'browser', 'production', 'assets with quite a long name of a job of a matrix: [linux, arm64, release]'])
           with ordinality as named(name, at)`.execute(db)
}

/** What a job leaves: an archive with its list, and a report of some. */
async function leaveArtifacts(scene: World['scene'], run: { readonly id: number; readonly token: string }, name: string): Promise<void> {
  const files = Object.fromEntries(Array.from({ length: name.length }, (_, at) => [`dist/part_${at}.bin`, `${name}${at}`.repeat(at * 997)]))
  await uploadTo(scene, run, await zipOf(files), { expire_in: name === 'compile' ? 'never' : '1 week', filename: 'artifacts.zip' })
  if (name.startsWith('browser') || name === 'unit')
    await uploadTo(scene, run, Buffer.from('[]'), {
      artifact_type: 'performance',
      artifact_format: 'raw',
      filename: 'a-report-with-quite-a-long-name-of-its-file-that-a-tool-has-made-up.json',
    })
}

/** Furnishes a project with pipelines; its pages. */
export async function furnishBuilds({ scene, people }: World): Promise<Shown[]> {
  const { owner } = people
  const { project } = await scene.project({ owner, path: 'lighthouse', name: 'Lighthouse', visibility: 'public' })
  const commits = `${project.url}/repository/commits`
  const actions = [{ action: 'create', file_path: '.gitlab-ci.yml', content: ci }]
  await make(owner, commits, {
    branch: 'main',
    commit_message: 'Build, test and deploy, with a title of a commit that goes on for long',
    actions,
  })
  const runner = await registered(scene, { project })
  const { id } = await make(owner, `${project.url}/pipeline`, { ref: 'main' })
  const runs = []
  for (;;) {
    await processPipeline(scene.deps, { pipeline_id: id })
    const { status, body } = await runner.ask()
    if (status !== 201) break
    const name = body.job_info.name as string
    const run = runOf(scene.anonymous, body)
    runs.push(run)
    await run.trace(log, 0)
    await leaveArtifacts(scene, run, name)
    if (name === 'lint') await run.update({ state: 'failed', failure_reason: 'script_failure' })
    else if (!name.startsWith('browser')) await run.update({ state: 'success' })
  }
  const { body: jobs } = await owner.get(`${project.url}/pipelines/${id}/jobs`, { per_page: 100 })
  const jobNamed = (name: string): number => jobs.find((job: { name: string }) => job.name === name).id
  await owner.post(`${project.url}/pipeline`, { ref: 'main' })
  const schedule = await furnishSchedules(scene, project, owner)
  const made = await furnishPackages(owner, project)
  await furnishDays(scene.deps.database.db, project.id)
  const inProject = (rest: string): Shown => ({ title: `lighthouse${rest}`, address: `/${project.full_path}${rest}`, viewer: 'owner' })
  return [
    '/-/pipelines',
    `/-/pipelines/${id}`,
    `/-/pipelines/${id}/dag`,
    `/-/pipelines/${id}/failures`,
    '/-/pipelines/new',
    '/-/ci/editor',
    '/-/ci/editor?tab=visualize',
    '/-/ci/editor?tab=simulate&source=schedule',
    '/-/pipeline_schedules',
    `/-/pipeline_schedules/${schedule}`,
    `/-/pipeline_schedules/${schedule}/edit`,
    '/-/pipeline_schedules/new',
    '/-/jobs',
    `/-/jobs/${jobNamed('lint')}`,
    `/-/jobs/${jobNamed('lint')}?search=part_1`,
    `/-/jobs/${jobNamed('browser 1/2')}`,
    `/-/jobs/${jobNamed('production')}`,
    '/-/artifacts',
    '/-/packages',
    ...made.map(id => `/-/packages/${id}`),
    '/-/pipelines/charts',
    '/-/pipelines/charts?days=90',
    '/-/artifacts?order_by=size&sort=desc&ref=main',
  ].map(inProject)
}

/** Packages of several types, with several versions and files; the ids of those to look at. */
async function furnishPackages(owner: World['people']['owner'], { url }: { readonly url: string }): Promise<number[]> {
  for (const version of ['1.0.0', '1.1.0', '2.0.0-rc.1'])
    for (const file of ['lantern.tar.gz', `lantern-${version}-with-a-name-of-a-file-that-goes-on-for-long-linux-x86_64.tar.gz`])
      await owner.put(`${url}/packages/generic/lantern/${version}/${file}`, Buffer.alloc(version.length * 40_000))
  await owner.put(`${url}/packages/npm/@team%2fthing`, Buffer.from(npmDocument('1.0.0')))
  await owner.put(`${url}/packages/maven/org/example/thing/1.0.0/thing-1.0.0.jar`, Buffer.from('jar'))
  const { body } = await owner.get(`${url}/packages`, { sort: 'desc' })
  return [body[0].id, body[1].id, body[2].id]
}

/** Schedules of the project, one of which has run; its id. */
async function furnishSchedules(
  scene: World['scene'],
  project: { readonly url: string },
  owner: World['people']['owner'],
): Promise<number> {
  const url = `${project.url}/pipeline_schedules`
  const named = [
    ['Checks of the dependencies, which take long enough that nobody waits for them during the day', '30 6 * * 1-5', 'Asia/Tokyo'],
    ['Nightly build', '0 4 * * *', 'Europe/Berlin'],
    ['The report of each month', '0 9 1 * *', 'UTC'],
  ] as const
  const ids: number[] = []
  for (const [description, cron, cron_timezone] of named)
    ids.push((await make(owner, url, { description, ref: 'main', cron, cron_timezone, active: !description.startsWith('The') })).id)
  const [id = 0] = ids
  await make(owner, `${url}/${id}/variables`, { key: 'LEVEL', value: 'debug' })
  await make(owner, `${url}/${id}/variables`, { key: 'NOTES_OF_THE_RELEASE', value: 'first line', variable_type: 'file' })
  await runSchedule(scene.deps, { schedule_id: id, for: { user_id: owner.id } })
  return id
}
