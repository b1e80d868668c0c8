/** Deploy tokens as JSON (deploy tokens API at 14.0). The secret is only in the answer to the creation. */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Facts } from '../../platform/kernel/context.ts'
import { DateTime, described, flag, integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import type { FreshDeployToken } from './commands.ts'
import type { DeployTokenRow } from './queries.ts'

const fields = {
  id: integer('ID, unique on the instance'),
  name: text('Name of the token'),
  username: text('Username, without `@`'),
  expires_at: Nullable(DateTime('When it expires; null: never')),
  expired: flag('Whether its last day has passed'),
  scopes: described('What the token may be used for', Type.Array(Type.String())),
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
  schema: Type.Object({ ...fields, token: text('The secret; it is shown this once') }),
  present: (row: FreshDeployToken, _loaded: undefined, facts) => ({ ...deployToken(row, facts), token: row.token.reveal() }),
})
