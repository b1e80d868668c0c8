import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { processPipeline } from '../../ci/pipeline_processing/process.ts'
import { assignResource } from '../../ci/resource_groups/assign.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

/** A member of a project in a browser. */
async function memberOf(project: { readonly url: string }, access_level: number) {
  const member = await surfer()
  await scene.root.post(`${project.url}/members`, { user_id: member.person.id, access_level })
  return member
}

test('a freeze is added, said to hold, changed and deleted; a line that is none is refused at its field', async () => {
  const { project } = await scene.project({})
  const [maintainer, developer] = [await memberOf(project, 40), await memberOf(project, 30)]
  const address = `/${project.full_path}/-/settings/freeze_periods`
  const environments = `/${project.full_path}/-/environments`
  const always = { freeze_start: '0 0 1 1 *', freeze_end: '59 23 31 12 *', cron_timezone: 'Asia/Tokyo' }
  const refused = await maintainer.submit(`${address}/new`, { ...always, freeze_start: 'on <friday>' })
  const made = await maintainer.submit(`${address}/new`, always)

  const page = String((await maintainer.get(address)).body)

  assert.match(String(refused.body), /value="on &lt;friday&gt;"[\s\S]*Begins is invalid syntax/)
  assert.equal(made.headers.location, address)
  assert.match(page, /Frozen now[\s\S]*Asia\/Tokyo[\s\S]*until <time[^>]*>[^<]*31 Dec \d+, 23:59</)
  assert.match(String((await developer.get(environments)).body), /Deployments are frozen until <time[^>]*>[^<]*31 Dec/)
  const [{ id }] = (await scene.root.get(`${project.url}/freeze_periods`)).body
  await maintainer.submit(`${address}/${id}/edit`, { freeze_start: '0 0 31 2 *', freeze_end: '0 0 30 2 *', cron_timezone: 'UTC' })
  assert.match(String((await maintainer.get(address)).body), /it never begins/)
  assert.doesNotMatch(String((await developer.get(environments)).body), /frozen until/)
  await maintainer.submit(`${address}/${id}/remove`, {})
  assert.match(String((await maintainer.get(address)).body), /Nothing here yet/)
  assert.equal((await developer.submit(`${address}/new`, always)).status, 403)
})

test('the job that has a resource and those that wait for it are shown, and the order is changed', async () => {
  const { project } = await scene.project({})
  const developer = await memberOf(project, 30)
  const ci = 'ship: { script: [make ship], resource_group: the <crane> }\n'
  const pipelines: number[] = []
  await scene.commit(project, { '.gitlab-ci.yml': ci })
  for (let each = 0; each < 2; each++) {
    const { body } = await scene.root.post(`${project.url}/pipeline`, { ref: 'main' })
    await processPipeline(scene.deps, { pipeline_id: body.id })
    pipelines.push(body.id)
  }
  const [group] = (await scene.root.get(`${project.url}/resource_groups`)).body
  await assignResource(scene.deps, { resource_group_id: group.id })
  const { body: jobs } = await scene.root.get(`${project.url}/jobs`)
  const jobOf = (status: string) => jobs.find((job: { status: string }) => job.status === status)
  const address = `/${project.full_path}/-/settings/resource_groups`

  const page = String((await developer.get(address)).body)

  const link = ({ id }: { id: number }) => `/${project.full_path}/-/jobs/${id}"`
  const [holder, waiting] = [jobOf('pending'), jobOf('waiting_for_resource')]
  assert.match(
    page,
    new RegExp(`the &lt;crane&gt;[\\s\\S]*Unordered[\\s\\S]*Held by [\\s\\S]*${link(holder)}[\\s\\S]*Waiting:[\\s\\S]*${link(waiting)}`),
  )
  const ofWaiting = String((await developer.get(link(waiting).slice(0, -1))).body)
  assert.match(ofWaiting, new RegExp(`the &lt;crane&gt;</span>, which <a href="${link(holder)}>ship #${holder.id}</a> has`))
  const changed = await developer.submit(`${address}/${encodeURIComponent(group.key)}/edit`, { process_mode: 'newest_first' })
  assert.equal(changed.headers.location, address)
  assert.equal((await scene.root.get(`${project.url}/resource_groups`)).body[0].process_mode, 'newest_first')
  const reporter = await memberOf(project, 20)
  assert.equal((await reporter.get(address)).status, 403)
})
