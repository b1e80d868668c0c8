/** Registration tokens that are made when they are first shown. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { runnersTokensOf } from './commands.ts'

const scene = await openScene()
const { db } = scene.deps.database

test('a place that was removed after a list had read it gets no token, and the others of the list get theirs', async () => {
  const { project } = await scene.project()
  const { group } = await scene.group()
  await db.deleteFrom('runners_tokens').execute()
  const gone = 1_000_000

  const [ofProjects, ofGroups] = await scene.run(scene.root, async ctx => [
    await runnersTokensOf(ctx, 'project_id', [project.id, gone]),
    await runnersTokensOf(ctx, 'namespace_id', [group.id, gone]),
  ])

  assert.deepEqual([...ofProjects.keys()], [project.id])
  assert.deepEqual([...ofGroups.keys()], [group.id])
})

test('a removal that is under way is waited for', async () => {
  const { project } = await scene.project()
  await db.deleteFrom('runners_tokens').execute()
  const removal = await db.startTransaction().execute()
  await removal.deleteFrom('projects').where('id', '=', project.id).execute()
  const shown = scene.run(scene.root, ctx => runnersTokensOf(ctx, 'project_id', [project.id]))

  await removal.commit().execute()

  assert.equal((await shown).size, 0)
})
