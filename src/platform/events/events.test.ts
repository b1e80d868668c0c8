import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openScene, type Person, type SceneProject } from '../../../test/scene.ts'
import { addHookTo } from '../../integrations/hooks/scene.ts'
import { originWithoutRequest } from './audit/entry.ts'
import { recordEvents } from './events.ts'

const scene = await openScene()
const { db } = scene.deps.database

/** Changes a comment and returns the number of jobs queued to deliver the event. */
async function jobsOfChange(who: Person, project: SceneProject): Promise<number> {
  const { body: issue } = await who.post(`${project.url}/issues`, { title: 'New' })
  const url = `${project.url}/issues/${issue.iid}/notes`
  const { body: note } = await who.post(url, { body: 'First' })
  await who.put(`${url}/${note.id}`, { body: 'Second' })
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
      from events join graphile_worker._private_jobs jobs on (jobs.payload ->> 'event_id')::bigint = events.id
     where events.kind = 'note.updated' and (events.payload ->> 'note_id')::bigint = ${note.id}`.execute(db)
  return rows[0]!.count
}

test('an event that only hooks follow is queued only where a hook watches, and recorded everywhere', async () => {
  const { group } = await scene.group()
  const { project, owner } = await scene.project()
  const { project: other, owner: stranger } = await scene.project()
  const attributes = { url: 'https://hooks.example.com/', note_events: true }

  assert.equal(await jobsOfChange(owner, project), 0)
  await addHookTo(owner, project, attributes)
  assert.equal(await jobsOfChange(owner, project), 1)
  assert.equal(await jobsOfChange(stranger, other), 0, 'a hook of another project')

  await addHookTo(scene.root, group, attributes)
  assert.equal(await jobsOfChange(stranger, other), 1, 'a group may be around any project')

  const kept = await db.selectFrom('events').select('id').where('kind', '=', 'note.updated').execute()
  assert.equal(kept.length, 4)
})

test('the events of one change are delivered in batches of ten, in order and before the jobs of the change', async () => {
  const { project, owner } = await scene.project()
  const created = { kind: 'project.created', payload: { project_id: project.id }, actorId: owner.id, projectId: project.id } as const
  const moved = { kind: 'reference.moved', payload: { ref: 'refs/heads/a', old: '', new: '' }, projectId: project.id } as const
  await db.deleteFrom('events').where('project_id', '=', project.id).execute()
  const last = await sql<{ id: number }>`select max(id) as id from graphile_worker._private_jobs`.execute(db)

  await db.transaction().execute(tx =>
    recordEvents(
      { db: tx, ...originWithoutRequest(scene.deps.now(), owner.id) },
      [moved, ...Array.from({ length: 23 }, () => created)],
      [
        { task: 'survey_repository', payload: { project_id: project.id } },
        { task: 'tidy_repository', payload: { project_id: project.id }, options: { jobKey: `tidy ${project.id}` } },
      ],
    ),
  )

  const recorded = await db.selectFrom('events').select(['id', 'kind']).where('project_id', '=', project.id).orderBy('id').execute()
  const sent = recorded.slice(1).map(({ id }) => id)
  const { rows } = await sql<{ task: string; ids: number[] | null }>`
    select t.identifier as task, j.payload -> 'event_ids' as ids
      from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
     where j.id > ${last.rows[0]?.id ?? 0} order by j.id`.execute(db)
  assert.deepEqual(
    recorded.map(({ kind }) => kind),
    ['reference.moved', ...sent.map(() => 'project.created')],
  )
  assert.deepEqual(rows, [
    { task: 'deliver_events', ids: sent.slice(0, 10) },
    { task: 'deliver_events', ids: sent.slice(10, 20) },
    { task: 'deliver_events', ids: sent.slice(20) },
    { task: 'survey_repository', ids: null },
    { task: 'tidy_repository', ids: null },
  ])
  const entries = await db.selectFrom('feed_entries').select('action').where('project_id', '=', project.id).execute()
  assert.equal(entries.filter(({ action }) => action === 'created').length, 24)
})
