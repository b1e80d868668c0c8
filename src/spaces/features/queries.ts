/** Reads of stored feature flags. */

import type { Gate } from '../../platform/access/feature_flags.ts'
import type { Db } from '../../platform/db/connection.ts'

/** A stored flag. */
export interface FeatureRow {
  readonly name: string
  readonly gates: readonly Gate[]
}

/** The stored flags, by name. */
export const features = (db: Db) =>
  db
    .selectFrom('feature_flags')
    .select(({ ref }) => ['name', ref('gates').$castTo<readonly Gate[]>().as('gates')])
    .orderBy('name')
