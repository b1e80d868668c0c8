/** Reads of stored feature flags. */

import type { Gate } from '../access/feature_flags.ts'
import type { Db } from '../db/connection.ts'

/** A flag that somebody has set. */
export interface FeatureRow {
  readonly name: string
  readonly gates: readonly Gate[]
}

/** The flags that were set, by name. */
export const features = (db: Db) =>
  db
    .selectFrom('feature_flags')
    .select(({ ref }) => ['name', ref('gates').$castTo<readonly Gate[]>().as('gates')])
    .orderBy('name')
