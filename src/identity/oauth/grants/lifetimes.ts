/** The lifetimes of grants: each refresh token lives while it is used, and the grant has an end of its own. */
import type { ApplicationSettingsRow } from '../../../platform/application_settings/queries.ts'

export type OAuthLifetimes = Pick<
  ApplicationSettingsRow,
  'oauth_access_token_lifetime' | 'oauth_refresh_token_lifetime' | 'max_oauth_grant_lifetime'
>

const DAY = 24 * 60 * 60 * 1000

/** When a grant ends, in milliseconds, however often its tokens are refreshed. */
export const grantEnd = (grantedAt: string | Date, { max_oauth_grant_lifetime }: OAuthLifetimes): number =>
  new Date(grantedAt).getTime() + max_oauth_grant_lifetime * DAY

/** When an unused refresh token ends, in milliseconds. */
export const refreshEnd = (token: { readonly created_at: string; readonly granted_at: string }, settings: OAuthLifetimes): number =>
  Math.min(Date.parse(token.created_at) + settings.oauth_refresh_token_lifetime * DAY, grantEnd(token.granted_at, settings))
