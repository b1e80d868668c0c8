/** Distributions of Debian as JSON (Debian distributions API at 14.0). */
import type { Selectable } from 'kysely'
import Type from 'typebox'
import type { DebianDistributions } from '../../../../../platform/db/schema.ts'
import { entity } from '../../../../../platform/kernel/answer/entity.ts'
import { described, integer, Nullable, text } from '../../../../../platform/kernel/declaration/types.ts'

export type DistributionRow = Selectable<DebianDistributions>

/** A distribution. */
export const DebianDistribution = entity({
  name: 'DebianDistribution',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    codename: text('Codename, by which packages are published to it'),
    suite: Nullable(text('Other name of it, as `unstable`; null where it has none')),
    origin: Nullable(text('Origin that its index says; null where it says none')),
    label: Nullable(text('Label that its index says; null where it says none')),
    version: Nullable(text('Version that its index says; null where it says none')),
    description: Nullable(text('Description that its index says; null where it says none')),
    valid_time_duration_seconds: Nullable(integer('Seconds that its index is valid for; null for ever')),
    components: described('Names of its components', Type.Array(Type.String())),
    architectures: described('Names of its architectures; `all` is one of them', Type.Array(Type.String())),
  }),
  present: (row: DistributionRow) => ({
    id: row.id,
    codename: row.codename,
    suite: row.suite,
    origin: row.origin,
    label: row.label,
    version: row.version,
    description: row.description,
    valid_time_duration_seconds: row.valid_time_duration_seconds,
    components: row.components,
    architectures: row.architectures,
  }),
})
