/**
 * Tokens as JSON (personal access tokens, users, project and group access tokens APIs). The secret is only in the answer to the creation.
 */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Facts } from '../../platform/kernel/context.ts'
import { DateTime, Day, described, flag, integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import type { FreshToken } from './commands.ts'
import { type BotTokenRow, isActiveToken, type TokenRow } from './queries.ts'

const tokenFields = {
  id: integer('ID, unique on the instance'),
  name: text('Name of the token'),
  revoked: flag('Whether the token was revoked'),
  created_at: DateTime('When it was created'),
  scopes: described('What the token may be used for', Type.Array(Type.String())),
  user_id: integer('ID of the user'),
  active: flag('Whether the token is valid'),
  expires_at: Nullable(Day('Last day of the token; null: never')),
  last_used_at: Nullable(DateTime('When it was last used; null: never')),
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

const secret = { token: text('The secret; it is shown this once') }

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

const impersonationFields = { ...tokenFields, impersonation: flag('Whether an administrator made the token for the user') }
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

const placeFields = {
  ...tokenFields,
  access_level: integer('Level: 10 Guest, 20 Reporter, 30 Developer, 40 Maintainer, 50 Owner; 0 no access'),
}
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
