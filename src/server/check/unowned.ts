/** What no row owns: when it is deleted, and when it is rather the rows that are missing. */
import { FIT_TOGETHER, rowsAreMissing } from '../../platform/object_store/unused.ts'
import type { Looking } from './check.ts'

/** What to do where rows were lost. */
export const RESTORE = 'restore a backup: the database has lost rows that others name'

/**
 * May be deleted what no row owns? Not where rows were lost, nor where so much has no owner that the database is rather one of another
 * instance.
 */
export function mayDeleteUnowned({ faults, rowsAreLost }: Looking): boolean {
  if (rowsAreLost) faults.keep('the database has lost rows, perhaps those that own them', RESTORE)
  else if (rowsAreMissing({ unowned: faults.found, all: faults.looked }))
    faults.keep('more than half have no owner, as with the database of another instance', FIT_TOGETHER)
  else return true
  return false
}
