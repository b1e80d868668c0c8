/** What no row owns: when it is deleted, and when it is rather the rows that are missing. */
import type { Looking } from './check.ts'

/** What to do where rows were lost. */
export const RESTORE = 'restore a backup: the database has lost rows that others name'

/**
 * May be deleted what no row owns? Not where rows were lost, nor where so much has no owner that the database is rather one of another
 * instance.
 */
export function mayDeleteUnowned({ faults, rowsAreLost }: Looking): boolean {
  if (rowsAreLost) faults.keep('the database has lost rows, perhaps those that own them', RESTORE)
  else if (faults.found * 2 > faults.looked)
    faults.keep(
      'more than half have no owner, as with the database of another instance',
      'see that DATABASE_URL and the data directory belong together; if they do, restore a backup',
    )
  else return true
  return false
}
