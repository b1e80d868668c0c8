/** Expiration policies run by the clock: when, and what they remove. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openScene, type Person, type SceneProject } from '../../../../test/scene.ts'
import { imageClient } from '../distribution/scene.ts'
import { runCleanupPolicies, runCleanupPolicy } from './policies.ts'

const scene = await openScene()
const { db } = scene.deps.database
const DAY = 86_400_000
const later = (days: number) => ({ ...scene.deps, now: () => new Date(Date.now() + days * DAY) })
const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString()

/** What the clock starts on a later day, run as the worker would. @returns the projects whose policies ran */
async function work(days: number): Promise<number[]> {
  const deps = later(days)
  await runCleanupPolicies(deps)
  const { rows } = await sql<{ payload: { project_id: number } }>`
    delete from graphile_worker._private_jobs jobs using graphile_worker._private_tasks tasks
     where tasks.id = jobs.task_id and tasks.identifier = 'run_cleanup_policy'
    returning jobs.payload`.execute(db)
  for (const { payload } of rows) await runCleanupPolicy(deps, payload)
  return rows.map(({ payload }) => payload.project_id)
}

async function image(project: SceneProject, { username, token }: Person, name: string, ages: Record<string, number>) {
  const registry = await imageClient(scene, `${project.full_path}/${name}`, { username, password: token })
  for (const [tag, age] of Object.entries(ages)) await registry.image(tag, Buffer.from(`layer of ${tag}`), ago(age))
}

const shown = async (project: SceneProject, owner: Person) =>
  (await owner.get(`${project.url}/registry/repositories`, { tags: true })).body.map(
    (repository: { name: string; tags: { name: string }[]; cleanup_policy_started_at: string | null }) => ({
      name: repository.name,
      tags: repository.tags.map(({ name }) => name),
      started: repository.cleanup_policy_started_at !== null,
    }),
  )

const policyOf = async (project: SceneProject, owner: Person) => (await owner.get(project.url)).body.container_expiration_policy

test('a policy removes in every repository what it names, on its day and not before; latest stays', async () => {
  const { project, owner } = await scene.project()
  await image(project, owner, 'web', { latest: 400, 'dev-1': 100, 'dev-2': 90, 'dev-3': 80, 'dev-new': 1, stable: 300 })
  await image(project, owner, 'tool', { 'dev-9': 200 })
  const policy = { enabled: true, cadence: '7d', keep_n: 1, older_than: '30d', name_regex_delete: 'dev-.*', name_regex_keep: 'dev-3' }
  const put = await owner.put(project.url, { container_expiration_policy_attributes: policy })
  assert.equal(put.status, 200)
  assert.ok(!(await work(6.9)).includes(project.id))
  assert.deepEqual(
    (await shown(project, owner)).map(({ started }: { started: boolean }) => started),
    [false, false],
  )
  assert.ok((await work(7.1)).includes(project.id))
  assert.deepEqual(await shown(project, owner), [
    { name: 'web', tags: ['dev-3', 'dev-new', 'latest', 'stable'], started: true },
    { name: 'tool', tags: ['dev-9'], started: true },
  ])
  // Once for its day, and again a cadence later.
  assert.ok(!(await work(7.2)).includes(project.id))
  await owner.put(project.url, { container_expiration_policy_attributes: { keep_n: null } })
  assert.ok((await work(14.2)).includes(project.id))
  assert.deepEqual(
    (await shown(project, owner)).map(({ tags }: { tags: string[] }) => tags),
    [['dev-3', 'dev-new', 'latest', 'stable'], []],
  )
})

test('runs that were missed are replaced by one, and the next one is in the future', async () => {
  const { project, owner } = await scene.project()
  await owner.put(project.url, { container_expiration_policy_attributes: { enabled: true, cadence: '1d' } })
  const { next_run_at } = await policyOf(project, owner)
  assert.equal((await work(10)).filter(id => id === project.id).length, 1)
  const { container_expiration_policy: stored } = await db
    .selectFrom('projects')
    .select('container_expiration_policy')
    .where('id', '=', project.id)
    .executeTakeFirstOrThrow()
  const next = Date.parse((stored as { next_run_at: string }).next_run_at)
  assert.ok(next > Date.now() + 10 * DAY && (next - Date.parse(next_run_at)) % DAY === 0)
  assert.ok(!(await work(10)).includes(project.id))
})

test('a policy that is off, of an archived project or without a registry, removes nothing', async () => {
  const policy = { enabled: true, older_than: null, keep_n: null, name_regex: '.*' }
  const off = await scene.project()
  const archived = await scene.project()
  const without = await scene.project()
  for (const { project, owner } of [off, archived, without]) {
    await image(project, owner, 'web', { one: 100 })
    await owner.put(project.url, { container_expiration_policy_attributes: policy })
  }
  await off.owner.put(off.project.url, { container_expiration_policy_attributes: { enabled: false } })
  await archived.owner.post(`${archived.project.url}/archive`)
  await without.owner.put(without.project.url, { container_registry_enabled: false })
  const ran = await work(2)
  assert.ok(!ran.includes(off.project.id) && ran.includes(archived.project.id))
  await without.owner.put(without.project.url, { container_registry_enabled: true })
  for (const { project, owner } of [off, archived, without])
    assert.deepEqual(await shown(project, owner), [{ name: 'web', tags: ['one'], started: false }])
})

test('a pattern that is none is refused where the policy is on', async () => {
  const { project, owner } = await scene.project()
  const put = (policy: object) => owner.put(project.url, { container_expiration_policy_attributes: policy })
  const { status, body } = await put({ enabled: true, name_regex_delete: '*', name_regex_keep: '(?<=a)' })
  assert.deepEqual(
    [status, body.message],
    [
      400,
      {
        'container_expiration_policy.name_regex': ['is not valid RE2 syntax'],
        'container_expiration_policy.name_regex_keep': ['is not valid RE2 syntax'],
      },
    ],
  )
  assert.equal((await policyOf(project, owner)).enabled, false)
  assert.equal((await put({ name_regex: '*' })).status, 200)
  assert.equal((await put({ enabled: true })).status, 400)
})
