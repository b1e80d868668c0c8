import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { openScene } from '../../../test/scene.ts'
import { moveJobs } from '../../ci/jobs/transitions/move.ts'
import { processPipeline } from '../../ci/pipeline_processing/process.ts'
import { jobOf, projectWithPipeline } from '../../ci/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'
import { liveScene } from '../../platform/pages/live/scene.ts'
import { environmentsTopicOf } from './live.ts'

const scene = await openScene()
const { cookieOf, listen } = liveScene(scene)
const { surfer } = oauthScene(scene)

/** A member of a project in a browser. */
async function memberOf(project: { readonly url: string }, access_level: number) {
  const member = await surfer()
  await scene.root.post(`${project.url}/members`, { user_id: member.person.id, access_level })
  return member
}

const ci = `deploy: { script: [make deploy], environment: { name: production, on_stop: undeploy }, when: manual }
undeploy: { script: [make undeploy], environment: { name: production, action: stop }, when: manual }
`

/** A project whose pipelines deploy by hand. `release` makes one, `finish` ends its job as a runner would. */
async function deployed() {
  const { project } = await scene.project({})
  const { db } = scene.deps.database
  let releases = 0
  const release = async (message: string) => {
    await scene.commit(
      project,
      { [`${releases}.txt`]: message, ...(releases++ === 0 && { '.gitlab-ci.yml': ci }) },
      { message: `${message}\n\n[skip ci]` },
    )
    const { body } = await scene.root.post(`${project.url}/pipeline`, { ref: 'main' })
    const job = await db
      .selectFrom('jobs')
      .select(['id', 'environment_id'])
      .where('pipeline_id', '=', body.id)
      .where('name', '=', 'deploy')
      .executeTakeFirstOrThrow()
    const deployment = await db.selectFrom('deployments').select(['id', 'iid']).where('job_id', '=', job.id).executeTakeFirstOrThrow()
    return { job: job.id, deployment, page: `/${project.full_path}/-/environments/${job.environment_id}`, id: job.environment_id as number }
  }
  const finish = (job: number) =>
    scene.run(scene.root, async ctx => {
      await moveJobs(ctx, [job], 'run')
      await moveJobs(ctx, [job], 'succeed')
    })
  return { project, release, finish, db }
}

test('environments stand by folder, in their state, and are found by a part of their names', async () => {
  const { project, owner } = await scene.project({})
  for (const name of ['review/one', 'review/two', 'production']) await owner.post(`${project.url}/environments`, { name })
  const { body: old } = await owner.post(`${project.url}/environments`, { name: 'old' })
  await owner.post(`${project.url}/environments/${old.id}/stop`)
  const reporter = await memberOf(project, 20)
  const at = async (query: string) => String((await reporter.get(`/${project.full_path}/-/environments${query}`)).body)

  const [all, stopped, found, folder] = [await at(''), await at('?states=stopped'), await at('?search=one'), await at('/folders/review')]

  assert.match(all, /environments\/folders\/review">review<[\s\S]*2 environments/)
  assert.match(all, />production</)
  assert.doesNotMatch(all, />review\/one<|>old</)
  assert.match(stopped, />old</)
  assert.match(found, />review\/one</)
  assert.match(folder, />one<[\s\S]*>two</)
  assert.doesNotMatch(all, /New environment/, 'a Reporter makes none')
})

test('environments that were unused for so many days are stopped together, by those who may manage them', async () => {
  const { project } = await scene.project({})
  for (const name of ['old', 'new']) await scene.root.post(`${project.url}/environments`, { name })
  const { db } = scene.deps.database
  const monthAgo = new Date(Date.now() - 31 * 86_400_000).toISOString()
  await db
    .updateTable('environments')
    .set({ updated_at: monthAgo })
    .where('project_id', '=', project.id)
    .where('name', '=', 'old')
    .execute()
  const [reporter, developer] = [await memberOf(project, 20), await memberOf(project, 30)]
  const list = `/${project.full_path}/-/environments`

  const shown = String((await developer.get(`${list}/stop_stale`)).body)
  const soon = await developer.submit(`${list}/stop_stale`, { days: '6' })
  const sent = await developer.submit(`${list}/stop_stale`, { days: '30' })

  assert.match(String((await developer.get(list)).body), /href="[^"]*environments\/stop_stale"/)
  assert.match(shown, /name="days"[^>]*value="30"|value="30"[^>]*name="days"/)
  assert.deepEqual([soon.status, /name="days"[^>]*aria-invalid="true"/.test(soon.body)], [422, true])
  assert.equal(sent.headers.location, list)
  const rows = await db.selectFrom('environments').select(['name', 'auto_stop_at']).where('project_id', '=', project.id).execute()
  assert.deepEqual(
    rows.flatMap(({ name, auto_stop_at }) => (auto_stop_at === null ? [] : [name])),
    ['old'],
  )
  assert.equal((await reporter.submit(`${list}/stop_stale`, { days: '30' })).status, 403)
  assert.doesNotMatch(String((await reporter.get(list)).body), /stop_stale/)
})

test('a deployment by hand is run from the page of its environment, deployed again and rolled back', async () => {
  const { project, release, finish, db } = await deployed()
  const developer = await memberOf(project, 40)
  const first = await release('First <lamp>')
  const waiting = String((await developer.get(first.page)).body)
  const played = await developer.submit(`${first.page}/deployments/${first.deployment.id}/play`, {})
  await finish(first.job)
  const second = await release('Second')
  await developer.submit(`${second.page}/deployments/${second.deployment.id}/play`, {})
  await finish(second.job)
  const page = String((await developer.get(first.page)).body)

  const back = await developer.submit(`${first.page}/deployments/${first.deployment.id}/retry`, {})

  assert.match(waiting, /Can be deployed[\s\S]*First &lt;lamp&gt;[\s\S]*Deploy #1 to production/)
  assert.equal(played.headers.location, first.page)
  assert.match(page, /Current[\s\S]*Deploy again: #2 to production[\s\S]*Roll back production to #1/)
  assert.equal(back.headers.location, first.page)
  const newest = await db
    .selectFrom('deployments')
    .selectAll()
    .where('environment_id', '=', first.id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const { sha } = await db.selectFrom('deployments').select('sha').where('id', '=', first.deployment.id).executeTakeFirstOrThrow()
  assert.equal(newest.sha, sha)
  await finish(newest.job_id as number)
  assert.match(String((await developer.get(first.page)).body), new RegExp(`#${newest.iid}<[\\s\\S]*Deploy again: #${newest.iid} to`))
})

test('a protected environment says who may deploy; others get no buttons, and are refused', async () => {
  const { project, release } = await deployed()
  const { page, deployment } = await release('First')
  await scene.root.post(`${project.url}/protected_environments`, { name: 'production', deploy_access_levels: [{ access_level: 40 }] })
  const [developer, maintainer] = [await memberOf(project, 30), await memberOf(project, 40)]

  const [seen, may] = [String((await developer.get(page)).body), String((await maintainer.get(page)).body)]

  assert.match(seen, /Maintainers may deploy here, change it or stop it\. You are not among them\./)
  assert.doesNotMatch(seen, /action="[^"]*environments/)
  assert.match(may, /Maintainers may deploy here\./)
  assert.match(may, /Deploy #1 to production/)
  assert.equal((await developer.submit(`${page}/deployments/${deployment.id}/play`, {})).status, 403)
})

test('a deployment of a protected branch has no button for those who may run nothing of it', async () => {
  const { project, release, finish } = await deployed()
  const { page, deployment, job } = await release('First')
  const [developer, maintainer] = [await memberOf(project, 30), await memberOf(project, 40)]
  const button = /action="[^"]*\/deployments\/\d+\/(play|retry)"/

  const waiting = [String((await developer.get(page)).body), String((await maintainer.get(page)).body)]
  const refused = await developer.submit(`${page}/deployments/${deployment.id}/play`, {})
  await finish(job)
  const done = [String((await developer.get(page)).body), String((await maintainer.get(page)).body)]

  for (const [seen, may] of [waiting, done]) {
    assert.doesNotMatch(seen as string, button)
    assert.match(may as string, button)
  }
  assert.equal(refused.status, 403)
})

test('pages of jobs and pipelines say why one may not run a job of a protected environment or branch', async () => {
  const { project, release, db } = await deployed()
  const { job } = await release('First')
  await scene.root.post(`${project.url}/protected_environments`, { name: 'production', deploy_access_levels: [{ access_level: 40 }] })
  const [developer, maintainer] = [await memberOf(project, 30), await memberOf(project, 40)]
  const { pipeline_id } = await db.selectFrom('jobs').select('pipeline_id').where('id', '=', job).executeTakeFirstOrThrow()
  const pages = [`/${project.full_path}/-/jobs/${job}`, `/${project.full_path}/-/pipelines/${pipeline_id}`]
  const button = new RegExp(`action="[^"]*/-/jobs/${job}/play"`)
  const seenBy = async (person: typeof developer) => Promise.all(pages.map(async page => String((await person.get(page)).body)))

  const ofBranch = await seenBy(developer)
  await scene.root.delete(`${project.url}/protected_branches/main`)
  await db.updateTable('pipelines').set({ protected: false }).where('id', '=', pipeline_id).execute()
  const ofEnvironment = await seenBy(developer)
  const open = await seenBy(maintainer)

  for (const page of ofBranch) assert.match(page, /Only who may push to main or merge into it runs its jobs/)
  for (const page of ofEnvironment) assert.match(page, /production is protected: you may not deploy there/)
  for (const page of [...ofBranch, ...ofEnvironment]) assert.doesNotMatch(page, button)
  for (const page of open) assert.match(page, button)
})

test('an environment is made, changed, kept, stopped and deleted; a taken name is said at its field', async () => {
  const { project } = await scene.project({})
  const developer = await memberOf(project, 30)
  const base = `/${project.full_path}/-/environments`
  const made = await developer.submit(`${base}/new`, { name: 'staging', external_url: 'https://staging.example.com', tier: '' })
  const page = String(made.headers.location)
  const id = Number(page.split('/').at(-1))
  await scene.run(undefined, ({ db, now }) =>
    db
      .updateTable('environments')
      .set({ auto_stop_at: new Date(now.getTime() + 86_400_000) })
      .where('id', '=', id)
      .execute(),
  )

  const taken = await developer.submit(`${base}/new`, { name: 'staging', external_url: '', tier: '' })
  const timed = String((await developer.get(page)).body)
  await developer.submit(`${page}/cancel_auto_stop`, {})
  await developer.submit(`${page}/edit`, { name: 'staging/two', external_url: '', tier: 'other' })

  assert.equal(taken.status, 422)
  assert.match(String(taken.body), /id="field-name-wrong">Name has already been taken/)
  assert.match(timed, /It stops by itself[\s\S]*Keep it/)
  const { body } = await scene.root.get(`${project.url}/environments/${id}`)
  assert.deepEqual([body.name, body.external_url, body.tier, body.auto_stop_at], ['staging/two', null, 'other', null])
  assert.match(String((await developer.get(page)).body), /Stop staging\/two/)
  await developer.submit(`${page}/stop`, {})
  assert.match(String((await developer.get(page)).body), /Delete staging\/two/)
  await developer.submit(`${page}/delete`, {})
  assert.equal((await developer.get(page)).status, 404)
})

test('a job leads to its deployment, on the page of the list that has it', async () => {
  const { project, pipeline } = await projectWithPipeline(scene, {})
  const { body } = await scene.root.post(`${project.url}/environments`, { name: 'production' })
  const deploying = { environment: 'production', environment_id: body.id, status: 'success' } as const
  const first = await jobOf(scene, pipeline, deploying)
  const { db } = scene.deps.database
  const made = {
    project_id: project.id,
    environment_id: body.id,
    sha: pipeline.sha,
    ref: 'main',
    status: 'success',
    finished_at: scene.deps.now(),
  } as const
  const rows = [...Array(21).keys()].map(index => ({
    ...made,
    iid: index + 1,
    job_id: index === 0 ? first.id : null,
    created_at: scene.deps.now(),
    updated_at: scene.deps.now(),
  }))
  const inserted = await db
    .insertInto('deployments')
    .values(rows as never)
    .returning('id')
    .execute()
  const reporter = await memberOf(project, 20)
  const page = String((await reporter.get(`/${project.full_path}/-/jobs/${first.id}`)).body)
  const [, address = ''] = /href="([^"]*\/deployments\/\d+)">#1</.exec(page) ?? []
  const led = await reporter.get(address)
  assert.equal(led.status, 303)
  assert.match(String(led.headers.location), new RegExp(`/-/environments/${body.id}\\?page=2#deployment-1$`))
  assert.match((await reporter.get(`/${project.full_path}/-/environments/${body.id}`, { page: '2' })).body, /<li id="deployment-1">/)
  const ofNoJob = inserted[1]?.id
  assert.equal((await reporter.get(`/${project.full_path}/-/environments/${body.id}/deployments/${ofNoJob}`)).status, 404)
})

test('a job leads to its environment', async () => {
  const { project, pipeline } = await projectWithPipeline(scene, {})
  const { body } = await scene.root.post(`${project.url}/environments`, { name: 'production' })
  const { id } = await jobOf(scene, pipeline, { environment: 'production', environment_id: body.id })
  const reporter = await memberOf(project, 20)

  const page = String((await reporter.get(`/${project.full_path}/-/jobs/${id}`)).body)

  assert.match(page, new RegExp(`/-/environments/${body.id}">production<`))
})

test('a page is notified once the job of a deployment waits to be started, and one that was made before is too', async () => {
  const { project } = await scene.project({ visibility: 'public' })
  const waiting =
    'unit: { stage: test, script: [make test] }\ndeploy: { stage: deploy, script: [make deploy], environment: production, when: manual }\n'
  await scene.commit(project, { '.gitlab-ci.yml': waiting }, { message: 'Begin\n\n[skip ci]' })
  const { body } = await scene.root.post(`${project.url}/pipeline`, { ref: 'main' })
  const { db } = scene.deps.database
  const jobs = await db.selectFrom('jobs').select(['id', 'name']).where('project_id', '=', project.id).execute()
  const unit = jobs.find(({ name }) => name === 'unit')?.id as number
  const topic = environmentsTopicOf(project)
  scene.setTime(new Date(scene.deps.now().getTime() + 60_000).toISOString())
  const since = scene.deps.now().getTime()
  const { person } = await memberOf(project, 20)
  const cookie = await cookieOf(person.username)
  const early = await listen(topic, cookie, { since })
  assert.doesNotMatch(early.text(), /event: change/)

  await scene.run(scene.root, async ctx => {
    await moveJobs(ctx, [unit], 'run')
    await moveJobs(ctx, [unit], 'succeed')
  })
  await processPipeline(scene.deps, { pipeline_id: body.id })
  await eventually(() => early.text().includes(topic), 'the page to be notified')
  const late = await listen(topic, cookie, { since })
  await eventually(() => late.text().includes(topic), 'the page that was made before to be notified')
  await Promise.all([early.close(), late.close()])
})
