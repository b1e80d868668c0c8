/** The state of filling a project's repository by a fork or an import (decision 50). */
import type { Db } from '../../../platform/db/connection.ts'
import { machine, next } from '../../../platform/kernel/declaration/machine.ts'

export const importMachine = machine({
  states: ['none', 'scheduled', 'started', 'finished', 'failed'],
  initial: 'none',
  events: {
    schedule: { none: 'scheduled', finished: 'scheduled', failed: 'scheduled' },
    // Started again: the process that ran it before has died.
    start: { scheduled: 'started', started: 'started' },
    finish: { started: 'finished' },
    fail: { started: 'failed' },
  },
})

export type ImportState = (typeof importMachine)['states'][number]
export type ImportEvent = keyof (typeof importMachine)['events']

/**
 * Moves the import of a project to another state, with or without a transaction of the caller; `error` is the message shown for a failure.
 * Returns whether it could move: an import that has ended, or whose project is gone, stays as it is.
 */
export async function moveImport(db: Db, projectId: number, event: ImportEvent, error: string | null = null): Promise<boolean> {
  const project = await db.selectFrom('projects').select('import_status').where('id', '=', projectId).forUpdate().executeTakeFirst()
  const state = project && next(importMachine, project.import_status as ImportState, event)
  if (state === undefined) return false
  await db.updateTable('projects').set({ import_status: state, import_error: error }).where('id', '=', projectId).execute()
  return true
}

/** Stores the import address of a project, once without credentials for all readers, and once with them, encrypted. */
export async function setImportSource(
  db: Db,
  projectId: number,
  source: { readonly import_url: string; readonly import_credentials: string },
): Promise<void> {
  await db.updateTable('projects').set(source).where('id', '=', projectId).execute()
}
