/** Resource groups: of the jobs that name one, only one runs at a time. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { transact } from '../../platform/db/transact.ts'
import { type Deps, systemContext } from '../../platform/kernel/context.ts'
import { moveJob } from '../jobs/transitions/move.ts'
import type { JobStatus } from '../states.ts'

/** Statuses in which a job holds the resource that was given to it. */
const holding: readonly JobStatus[] = ['preparing', 'pending', 'running']

/** The groups of these keys in a project by key; creates missing ones. Two statements. */
export async function resourceGroupsFor(db: Db, project_id: number, keys: readonly string[]): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map()
  const wanted = [...new Set(keys)].toSorted()
  await db
    .insertInto('resource_groups')
    .values(wanted.map(key => ({ project_id, key })))
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const rows = await db
    .selectFrom('resource_groups')
    .select(['id', 'key'])
    .where('project_id', '=', project_id)
    .where('key', '=', anyOf(wanted))
    .execute()
  return new Map(rows.map(({ id, key }) => [key, id]))
}

/** Gives the resource to the next job that waits for it, unless it is held. Idempotent; the lock of the group's row serializes callers. */
export async function assignResource(deps: Deps, { resource_group_id }: { readonly resource_group_id: number }): Promise<void> {
  await transact(deps.database.db, async db => {
    const group = await db.selectFrom('resource_groups').selectAll().where('id', '=', resource_group_id).forUpdate().executeTakeFirst()
    if (!group) return
    if (group.job_id !== null) {
      const holder = await db.selectFrom('jobs').select('status').where('id', '=', group.job_id).executeTakeFirst()
      if (holder && holding.includes(holder.status)) return
    }
    const ctx = systemContext(deps, db)
    const next = await nextFor(db, group)
    const job = next && (await moveJob(ctx, next.id, 'enqueue'))
    await db
      .updateTable('resource_groups')
      .set({ job_id: job?.id ?? null })
      .where('id', '=', group.id)
      .execute()
  })
}

/** The next job. With an ordered mode it may be one that does not wait yet; then no job gets the resource. */
async function nextFor(db: Db, { id, process_mode }: { id: number; process_mode: 'unordered' | 'oldest_first' | 'newest_first' }) {
  const isOrdered = process_mode !== 'unordered'
  const first = await db
    .selectFrom('jobs')
    .select(['id', 'status'])
    .where('resource_group_id', '=', id)
    .where('retried', '=', false)
    .where('status', 'in', isOrdered ? ['waiting_for_resource', 'created', 'scheduled'] : ['waiting_for_resource'])
    .orderBy('pipeline_id', process_mode === 'newest_first' ? 'desc' : 'asc')
    .orderBy(sql`(status = 'waiting_for_resource') desc, id`)
    .limit(1)
    .executeTakeFirst()
  return first?.status === 'waiting_for_resource' ? first : undefined
}
