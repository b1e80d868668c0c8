/** Delivery of events: each listener by itself (house rule 8). */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type SceneProject } from '../../test/scene.ts'
import { addHookTo } from '../integrations/hooks/scene.ts'
import type { EventKind } from '../platform/events/catalog.ts'
import { type Listener, listeners } from './listeners.ts'
import { tasksOf } from './tasks.ts'

const scene = await openScene({ failuresExpected: true })
const { pool, db } = scene.deps.database
const tasks = tasksOf(scene.deps)

interface Queued {
  readonly task: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** The queued jobs of this kind, by the value of a payload field. */
async function queued(where: string, value: unknown): Promise<Queued[]> {
  const { rows } = await pool.query(
    `select tasks.identifier as task, jobs.payload from graphile_worker._private_jobs jobs
       join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id where ${where} order by jobs.id`,
    [value],
  )
  return rows
}

/** The events of a project of these kinds, in order. */
const eventsOf = ({ id }: SceneProject, kinds: readonly EventKind[]) =>
  db.selectFrom('events').select('id').where('project_id', '=', id).where('kind', 'in', kinds).orderBy('id').execute()

test('a failed listener is retried by itself and delays no other', async () => {
  const { project } = await scene.project()
  const heard: string[] = []
  const pushed = listeners['repository.updated'] as Record<string, Listener<'repository.updated'>>
  let isBroken = true
  pushed.fails = async () => {
    heard.push('fails')
    if (isBroken) throw new Error('out of order')
  }
  pushed.hears = async () => void heard.push('hears')
  try {
    await scene.commit(project, { 'a.txt': 'a' })
    const [event] = await eventsOf(project, ['repository.updated'])
    assert.ok(event)

    await tasks.deliver_event({ event_id: event.id }, undefined)

    const again = await queued(`jobs.payload ->> 'listener' = 'fails' and jobs.payload ->> 'event_id' = $1`, String(event.id))
    assert.deepEqual(again, [{ task: 'deliver_event', payload: { event_id: event.id, listener: 'fails' } }])
    await assert.rejects(tasks.deliver_event({ event_id: event.id, listener: 'fails' }, undefined), /out of order/)
    isBroken = false
    await tasks.deliver_event({ event_id: event.id, listener: 'fails' }, undefined)
    assert.deepEqual(heard, ['fails', 'hears', 'fails', 'fails'])
  } finally {
    delete pushed.fails
    delete pushed.hears
  }
})

test('a merge queues one delivery job, which says whether a hook watches, and one statistics job', async () => {
  const { project, owner } = await scene.project()
  const jobsOfMerge = async (): Promise<Queued[]> => {
    const { url } = await scene.mergeRequest(project, { author: owner })
    await pool.query('delete from graphile_worker._private_jobs')
    assert.equal((await owner.put(`${url}/merge`)).status, 200)
    // The two are queued by requests to the database beside each other.
    return (await queued('$1::int is null', null)).toSorted((a, b) => a.task.localeCompare(b.task))
  }
  const kinds = ['repository.updated', 'merge_request.merged'] as const

  const unwatched = await jobsOfMerge()
  const eventIds = (await eventsOf(project, kinds)).slice(-2).map(({ id }) => id)
  await addHookTo(owner, project, { url: 'https://hooks.example.com/', merge_requests_events: true })
  const watched = await jobsOfMerge()

  const surveys = { task: 'survey_repository', payload: { project_id: project.id } }
  assert.deepEqual(unwatched, [{ task: 'deliver_events', payload: { event_ids: eventIds, quiet: true } }, surveys])
  assert.deepEqual(
    watched.map(({ task, payload }) => [task, payload.quiet]),
    [
      ['deliver_events', false],
      ['survey_repository', undefined],
    ],
  )
})
