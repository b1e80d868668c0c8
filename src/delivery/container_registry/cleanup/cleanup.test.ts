/** Many tags are removed in one step: which ones, and how often. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openScene } from '../../../../test/scene.ts'
import { actingAs } from '../../../platform/access/credentials/credentials.ts'
import { systemContext } from '../../../platform/kernel/context.ts'
import { imageClient } from '../distribution/scene.ts'
import { removeTags } from '../manifests.ts'
import { repositoryById, tagsIn } from '../queries.ts'
import { cleanUpRepository } from './commands.ts'
import { tagsToRemove } from './selection.ts'

const scene = await openScene()
const { db } = scene.deps.database
const now = new Date('2021-06-01T12:00:00Z')

const candidates = (days: Record<string, number>) =>
  Object.entries(days).map(([name, age]) => ({ name, image_created_at: new Date(now.getTime() - age * 86_400_000).toISOString() }))

test('whole names decide, latest stays, the newest are kept, and young ones too', async () => {
  const tags = candidates({ latest: 90, 'dev-1': 1, 'dev-2': 20, 'dev-3': 40, 'my-dev-4': 50, 'dev-keep': 60, '1.0': 70 })
  const removed = async (cleanup: Parameters<typeof tagsToRemove>[1]) => (await tagsToRemove(tags, cleanup, now)).map(({ name }) => name)
  assert.deepEqual(await removed({ name_regex_delete: '.*' }), ['dev-1', 'dev-2', 'dev-3', 'my-dev-4', 'dev-keep', '1.0'])
  assert.deepEqual(await removed({ name_regex_delete: 'dev-.*', name_regex_keep: '.*keep' }), ['dev-1', 'dev-2', 'dev-3'])
  assert.deepEqual(await removed({ name_regex_delete: 'dev-1|1.0' }), ['dev-1', '1.0'])
  assert.deepEqual(await removed({ name_regex_delete: '.*', keep_n: 4 }), ['dev-keep', '1.0'])
  assert.deepEqual(await removed({ name_regex_delete: '.*', older_than: '30d' }), ['dev-3', 'my-dev-4', 'dev-keep', '1.0'])
  assert.deepEqual(await removed({ name_regex_delete: '.*', keep_n: 3, older_than: '2 months' }), ['1.0'])
  assert.deepEqual(await removed({ name_regex_delete: '.*', name_regex_keep: '.*' }), [])
  assert.deepEqual([await removed({ name_regex_delete: null }), await removed({ name_regex_delete: '' })], [[], []])
})

/** Runs the cleanups that are queued, as the worker would. */
async function work(): Promise<number> {
  const { rows } = await sql<{ payload: Parameters<typeof cleanUpRepository>[1] }>`
    delete from graphile_worker._private_jobs jobs using graphile_worker._private_tasks tasks
     where tasks.id = jobs.task_id and tasks.identifier = 'clean_up_container_repository'
    returning jobs.payload`.execute(db)
  for (const { payload } of rows) await cleanUpRepository(scene.deps, payload)
  return rows.length
}

async function image(tags: readonly string[]) {
  const made = await scene.project({ members: ['developer', 'maintainer'] })
  const { project, owner } = made
  const registry = await imageClient(scene, project.full_path, { username: owner.username, password: owner.token })
  for (const tag of tags) await registry.image(tag, Buffer.from(`layer of ${tag}`), `2021-05-0${tags.indexOf(tag) + 1}T10:00:00Z`)
  const [{ id }] = (await owner.get(`${project.url}/registry/repositories`)).body
  const url = `${project.url}/registry/repositories/${id}/tags`
  return { ...made, registry, url, left: async () => (await owner.get(url)).body.map(({ name }: { name: string }) => name) }
}

test('tags are deleted in bulk in the background, once an hour for a repository', async () => {
  const { project, maintainer, developer, url, left } = await image(['a1', 'a2', 'a3', 'b1', 'latest'])
  assert.equal((await developer.delete(url, { name_regex_delete: '.*' })).status, 403)
  assert.equal((await maintainer.delete(url, { name_regex_delete: 'a.*', keep_n: 1 })).status, 202)
  assert.equal(await work(), 1)
  assert.deepEqual(await left(), ['a3', 'b1', 'latest'])
  const [{ details }] = (await maintainer.get(`${project.url}/audit_events`)).body
  assert.deepEqual([details.remove, details.as.split(', ').sort(), details.author_name], ['container_tags', ['a1', 'a2'], maintainer.name])
  const again = await maintainer.delete(url, { name_regex_delete: '.*' })
  assert.equal(again.status, 400)
  assert.match(
    again.body.message,
    /This request has already been made. You can run this at most once an hour for a given container repository$/,
  )
  await db
    .updateTable('container_repositories')
    .set({ cleanup_requested_at: new Date(Date.now() - 3_600_000) })
    .execute()
  assert.equal((await maintainer.delete(url, { name_regex: '.*', older_than: '1d' })).status, 202)
  assert.equal(await work(), 1)
  assert.deepEqual(await left(), ['latest'])
})

test('patterns and durations that are none are refused, and count for nothing', async () => {
  const { maintainer, url } = await image(['a1'])
  const refused = async (query: Record<string, string>) => {
    const { status, body } = await maintainer.delete(url, query)
    return [status, body?.message]
  }
  assert.deepEqual(await refused({ name_regex_delete: '(' }), [400, { name_regex_delete: ['is an invalid regexp'] }])
  assert.deepEqual(await refused({ name_regex: '*', name_regex_keep: '(?=a)' }), [
    400,
    { name_regex: ['is an invalid regexp'], name_regex_keep: ['is an invalid regexp'] },
  ])
  assert.deepEqual(await refused({ name_regex_delete: '.*', older_than: 'soon' }), [400, { older_than: ['is invalid'] }])
  assert.equal((await refused({}))[0], 400)
  assert.equal((await refused({ name_regex_delete: 'x' }))[0], 202)
  await work()
})

test('a user who may no longer delete images by then removes none', async () => {
  const { project, owner, maintainer, url, left } = await image(['a1'])
  assert.equal((await maintainer.delete(url, { name_regex_delete: '.*' })).status, 202)
  await owner.put(`${project.url}/members/${maintainer.id}`, { access_level: 30 })
  assert.equal(await work(), 1)
  assert.deepEqual(await left(), ['a1'])
})

test('a tag that has moved to another of the chosen manifests stays', async () => {
  const { project, owner, left } = await image(['a1', 'a2', 'a3'])
  const [{ id }] = (await owner.get(`${project.url}/registry/repositories`)).body
  const repository = (await repositoryById(db, id))!
  const [a1, a2, a3] = await tagsIn(db, id).execute()
  const ctx = systemContext(scene.deps, db, (await actingAs(db, owner.id))!)

  // Chosen when `a1` and `a2` named each other's manifests.
  const removed = await removeTags(ctx, repository, ['a1', 'a2', 'a3'], [a2!.manifest_id, a1!.manifest_id, a3!.manifest_id])

  assert.equal(removed, 1)
  assert.deepEqual(await left(), ['a1', 'a2'])
})
