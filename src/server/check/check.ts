/**
 * Looks whether an instance is whole: what git, the object store and the database each say about the others. People may work meanwhile. What
 * looks wrong while something is on its way is looked at again after a moment, before it counts.
 *
 * Memory is bounded: rows come in pages, repositories one after the other, and of many faults the first ones are named.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Deps } from '../../platform/kernel/context.ts'
import { ObjectStoreUnavailable } from '../../platform/object_store/store.ts'
import { type Finding, reasonOf, wrong } from '../doctor/finding.ts'
import { checkCounters } from './counters.ts'
import { Faults } from './faults.ts'
import { checkFiles, checkFilesWithoutRow } from './files.ts'
import { checkReferences, checkRepositories, checkRepositoriesWithoutRow } from './repositories.ts'
import { checkIds, checkJournal, checkRows } from './rows.ts'
import { RESTORE } from './unowned.ts'

export interface CheckOptions {
  /** Make right what can be made right without a loss. */
  readonly mend: boolean
  /** Read all files, and compare their digests. */
  readonly digests: boolean
}

/** What a check is given. */
export interface Looking extends CheckOptions {
  readonly deps: Deps
  readonly faults: Faults
  /** Has the database lost rows? What these owned is needed by those who restore them. */
  readonly rowsAreLost: boolean
}

interface Check {
  readonly name: string
  readonly remedy: string
  readonly look: (looking: Looking) => Promise<void>
}

const MEND = 'run ingot check --mend'

/** The checks in the order of the table. */
const checks: readonly Check[] = [
  { name: 'Rows', remedy: RESTORE, look: checkRows },
  { name: 'Next ids', remedy: MEND, look: checkIds },
  { name: 'Counters', remedy: MEND, look: checkCounters },
  { name: 'Repositories', remedy: 'push what is missing again, or restore the repository from a backup', look: checkRepositories },
  {
    name: 'References',
    remedy: `${MEND}; where the commit is gone, push it again or restore the repository from a backup`,
    look: checkReferences,
  },
  { name: 'Moves of references', remedy: MEND, look: checkJournal },
  { name: 'Unowned repositories', remedy: MEND, look: checkRepositoriesWithoutRow },
  { name: 'Files', remedy: 'put the files into the object store again, from a backup', look: checkFiles },
  { name: 'Unnamed files', remedy: MEND, look: checkFilesWithoutRow },
]

/** The longest name of a check, for the width of the table. */
export const widestCheck = Math.max(...checks.map(({ name }) => name.length))

/** How often a check is begun where the object store fails in the midst of it, and the milliseconds between. */
const ATTEMPTS = 3
const PAUSE = 1_000

/**
 * Runs all checks, one after the other: an instance in use has better things to do. Where the object store fails, the check is begun again; where it
 * goes on failing, that is what is found, and the other checks follow.
 */
export async function* checkInstance(deps: Deps, options: CheckOptions): AsyncGenerator<Finding, void, void> {
  let rowsAreLost = false
  for (const check of checks) {
    const { faults, finding } = await look(check, { ...options, deps, rowsAreLost })
    if (check.look === checkRows) rowsAreLost = faults.found > 0
    yield finding
  }
}

async function look({ name, remedy, look }: Check, looking: Omit<Looking, 'faults'>): Promise<{ faults: Faults; finding: Finding }> {
  for (let attempt = 1; ; attempt++) {
    const faults = new Faults()
    try {
      await look({ ...looking, faults })
      return { faults, finding: faults.toFinding(name, remedy) }
    } catch (error) {
      if (!(error instanceof ObjectStoreUnavailable)) throw error
      if (attempt === ATTEMPTS)
        return {
          faults,
          finding: { check: name, ...wrong(`not looked at: ${reasonOf(error)}`, 'see to the object store, and check again') },
        }
      await delay(PAUSE)
    }
  }
}
