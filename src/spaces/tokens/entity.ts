/**
 * Tokens as JSON (personal access tokens, users, project and group access tokens APIs). The secret is only in the answer to the creation.
 */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Facts } from '../../platform/kernel/context.ts'
import { DateTime, Day, Nullable } from '../../platform/kernel/types.ts'
import type { FreshToken } from './commands.ts'
import { type BotTokenRow, isActiveToken, type TokenRow } from './queries.ts'

const tokenFields = {
  id: Type.Integer(),
  name: Type.String(),
  revoked: Type.Boolean(),
  created_at: DateTime(),
  scopes: Type.Array(Type.String()),
  user_id: Type.Integer(),
  active: Type.Boolean(),
  expires_at: Nullable(Day()),
  last_used_at: Nullable(DateTime()),
}

const token = (row: TokenRow, { now }: Facts) => ({
  id: row.id,
  name: row.name,
  revoked: row.revoked,
  created_at: row.created_at,
  scopes: row.scopes,
  user_id: row.user_id,
  active: isActiveToken(row, now),
  expires_at: row.expires_at,
  last_used_at: row.last_used_at,
})

const secret = { token: Type.String({ description: 'The secret; it is shown this once' }) }

export const PersonalAccessToken = entity({
  name: 'PersonalAccessToken',
  schema: Type.Object(tokenFields),
  present: (row: TokenRow, _loaded: undefined, facts) => token(row, facts),
})

export const FreshPersonalAccessToken = entity({
  name: 'FreshPersonalAccessToken',
  schema: Type.Object({ ...tokenFields, ...secret }),
  present: (row: FreshToken, _loaded: undefined, facts) => ({ ...token(row, facts), token: row.token.reveal() }),
})

const impersonationFields = { ...tokenFields, impersonation: Type.Boolean() }
const impersonationToken = (row: TokenRow, facts: Facts) => ({ ...token(row, facts), impersonation: row.impersonation })

export const ImpersonationToken = entity({
  name: 'ImpersonationToken',
  schema: Type.Object(impersonationFields),
  present: (row: TokenRow, _loaded: undefined, facts) => impersonationToken(row, facts),
})

export const FreshImpersonationToken = entity({
  name: 'FreshImpersonationToken',
  schema: Type.Object({ ...impersonationFields, ...secret }),
  present: (row: FreshToken, _loaded: undefined, facts) => ({ ...impersonationToken(row, facts), token: row.token.reveal() }),
})

const placeFields = { ...tokenFields, access_level: Type.Integer() }
const placeToken = (row: BotTokenRow, facts: Facts) => ({ ...token(row, facts), access_level: row.access_level })

export const PlaceAccessToken = entity({
  name: 'PlaceAccessToken',
  schema: Type.Object(placeFields),
  present: (row: BotTokenRow, _loaded: undefined, facts) => placeToken(row, facts),
})

export const FreshPlaceAccessToken = entity({
  name: 'FreshPlaceAccessToken',
  schema: Type.Object({ ...placeFields, ...secret }),
  present: (row: FreshToken<BotTokenRow>, _loaded: undefined, facts) => ({ ...placeToken(row, facts), token: row.token.reveal() }),
})
