/** Deploy tokens as JSON (deploy tokens API at 14.0). The secret is only in the answer to the creation. */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Facts } from '../../platform/kernel/context.ts'
import { DateTime, Nullable } from '../../platform/kernel/types.ts'
import type { FreshDeployToken } from './commands.ts'
import type { DeployTokenRow } from './queries.ts'

const fields = {
  id: Type.Integer(),
  name: Type.String(),
  username: Type.String(),
  expires_at: Nullable(DateTime()),
  expired: Type.Boolean(),
  scopes: Type.Array(Type.String()),
}

const deployToken = (row: DeployTokenRow, { now }: Facts) => ({
  id: row.id,
  name: row.name,
  username: row.username,
  expires_at: row.expires_at,
  expired: row.expires_at !== null && Date.parse(row.expires_at) <= now.getTime(),
  scopes: row.scopes,
})

export const DeployToken = entity({
  name: 'DeployToken',
  schema: Type.Object(fields),
  present: (row: DeployTokenRow, _loaded: undefined, facts) => deployToken(row, facts),
})

export const FreshDeployTokenEntity = entity({
  name: 'FreshDeployToken',
  schema: Type.Object({ ...fields, token: Type.String({ description: 'The secret; it is shown this once' }) }),
  present: (row: FreshDeployToken, _loaded: undefined, facts) => ({ ...deployToken(row, facts), token: row.token.reveal() }),
})
