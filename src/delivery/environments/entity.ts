/** An environment as JSON (document 2 "Environment"). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime, Nullable } from '../../platform/kernel/types.ts'
import type { EnvironmentRow } from './queries.ts'
import { environmentMachine } from './states.ts'
import { deploymentTiers } from './tiers.ts'

/** The identifying fields of an environment, for entities that embed one. */
export const embeddedFields = {
  id: Type.Integer(),
  name: Type.String(),
  slug: Type.String(),
  external_url: Nullable(Type.String()),
}

/** The values of `embeddedFields`. */
export const presentEmbedded = ({ id, name, slug, external_url }: EnvironmentRow) => ({ id, name, slug, external_url })

/** The fields of an environment, for the larger entity. */
export const fields = {
  ...embeddedFields,
  state: Type.Unsafe<EnvironmentRow['state']>({ enum: [...environmentMachine.states] }),
  // Newer than 14.0: clients that manage environments read them.
  tier: Type.Unsafe<EnvironmentRow['tier']>({ enum: [...deploymentTiers] }),
  created_at: DateTime(),
  updated_at: DateTime(),
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
