import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { eventually } from '../../../test/eventually.ts'
import { openScene } from '../../../test/scene.ts'
import { uploadTo } from '../../ci/artifacts/scene.ts'
import { runningJob } from '../../ci/jobs/scene.ts'
import { jobIn, registered, runOf } from '../../ci/runner_protocol/scene.ts'
import { jobOf, pipelineOf, projectWithPipeline } from '../../ci/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'
import { tasksOf } from '../../server/tasks.ts'
import { jobTopic } from './live.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

/** A member of a project in a browser. */
async function memberOf(project: { readonly url: string }, access_level: number) {
  const member = await surfer()
  await scene.root.post(`${project.url}/members`, { user_id: member.person.id, access_level })
  return member
}

test('a pipeline shows its jobs by stage with what may be done, and follows what it needs; a Guest gets no buttons', async () => {
  const { project, pipeline } = await projectWithPipeline(scene, { status: 'failed' })
  const { id } = await jobOf(scene, pipeline, { name: 'unit <b>', status: 'failed', failure_reason: 'script_failure' })
  const manual = await jobOf(scene, pipeline, { name: 'deploy', stage: 'deploy', stage_position: 1, status: 'manual', scheduling: 'dag' })
  await scene.run(undefined, ({ db }) =>
    db.insertInto('job_needs').values({ job_id: manual.id, pipeline_id: pipeline.id, name: 'unit <b>' }).execute(),
  )
  const [developer, guest] = [await memberOf(project, 30), await memberOf(project, 10)]
  const address = `/${project.full_path}/-/pipelines/${pipeline.id}`

  const [page, seen] = [String((await developer.get(address)).body), String((await guest.get(address)).body)]

  assert.match(page, /unit &lt;b&gt;/)
  assert.match(page, new RegExp(`data-from="${id}" data-to="${manual.id}"`))
  assert.match(page, new RegExp(`action="[^"]*/-/jobs/${id}/retry"`))
  assert.match(page, new RegExp(`action="[^"]*/-/jobs/${manual.id}/play"`))
  assert.match(page, /script failure/)
  assert.doesNotMatch(seen, /action="[^"]*\/-\/jobs/)
  assert.match(seen, /unit &lt;b&gt;/)
})

test('who sends what cannot be done any more is led back to the page, which shows how things stand', async () => {
  const { project, pipeline } = await projectWithPipeline(scene, { status: 'failed' })
  const { id } = await jobOf(scene, pipeline, { name: 'over', status: 'failed', failure_reason: 'script_failure' })
  const developer = await memberOf(project, 30)
  const page = `/${project.full_path}/-/jobs/${id}`

  const sent = (referer: string) => developer.submit(`${page}/cancel`, {}, { referer })
  const [late, foreign] = [await sent(scene.url + page), await sent('http://elsewhere.invalid/x')]

  assert.deepEqual([late.status, foreign.status], [403, 403])
  assert.match(late.body, new RegExp(`cannot be canceled.*<a href="${page}">Go back</a>`, 's'))
  assert.doesNotMatch(foreign.body, /Go back|elsewhere/)
})

test('a pipeline of an invalid CI file leads people who may push to the editor of its branch', async () => {
  const { project, pipeline } = await projectWithPipeline(scene, { status: 'failed', yaml_errors: 'a: unknown keys: scripts' })
  const ofTag = await pipelineOf(scene, project, { sha: pipeline.sha, ref: 'v1', tag: true, yaml_errors: 'a: unknown keys: scripts' })
  const [developer, guest] = [await memberOf(project, 30), await memberOf(project, 10)]
  const seenBy = async (who: typeof developer, { id }: { readonly id: number }) =>
    String((await who.get(`/${project.full_path}/-/pipelines/${id}`)).body)

  const pages = [await seenBy(developer, pipeline), await seenBy(guest, pipeline), await seenBy(developer, ofTag)]

  for (const page of pages) assert.match(page, /The CI file is invalid\.<\/strong> a: unknown keys: scripts/)
  assert.deepEqual(
    pages.map(page => page.includes(`href="/${project.full_path}/-/ci/editor?branch_name=${pipeline.ref}"`)),
    [true, false, false],
  )
})

test('the page of a job finds lines of the log that were written while it was made', async () => {
  const { project } = await scene.project({ visibility: 'public' })
  const runner = await registered(scene, { project })
  const { id } = await jobIn(scene, project)
  const { trace } = runOf(scene.anonymous, (await runner.ask()).body)
  const hasChanged = (since: Date) => scene.run(undefined, ctx => jobTopic.hasChanged?.(ctx, id, since) ?? Promise.resolve(false))
  const since = new Date(Date.now() + 1)
  await eventually(() => Date.now() > since.getTime(), 'the next moment')
  const before = await hasChanged(since)

  await trace('a line\n', 0)

  assert.deepEqual([before, await hasChanged(since)], [false, true])
})

test('the log of a job is shown with its lines, its end first when it is long, and any part on request', async () => {
  const { project } = await scene.project({ visibility: 'public' })
  const runner = await registered(scene, { project })
  const { id } = await jobIn(scene, project)
  const { trace } = runOf(scene.anonymous, (await runner.ask()).body)
  const address = `${scene.url}/${project.full_path}/-/jobs/${id}`
  const empty = String((await scene.anonymous.get(address)).body)
  const text = Array.from({ length: 20_000 }, (_, index) => `line ${index + 1} <i>`).join('\n')
  await trace(text, 0)

  const end = String((await scene.anonymous.get(address)).body)
  const beginning = String((await scene.anonymous.get(address, { part: 0 })).body)
  const around = String((await scene.anonymous.get(address, { line: 9_000 })).body)
  const frame = String((await scene.anonymous.get(address, { part: 1 }, { 'turbo-frame': 'log-after-1' })).body)

  assert.match(empty, /It has written nothing yet/)
  assert.match(end, /id="L20000"/)
  assert.doesNotMatch(end, /id="L1"/)
  assert.match(end, /line 20000 &lt;i&gt;/)
  assert.match(end, /data-refresh-from="[^"]*\?from=\d+"/)
  assert.match(beginning, /id="L1"/)
  assert.match(around, /id="L9000"/)
  assert.match(frame, /^<turbo-frame id="log-after-1">/)
  assert.equal((await scene.anonymous.get(`${address}/raw`)).body, text)
})

test('a job that waits says why: no runner, none with its tags, all paused, or whom it waits for', async () => {
  const { project, pipeline } = await projectWithPipeline(scene, { status: 'running' })
  await scene.run(undefined, ({ db }) =>
    db.updateTable('projects').set({ shared_runners_enabled: false }).where('id', '=', project.id).execute(),
  )
  const { id } = await jobOf(scene, pipeline, { status: 'pending', tags: ['gpu'], queued_at: new Date().toISOString() })
  const developer = await memberOf(project, 30)
  const says = async () =>
    /<div class="notice attention">.*?<span>(.*?)<\/span><\/div>/s.exec(
      String((await developer.get(`/${project.full_path}/-/jobs/${id}`)).body),
    )?.[1]

  const none = await says()
  await registered(scene, { project })
  const other = await says()
  await scene.run(undefined, ({ db }) => db.updateTable('jobs').set({ tags: [] }).where('id', '=', id).execute())
  const heard = async (minutes: number) => {
    const contacted_at = new Date(Date.now() - minutes * 60_000)
    await scene.run(undefined, ({ db }) =>
      db
        .updateTable('runners')
        .set({ contacted_at, run_untagged: true })
        .where('id', 'in', db.selectFrom('runner_projects').select('runner_id').where('project_id', '=', project.id))
        .execute(),
    )
    return says()
  }
  const [now, then] = [await heard(0), await heard(40)]

  assert.match(none ?? '', /No runner serves the project/)
  assert.match(other ?? '', /No runner takes it: it asks for the tags/)
  assert.match(now ?? '', /It waits for the runner that can take it\. /)
  assert.match(then ?? '', /It waits for the runner that can take it, but it has not been heard of since <.*Is it still started\?/)
})

test('a test that fails says since when: of its branch, in reports that were read or not yet, and not of another class', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  const ran = async (ref: string, cases: string, isParsed = true) => {
    const { id: pipelineId } = await pipelineOf(scene, project, { ref, sha: 'a'.repeat(40), status: 'failed' })
    const job = await runningJob(scene, project, owner, { name: 'unit', pipelineId })
    const report = { artifact_type: 'junit', artifact_format: 'gzip', filename: 'junit.xml.gz' }
    await uploadTo(scene, job, gzipSync(`<testsuite>${cases}</testsuite>`), report)
    if (isParsed) for (const { id } of await reportsOf(job.id)) await tasksOf(scene.deps).parse_test_report({ artifact_id: id }, undefined)
    return pipelineId
  }
  const reportsOf = (job: number) =>
    scene.deps.database.db.selectFrom('job_artifacts').select('id').where('job_id', '=', job).where('file_type', '=', 'junit').execute()
  const lights = (status: string) => `<testcase name="lights" classname="Lamp">${status}</testcase>`
  const failure = '<failure>dark</failure>'
  await ran('main', lights(''))
  const first = await ran('main', lights(failure))
  await ran('topic', lights(''))
  await ran('main', lights(failure))
  const last = await ran('main', `${lights(failure)}<testcase name="lights" classname="Wick"><error>wet</error></testcase>`, false)
  const alone = await ran('other', lights(failure))
  const seen = async (id: number) =>
    String((await scene.anonymous.get(`${scene.url}/${project.full_path}/-/pipelines/${id}/test_report`)).body)

  const [page, of] = [await seen(last), await seen(alone)]

  assert.match(
    page,
    new RegExp(
      `<span>Lamp</span>.*?fails since <a href="/${project.full_path}/-/pipelines/${first}">#${first}</a>,.*? in 3 pipelines in a row`,
      's',
    ),
  )
  assert.equal(page.match(/in a row/g)?.length, 1)
  assert.match(page, /New failure.*?<span>Wick<\/span>/s)
  assert.equal(page.match(/New failure/g)?.length, 1)
  assert.doesNotMatch(of, /in a row|New failure/, 'nothing is known of a branch without an earlier report')
})

test('a triggered job says by which token and with which variables; values are for Maintainers, and descriptions of tokens', async () => {
  const { project } = await scene.project({ visibility: 'public' })
  await scene.commit(project, { '.gitlab-ci.yml': 'unit: { script: [make test] }\n' }, { message: 'Begin\n\n[skip ci]' })
  const maintainer = await memberOf(project, 40)
  const developer = await memberOf(project, 30)
  const { body: trigger } = await scene
    .as({ 'private-token': maintainer.person.token })
    .post(`${project.url}/triggers`, { description: 'Docs' })
  const fired = { token: trigger.token, ref: 'main', variables: { LAMP: 'wick <7>' } }
  const { body: pipeline } = await scene.anonymous.post(`${project.url}/trigger/pipeline`, fired)
  const { id } = await scene.deps.database.db
    .selectFrom('jobs')
    .select('id')
    .where('pipeline_id', '=', pipeline.id)
    .executeTakeFirstOrThrow()
  const [job, values] = [`/${project.full_path}/-/jobs/${id}`, `/${project.full_path}/-/pipelines/${pipeline.id}/variables`]

  const theirs = (await maintainer.get(job)).body
  assert.match(theirs, /\/-\/triggers">Docs \(#\d+\)</)
  assert.match(theirs, />LAMP</)
  assert.ok(theirs.includes(`href="${values}"`))
  assert.doesNotMatch(theirs, /wick|TRIGGER_PAYLOAD<\/dd>.*lamp/)
  assert.match((await maintainer.get(values)).body, /LAMP<[\s\S]*<code>wick &lt;7&gt;<\/code>/)

  const seen = (await developer.get(job)).body
  assert.match(seen, />LAMP</)
  assert.ok(seen.includes(`href="/${maintainer.person.username}"`))
  assert.doesNotMatch(seen, /Docs \(|See the values|wick/)
  assert.equal((await developer.get(values)).status, 403)
})

test('lists of pipelines and jobs have the filter bar of other lists, whose text stands for the parameters of the API', async () => {
  const { project, pipeline } = await projectWithPipeline(scene, {})
  await pipelineOf(scene, project, { sha: pipeline.sha, status: 'failed', ref: 'wick' })
  await jobOf(scene, pipeline, { name: 'unit' })
  await jobOf(scene, pipeline, { name: 'lint', status: 'failed' })
  await jobOf(scene, pipeline, { name: 'docs', status: 'canceled' })
  const member = await memberOf(project, 30)
  const [pipelines, jobs] = [`/${project.full_path}/-/pipelines`, `/${project.full_path}/-/jobs`]
  const led = async (list: string, query: Record<string, string>) => String((await member.get(list, query)).headers.location)
  assert.equal(
    await led(pipelines, { filter: 'status:failed ref:wick', scope: 'finished' }),
    `${pipelines}?scope=finished&status=failed&ref=wick`,
  )
  const found = (await member.get(pipelines, { status: 'failed' })).body
  assert.match(found, /value="status:failed"/)
  assert.equal([...found.matchAll(/pipelines\/\d+"/g)].length, 1)
  const wrong = await member.get(pipelines, { status: 'heavy' })
  assert.deepEqual([wrong.status, /value="status:heavy"[^>]*aria-invalid="true"/.test(wrong.body)], [422, true])
  const words = await member.get(pipelines, { search: 'lamp' })
  assert.equal(words.status, 422)
  assert.match(words.body, /role="alert">"?(&quot;)?lamp(&quot;)? has no key: this list is not searched for words</)

  const named = async (query: Record<string, string>) =>
    [...(await member.get(jobs, query)).body.matchAll(/-\/jobs\/\d+">(\w+)</g)].map(([, name]) => name)
  assert.equal(await led(jobs, { filter: 'status:failed status:canceled' }), `${jobs}?scope=failed,canceled`)
  assert.deepEqual(await named({ scope: 'failed,canceled' }), ['docs', 'lint'])
  assert.deepEqual(await named({ 'scope[]': 'failed' }), ['lint'])
  assert.deepEqual(await named({ state: 'finished' }), ['docs', 'lint', 'unit'])
  assert.equal((await member.get(jobs, { scope: 'heavy' })).status, 422)
})

test('stages beyond the first two hundred jobs are loaded when they are seen, from a page of their own', async () => {
  const { project, pipeline } = await projectWithPipeline(scene, {})
  const first = { project_id: project.id, pipeline_id: pipeline.id, status: 'failed' } as const
  const rows = [...Array(150).keys()].flatMap(index => [
    { ...first, name: `early ${index}`, stage: 'build', stage_position: 0 },
    { ...first, name: `late ${index}`, stage: 'ship', stage_position: 3 },
  ])
  await scene.deps.database.db.insertInto('jobs').values(rows).execute()
  const member = await memberOf(project, 30)
  const address = `/${project.full_path}/-/pipelines/${pipeline.id}`
  const listed = (body: string) => [...body.matchAll(/<li id="job-/g)].length
  const page = (await member.get(address)).body
  assert.equal(listed(page), 150)
  assert.match(page, />late 149</, 'the graph has all jobs')
  const [, src = ''] = /<turbo-frame id="jobs-of-stage-3" src="([^"]+)" loading="lazy"[^>]*><a href="[^"]+">150 jobs<\/a>/.exec(page) ?? []
  const stage = (await member.get(src)).body
  assert.match(stage, /<turbo-frame id="jobs-of-stage-3"><ul/)
  assert.equal(listed(stage), 150)
  assert.match(stage, /aria-label="Retry late 149"/)
  assert.match((await member.get(`${address}/stage`, { position: '7' })).body, /No jobs/)
})

test('a pipeline is named by those who may run it, and has the title of its commit again without a name', async () => {
  const { project, pipeline } = await projectWithPipeline(scene, {})
  const [developer, guest] = [await memberOf(project, 30), await memberOf(project, 10)]
  const address = `/${project.full_path}/-/pipelines/${pipeline.id}`
  assert.match(String((await developer.get(address)).body), /aria-label="Name the pipeline"/)
  assert.doesNotMatch(String((await guest.get(address)).body), /aria-label="Name the pipeline"/)
  assert.equal((await developer.submit(`${address}/name`, { name: 'Nightly <b>' })).headers.location, address)
  assert.match(String((await developer.get(address)).body), /<h1>Nightly &lt;b&gt;/)
  assert.equal((await developer.submit(`${address}/name`, { name: '' })).status, 303)
  assert.doesNotMatch(String((await developer.get(address)).body), /Nightly/)
  assert.equal((await guest.submit(`${address}/name`, { name: 'x' })).status, 403)
})
