import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openScene, type Person, type SceneProject } from '../../test/scene.ts'
import { addHookTo } from '../hooks/scene.ts'

const scene = await openScene()
const { db } = scene.deps.database

/** Makes an issue and says how many jobs are queued to deliver that. */
async function jobsOfIssue(who: Person, project: SceneProject): Promise<number> {
  const { body } = await who.post(`${project.url}/issues`, { title: 'New' })
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
      from events join graphile_worker._private_jobs jobs on (jobs.payload ->> 'event_id')::bigint = events.id
     where events.kind = 'issue.created' and (events.payload ->> 'issue_id')::bigint = ${body.id}`.execute(db)
  return rows[0]!.count
}

test('what hooks alone follow is queued where a hook watches, and kept everywhere', async () => {
  const { group } = await scene.group()
  const { project, owner } = await scene.project()
  const { project: other, owner: stranger } = await scene.project()
  const attributes = { url: 'https://hooks.example.com/', issues_events: true }

  assert.equal(await jobsOfIssue(owner, project), 0)
  await addHookTo(owner, project, attributes)
  assert.equal(await jobsOfIssue(owner, project), 1)
  assert.equal(await jobsOfIssue(stranger, other), 0, 'a hook of another project')

  await addHookTo(scene.root, group, attributes)
  assert.equal(await jobsOfIssue(stranger, other), 1, 'a group may be around any project')

  const kept = await db.selectFrom('events').select('id').where('kind', '=', 'issue.created').execute()
  assert.equal(kept.length, 4)
})
