/** What the tokens of jobs never reach. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { openScene } from '../../../test/scene.ts'
import { runningJob } from '../jobs/scene.ts'
import { pipelinesStartedBy } from '../pipelines/queries.ts'
import { playground } from '../pipelines/scene.ts'
import { registered } from '../runner_protocol/scene.ts'
import { attempts, reached, targetOf, unreached } from './scene.ts'

const scene = await openScene()
const { db } = scene.deps.database

const tokenFor = async (...given: Parameters<typeof runningJob> extends [unknown, ...infer Rest] ? Rest : never) =>
  (await runningJob(scene, ...given)).token

test('the job of an administrator reaches its own project, and of the others what the memberships of its user reach', async () => {
  const robbed = await targetOf(scene, await scene.project())
  const joined = await targetOf(scene, await scene.project())
  const own = await targetOf(scene, await scene.project())
  await joined.owner.post(`${joined.project.url}/members`, { user_id: scene.root.id, access_level: 30 })
  const token = await tokenFor(own.project, scene.root, { name: 'rob' })

  assert.deepEqual(await attempts(scene, token, robbed), unreached)
  assert.deepEqual(await attempts(scene, token, joined), reached)
  assert.deepEqual(await attempts(scene, token, own), reached)
  assert.equal((await scene.root.get(robbed.project.url)).status, 200, 'the administrator in person sees it as before')
})

test('in its own project the job of an administrator who is no member has no rights on what is protected', async () => {
  const { project, owner } = await targetOf(scene, await scene.project())
  await owner.post(`${project.url}/protected_tags`, { name: 'v*', create_access_level: 40 })
  await owner.delete(`${project.url}/protected_branches/main`)
  await owner.post(`${project.url}/protected_branches`, { name: 'main', push_access_level: 40, merge_access_level: 40 })
  const token = await tokenFor(project, scene.root)

  const release = await scene.as({ 'job-token': token }).post(`${project.url}/releases`, { tag_name: 'v1', ref: 'main' })
  const pipeline = await scene.anonymous.post(`${project.url}/trigger/pipeline`, { token, ref: 'main' })

  assert.deepEqual([release.status, pipeline.status], [403, 400])
})

test('a CI file that an administrator runs includes, needs and starts nothing that their memberships do not reach', async () => {
  const ci = await playground(scene)
  const robbed = await targetOf(scene, await scene.project())
  await scene.commit(robbed.project, { 'ci.yml': 'robbed: {script: "true"}\n' }, { message: '[skip ci]' })
  const { project, owner } = await scene.project({ initialize_with_readme: true })
  const files = {
    include: { include: [{ project: robbed.project.full_path, file: 'ci.yml' }], a: { script: 'true' } },
    trigger: { start: { trigger: { project: robbed.project.full_path } } },
    mirror: { look: { needs: { pipeline: robbed.project.full_path } } },
    needs: { use: { script: 'true', needs: [{ project: robbed.project.full_path, ref: 'main', job: 'build', artifacts: true }] } },
    own: { include: [{ project: project.full_path, ref: 'own', file: 'own.yml' }], a: { trigger: { include: 'own.yml' } } },
  }
  const runs: Record<string, { readonly status: number; readonly id: number; readonly message: string }> = {}
  for (const [name, ciFile] of Object.entries(files)) {
    await scene.commit(
      project,
      { '.gitlab-ci.yml': JSON.stringify(ciFile), 'own.yml': 'inner: {script: "true"}\n' },
      { branch: name, start_branch: 'main', message: '[skip ci]' },
    )
    const { status, body } = await scene.root.post(`${project.url}/pipeline`, { ref: name })
    runs[name] = { status, id: body.id, message: JSON.stringify(body.message) }
  }
  const reasonOf = async (run: string, job: string) =>
    (
      await eventually(
        () =>
          db
            .selectFrom('jobs')
            .selectAll()
            .where('pipeline_id', '=', runs[run]!.id)
            .where('name', '=', job)
            .where('status', '=', 'failed')
            .executeTakeFirst(),
        `${job} to fail`,
      )
    ).failure_reason

  assert.equal(runs.include?.status, 400)
  assert.match(runs.include?.message ?? '', /not found or access denied/)
  assert.equal(await reasonOf('trigger', 'start'), 'downstream_bridge_project_not_found')
  assert.equal(await reasonOf('mirror', 'look'), 'upstream_bridge_project_not_found')
  const runner = await registered(scene, { project })
  await eventually(async () => (await ci.find({ id: runs.needs!.id }, 'use')).status === 'pending', 'the job to be pending')
  while ((await runner.ask()).status === 201);
  assert.equal(await reasonOf('needs', 'use'), 'missing_dependency_failure')
  const bridge = await ci.find({ id: runs.own!.id }, 'a')
  const [child] = await eventually(async () => {
    const found = await pipelinesStartedBy(db, [bridge.id])
    return found.length > 0 && found
  }, 'a child pipeline')
  assert.equal(child?.user_id, scene.root.id, 'what is of its own project is as it was')
  assert.equal((await owner.get(`${project.url}/pipelines/${runs.own!.id}`)).status, 200)
})

test('the token of a job stops when its user is blocked, in its own project too', async () => {
  const { project, owner, jobId } = await targetOf(scene, await scene.project())
  const user = await scene.user()
  await owner.post(`${project.url}/members`, { user_id: user.id, access_level: 30 })
  const token = await tokenFor(project, user)
  assert.deepEqual(await attempts(scene, token, { project, owner, jobId }), reached)

  await scene.root.post(`/users/${user.id}/block`)

  const after = await attempts(scene, token, { project, owner, jobId })
  assert.deepEqual(
    Object.entries(after).filter(([, status]) => ![401, 403, 404, 400].includes(status)),
    [],
  )
})

test('it does not open large files after the job is over', async () => {
  const { project, owner } = await targetOf(scene, await scene.project())
  const token = await tokenFor(project, owner)
  const basic = { authorization: `Basic ${Buffer.from(`gitlab-ci-token:${token}`).toString('base64')}` }
  const bytes = Buffer.from('large')
  const oid = createHash('sha256').update(bytes).digest('hex')
  const git = `${scene.url}/${project.full_path}.git`
  const own = { authorization: `Basic ${Buffer.from(`${owner.username}:${owner.token}`).toString('base64')}` }
  await fetch(`${git}/gitlab-lfs/objects/${oid}/5`, {
    method: 'PUT',
    body: bytes,
    headers: { ...own, 'content-type': 'application/octet-stream' },
  })

  const answer = await fetch(`${git}/info/lfs/objects/batch`, {
    method: 'POST',
    body: JSON.stringify({ operation: 'download', objects: [{ oid, size: 5 }] }),
    headers: { ...basic, 'content-type': 'application/vnd.git-lfs+json' },
  })

  const { objects } = (await answer.json()) as { objects: [{ actions: { download: { href: string } } }] }
  const { download } = objects[0].actions
  assert.deepEqual(Object.keys(download), ['href'], 'the client sends the token of the job itself')
  assert.equal((await scene.anonymous.get(download.href, {}, basic)).status, 200)
})
