/** The lists that say what the tokens of jobs reach (job token scope API). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { openScene, type Person, type SceneProject } from '../../../test/scene.ts'
import { runningJob } from '../jobs/scene.ts'
import { pipelinesStartedBy } from '../pipelines/queries.ts'
import { playground } from '../pipelines/scene.ts'
import { asAnyone, attempts, reached, targetOf, unreached } from './scene.ts'

const scene = await openScene()
const flagged = await openScene()

/** A user with two private projects: what is in `target` is asked for by a job of `project`. */
async function world(within = scene, options: object = {}) {
  const owner = await within.user()
  const target = await targetOf(within, await within.project({ owner, ...options }))
  const { project } = await within.project({ owner })
  const { token } = await runningJob(within, project, owner)
  return { owner, target, project, scope: `${target.project.url}/job_token_scope`, ask: () => attempts(within, token, target) }
}

test('job tokens reach what their users do until a project limits who reaches it; then a listed project does, and no other', async () => {
  const { owner, target, project, scope, ask } = await world()
  const { token } = await runningJob(scene, target.project, owner, { name: 'own' })
  assert.deepEqual((await owner.get(scope)).body, { inbound_enabled: false, outbound_enabled: false })
  assert.deepEqual(await ask(), reached)

  assert.deepEqual(await owner.patch(scope, { enabled: true }), { status: 204, body: undefined })

  assert.deepEqual((await owner.get(scope)).body, { inbound_enabled: true, outbound_enabled: false })
  assert.deepEqual(await ask(), unreached)
  assert.deepEqual(await attempts(scene, token, target), reached, 'its own jobs always reach it')
  const added = await owner.post(`${scope}/allowlist`, { target_project_id: project.id })
  assert.deepEqual(added, { status: 201, body: { source_project_id: target.project.id, target_project_id: project.id } })
  assert.deepEqual(await ask(), reached)
  assert.equal((await owner.delete(`${scope}/allowlist/${project.id}`)).status, 204)
  assert.deepEqual(await ask(), unreached)
  await owner.patch(scope, { enabled: false })
  assert.deepEqual(await ask(), reached)
})

test('a listed group lets in the jobs of the projects in it and below it', async () => {
  const owner = await scene.user()
  const { group } = await scene.group({ owner })
  const { group: below } = await scene.group({ owner, parent: group })
  const target = await targetOf(scene, await scene.project({ owner }))
  const { project } = await scene.project({ owner, group: below })
  const { token } = await runningJob(scene, project, owner)
  const scope = `${target.project.url}/job_token_scope`
  await owner.patch(scope, { enabled: true })
  assert.deepEqual(await attempts(scene, token, target), unreached)

  const added = await owner.post(`${scope}/groups_allowlist`, { target_group_id: group.id })

  assert.deepEqual(added, { status: 201, body: { source_project_id: target.project.id, target_group_id: group.id } })
  assert.deepEqual(await attempts(scene, token, target), reached)
  assert.deepEqual(
    (await owner.get(`${scope}/groups_allowlist`)).body.map(({ id }: { id: number }) => id),
    [group.id],
  )
  assert.equal((await owner.delete(`${scope}/groups_allowlist/${group.id}`)).status, 204)
  assert.deepEqual(await attempts(scene, token, target), unreached)
  assert.equal((await owner.delete(`${scope}/groups_allowlist/${group.id}`)).status, 404)
})

test('a public project out of reach is what it is for anyone, an internal one is not there', async () => {
  const open = await world(scene, { visibility: 'public' })
  const internal = await world(scene, { visibility: 'internal' })
  for (const { owner, scope } of [open, internal]) await owner.patch(scope, { enabled: true })

  assert.deepEqual(await open.ask(), asAnyone)
  assert.deepEqual(await internal.ask(), unreached)
})

test('a project can keep its own jobs in: they reach only what it lists', async () => {
  const { owner, target, project, ask } = await world()
  const { token } = await runningJob(scene, target.project, owner, { name: 'other way' })
  await owner.put(project.url, { ci_job_token_scope_enabled: true })

  assert.deepEqual((await owner.get(`${project.url}/job_token_scope`)).body, { inbound_enabled: false, outbound_enabled: true })
  assert.deepEqual(await ask(), unreached)
  const entry = { target_project_id: target.project.id }
  await owner.post(`${project.url}/job_token_scope/allowlist`, entry)
  assert.deepEqual(await ask(), unreached, 'whom it lets in is another list')
  await owner.post(`${project.url}/job_token_scope/allowlist`, { ...entry, direction: 'outbound' })
  assert.deepEqual(await ask(), reached)
  assert.equal((await scene.as({ 'job-token': token }).get(`${project.url}/releases`)).status, 200, 'others are let in as before')
})

test('the flag `ci_job_token_scope` keeps the jobs of all projects in (document 1, Authentication rule 4)', async () => {
  const { owner, target, project, ask } = await world(flagged)
  assert.deepEqual(await ask(), reached)

  await flagged.root.post('/features/ci_job_token_scope', { value: true })

  assert.equal((await owner.get(`${project.url}/job_token_scope`)).body.outbound_enabled, true)
  assert.deepEqual(await ask(), unreached)
  await owner.post(`${project.url}/job_token_scope/allowlist`, { target_project_id: target.project.id, direction: 'outbound' })
  assert.deepEqual(await ask(), reached)
})

test('bridges and needs of other projects stop at the same limit as tokens', async () => {
  const ci = await playground(scene)
  const { owner, target, scope } = await world()
  const where = target.project.full_path
  const ciFile = JSON.stringify({ start: { trigger: { project: where, branch: 'side' } }, look: { needs: { pipeline: where } } })
  await owner.patch(scope, { enabled: true })

  const { project, pipeline } = await ci.project(ciFile, { owner })

  await ci.jobsAre(pipeline, { start: 'failed', look: 'failed' })
  const reasons = (await ci.jobsIn(pipeline)).map(({ failure_reason }) => failure_reason).sort()
  assert.deepEqual(reasons, ['downstream_bridge_project_not_found', 'upstream_bridge_project_not_found'])
  await owner.post(`${scope}/allowlist`, { target_project_id: project.id })
  const again = (await owner.post(`${project.url}/pipeline`, { ref: 'main' })).body
  const [started] = await eventually(async () => {
    const found = await pipelinesStartedBy(ci.db, [(await ci.find(again, 'start')).id])
    return found.length > 0 && found
  }, 'a pipeline of the listed project')
  assert.deepEqual([started?.project_id, started?.user_id], [target.project.id, owner.id])
})

test('the lists are for Maintainers; they name what these can see, each entry once, and themselves', async () => {
  const { project, maintainer, developer } = await scene.project({ members: ['maintainer', 'developer'] })
  const { project: hidden } = await scene.project()
  const { project: seen } = await scene.project({ visibility: 'public' })
  const { group: hiddenGroup } = await scene.group({ visibility: 'private' })
  const scope = `${project.url}/job_token_scope`
  const list = async () => (await maintainer.get(`${scope}/allowlist`)).body.map(({ id }: SceneProject) => id)
  const add = (target_project_id: number) => maintainer.post(`${scope}/allowlist`, { target_project_id })

  for (const refused of [developer.get(scope), developer.patch(scope, { enabled: true }), developer.get(`${scope}/allowlist`)])
    assert.equal((await refused).status, 403)
  assert.equal((await (developer as Person).post(`${scope}/allowlist`, { target_project_id: seen.id })).status, 403)
  assert.deepEqual(await list(), [project.id])
  assert.deepEqual(await add(hidden.id), { status: 404, body: { message: '404 Target project Not Found' } })
  assert.equal((await maintainer.post(`${scope}/groups_allowlist`, { target_group_id: hiddenGroup.id })).status, 404)
  assert.equal((await add(project.id)).status, 400)
  const both = await Promise.all([add(seen.id), add(seen.id)])
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 400])
  assert.deepEqual(
    await list(),
    [project.id, seen.id].sort((a, b) => a - b),
  )
  assert.equal((await maintainer.delete(`${scope}/allowlist/${hidden.id}`)).status, 404)
  assert.equal((await maintainer.patch(scope, {})).status, 400)
})

test('what changes the reach of tokens is in the audit log', async () => {
  const { owner, target, project, scope } = await world()

  await owner.patch(scope, { enabled: true })
  await owner.post(`${scope}/allowlist`, { target_project_id: project.id })
  await owner.delete(`${scope}/allowlist/${project.id}`)

  const { body } = await owner.get(`${target.project.url}/audit_events`)
  const said = body.map(({ details }: { details: Record<string, unknown> }) => details.custom_message ?? details.change)
  for (const words of [
    'ci_inbound_job_token_scope_enabled',
    'Added to the inbound allowlist of job tokens',
    'Removed from the inbound allowlist of job tokens',
  ])
    assert.ok(
      said.some((each: unknown) => String(each).includes(words)),
      `${words} in ${JSON.stringify(said)}`,
    )
})
