/** An environment as JSON (document 2 "Environment"). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime, described, integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import type { EnvironmentRow } from './queries.ts'
import { environmentMachine } from './states.ts'
import { deploymentTiers } from './tiers.ts'

/** The identifying fields of an environment, for entities that embed one. */
export const embeddedFields = {
  id: integer('ID, unique on the instance'),
  name: text('Name of the environment'),
  slug: text('Name as used in addresses'),
  external_url: Nullable(text('Address of the running application; null where there is none')),
}

/** The values of `embeddedFields`. */
export const presentEmbedded = ({ id, name, slug, external_url }: EnvironmentRow) => ({ id, name, slug, external_url })

/** The fields of an environment, for the larger entity. */
export const fields = {
  ...embeddedFields,
  state: described('`available`, `stopping` or `stopped`', Type.Unsafe<EnvironmentRow['state']>({ enum: [...environmentMachine.states] })),
  // Newer than 14.0: clients that manage environments read them.
  tier: described('Tier of the environment', Type.Unsafe<EnvironmentRow['tier']>({ enum: [...deploymentTiers] })),
  created_at: DateTime('When it was created'),
  updated_at: DateTime('When it was last changed'),
}

/** The values of `fields`. */
export const present = (row: EnvironmentRow) => ({
  ...presentEmbedded(row),
  state: row.state,
  tier: row.tier,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

export const Environment = entity({ name: 'Environment', schema: Type.Object(fields), present })
