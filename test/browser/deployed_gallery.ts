/** What runs where in the furnished world: environments with deployments, and a job that waits to deploy. */
import { moveJobs } from '../../src/ci/jobs/transitions/move.ts'
import { make } from '../derived/making.ts'
import type { World } from '../derived/world.ts'
import type { Person, SceneProject } from '../scene.ts'
import type { Shown } from './gallery.ts'

const ci = `deploy: { script: [make deploy], environment: { name: production, url: 'https://lantern.example.com' }, when: manual }
preview: { script: [make preview], environment: { name: 'review/$CI_COMMIT_REF_SLUG', auto_stop_in: 2 days } }
`

/** Furnishes a project with environments; its pages. */
export async function furnishDeployed(
  { scene }: World,
  { project, owner }: { readonly project: SceneProject; readonly owner: Person },
): Promise<Shown[]> {
  const { db } = scene.deps.database
  await make(owner, `${project.url}/repository/commits`, {
    branch: 'shipping',
    start_branch: 'main',
    commit_message: 'Ship the lamps to those who wait for them\n\n[skip ci]',
    actions: [{ action: 'create', file_path: '.gitlab-ci.yml', content: ci }],
  })
  const jobsOf = (pipeline: number) =>
    db.selectFrom('jobs').select(['id', 'name', 'environment_id']).where('pipeline_id', '=', pipeline).execute()
  let environment = 0
  for (const ends of [['succeed'], ['succeed'], ['drop', { failure_reason: 'script_failure' }], undefined] as const) {
    const { id } = await make(owner, `${project.url}/pipeline`, { ref: 'shipping' })
    const jobs = await jobsOf(id)
    const deploy = jobs.find(({ name }) => name === 'deploy')
    environment = deploy?.environment_id ?? 0
    if (ends === undefined) continue
    await scene.run(owner, async ctx => {
      for (const { id: job, name } of jobs) {
        if (name === 'deploy') await moveJobs(ctx, [job], 'enqueue')
        await moveJobs(ctx, [job], 'run')
        await (ends[0] === 'drop' ? moveJobs(ctx, [job], ...ends) : moveJobs(ctx, [job], ends[0]))
      }
    })
  }
  for (const name of ['review/a-branch-whose-name-is-longer-than-most-of-the-others-are', 'staging'])
    await make(owner, `${project.url}/environments`, { name, external_url: 'https://staging.example.com' })
  await make(owner, `${project.url}/protected_environments`, { name: 'production', deploy_access_levels: [{ access_level: 40 }] })
  await make(owner, `${project.url}/freeze_periods`, {
    freeze_start: '0 0 1 1 *',
    freeze_end: '59 23 31 12 *',
    cron_timezone: 'Europe/Berlin',
  })
  const list = await make(owner, `${project.url}/feature_flags_user_lists`, { name: 'First lamps', user_xids: 'ida,jo' })
  await make(owner, `${project.url}/feature_flags`, {
    name: 'dim_at_night',
    description: 'Lamps are dimmed from ten to six',
    strategies: [
      {
        name: 'flexibleRollout',
        parameters: { groupId: 'default', rollout: '25', stickiness: 'default' },
        scopes: [{ environment_scope: 'production' }, { environment_scope: 'review/*' }],
      },
      { name: 'gitlabUserList', parameters: {}, user_list_id: list.id, scopes: [{ environment_scope: '*' }] },
    ],
  })
  await make(owner, `${project.url}/feature_flags`, { name: 'blinking', active: false })
  const { iid, sha } = await make(owner, `${project.url}/merge_requests`, {
    source_branch: 'shipping',
    target_branch: 'main',
    title: 'Ship the lamps',
  })
  for (const [name, status] of [
    ['staging', 'success'],
    ['review/a-branch-whose-name-is-longer-than-most-of-the-others-are', 'failed'],
  ])
    await make(owner, `${project.url}/deployments`, { environment: name, sha, ref: 'shipping', tag: false, status })
  const { id: job } = await db
    .selectFrom('jobs')
    .select('id')
    .where('environment_id', '=', environment)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const one = `/environments/${environment}`
  const rests = ['/environments', one, '/environments/folders/review', `${one}/edit`, `/jobs/${job}`, `/merge_requests/${iid}`]
  // The project has those of the instance.
  await owner.put(`${project.url}/push_rule`, { commit_message_regex: 'Fixes #\\d+', prevent_secrets: true, max_file_size: 5 })
  const flags = ['/feature_flags', '/feature_flags/dim_at_night/edit', '/feature_flags_user_lists']
  const settings = ['/settings/freeze_periods', '/settings/push_rules', '/settings/push_rules/edit']
  return [...rests, ...flags, ...settings].map(rest => ({
    title: `lantern/-${rest}`,
    address: `/${project.full_path}/-${rest}`,
    viewer: 'owner',
  }))
}
