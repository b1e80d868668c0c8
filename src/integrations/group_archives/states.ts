/** The state of the import of a group. */
import type { Db } from '../../platform/db/connection.ts'
import { machine, next } from '../../platform/kernel/declaration/machine.ts'
import type { Failure } from '../archives/importing/import.ts'

export const groupImportMachine = machine({
  states: ['created', 'started', 'finished', 'failed'],
  initial: 'created',
  events: {
    // Started again: the process that ran it before has died.
    start: { created: 'started', started: 'started' },
    finish: { started: 'finished' },
    fail: { started: 'failed' },
  },
})

export type GroupImportEvent = keyof (typeof groupImportMachine)['events']

/** How an import has ended. */
export interface ImportEnd {
  readonly now: Date
  readonly error?: string
  readonly failures?: readonly Failure[]
}

/** Moves the import of a group to another state; what has ended names no archive any more. Returns whether it could move. */
export async function moveGroupImport(db: Db, groupId: number, event: GroupImportEvent, end?: ImportEnd): Promise<boolean> {
  const row = await db.selectFrom('group_imports').select('state').where('namespace_id', '=', groupId).forUpdate().executeTakeFirst()
  const state = row && next(groupImportMachine, row.state, event)
  if (state === undefined) return false
  await db
    .updateTable('group_imports')
    .set({
      state,
      ...(end && {
        object_id: null,
        finished_at: end.now,
        error: end.error ?? null,
        failures: JSON.stringify((end.failures ?? []).slice(0, MOST_FAILURES)),
      }),
    })
    .where('namespace_id', '=', groupId)
    .execute()
  return true
}

const MOST_FAILURES = 1_000
