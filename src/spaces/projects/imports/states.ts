/** How far the filling of a project's repository is: by a fork or by an import (decision 50). */
import type { Db } from '../../../platform/db/connection.ts'
import { machine, next } from '../../../platform/kernel/machine.ts'

export const importMachine = machine({
  states: ['none', 'scheduled', 'started', 'finished', 'failed'],
  initial: 'none',
  events: {
    schedule: { none: 'scheduled', finished: 'scheduled', failed: 'scheduled' },
    // Started once more: the process that did it before has died.
    start: { scheduled: 'started', started: 'started' },
    finish: { started: 'finished' },
    fail: { started: 'failed' },
  },
})

export type ImportState = (typeof importMachine)['states'][number]
export type ImportEvent = keyof (typeof importMachine)['events']

/**
 * Moves the import of a project, in its own right or in the caller's transaction; `error` is what is shown of a failure.
 * Answers whether it could move: an import that is over, or whose project is gone, stays as it is.
 */
export async function moveImport(db: Db, projectId: number, event: ImportEvent, error: string | null = null): Promise<boolean> {
  const project = await db.selectFrom('projects').select('import_status').where('id', '=', projectId).forUpdate().executeTakeFirst()
  const state = project && next(importMachine, project.import_status as ImportState, event)
  if (state === undefined) return false
  await db.updateTable('projects').set({ import_status: state, import_error: error }).where('id', '=', projectId).execute()
  return true
}

/** Keeps where a project is imported from: an address that everybody may know, and the same with its credentials, encrypted. */
export async function setImportSource(
  db: Db,
  projectId: number,
  source: { readonly import_url: string; readonly import_credentials: string },
): Promise<void> {
  await db.updateTable('projects').set(source).where('id', '=', projectId).execute()
}
