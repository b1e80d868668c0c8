/** What an OpenID Connect client demands of the sign-in (OpenID Connect Core 1.0 section 3.1.2.1). Pure. */
import OAuth2Server from '@node-oauth/oauth2-server'
import type { Actor } from '../../../platform/access/actor.ts'
import type { OAuthParams } from '../provider.ts'

/** Seconds for which a proof counts as new: it is given on the page before the one that uses it. */
const JUST_NOW = 60

export interface Demand {
  /** No page may be shown: what a page would have to ask is an error for the application. */
  readonly silent: boolean
  /** The user is asked for their consent, also where they gave it before. */
  readonly consent: boolean
  /** Seconds since the user proved who they are; undefined: no limit. */
  readonly maxAge: number | undefined
}

/** The parts of the protocol that are not served have errors of their own (section 6). */
const unserved = { request: 'request_not_supported', request_uri: 'request_uri_not_supported' } as const

/**
 * The demand of an authorization request.
 * @throws OAuthError for one that contradicts itself
 */
export function demandOf(params: OAuthParams): Demand {
  for (const [name, error] of Object.entries(unserved))
    if (params[name]) throw new OAuth2Server.OAuthError(`The parameter \`${name}\` is not supported`, { code: 400, name: error })
  const prompts = new Set((params.prompt ?? '').split(' ').filter(word => word !== ''))
  const silent = prompts.has('none')
  if (silent && prompts.size > 1) throw new OAuth2Server.InvalidRequestError('Invalid parameter: `prompt`, where `none` stands alone')
  if (params.max_age && !/^\d{1,9}$/.test(params.max_age)) throw new OAuth2Server.InvalidRequestError('Invalid parameter: `max_age`')
  const ages = [...(params.max_age ? [Math.max(Number(params.max_age), JUST_NOW)] : []), ...(prompts.has('login') ? [JUST_NOW] : [])]
  return {
    silent,
    consent: prompts.has('consent') || prompts.has('login') || prompts.has('select_account'),
    maxAge: ages.length > 0 ? Math.min(...ages) : undefined,
  }
}

/** When the user of a session last proved who they are. */
export const authTimeOf = ({ credential }: Actor, now: Date): Date =>
  credential?.kind === 'session' ? new Date(credential.confirmedAt) : now

/** Must the user prove again who they are? */
export const isTooLongAgo = ({ maxAge }: Demand, actor: Actor, now: Date): boolean =>
  maxAge !== undefined && now.getTime() - authTimeOf(actor, now).getTime() > maxAge * 1000
