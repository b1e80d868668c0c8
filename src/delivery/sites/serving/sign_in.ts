/**
 * Signing in to sites that are not public. A site has no session of the instance: the browser is led to the instance, which knows who it is,
 * and comes back with a code for this host alone. The host then keeps a cookie of its own, which stands for the session at the instance
 * and ends with it.
 */
import { randomBytes } from 'node:crypto'
import { type Actor, anonymous, isActive } from '../../../platform/access/actor.ts'
import { actorOfSession } from '../../../platform/access/current_actor.ts'
import type { SitesAddress } from '../../../platform/config.ts'
import { siteOrigin } from '../../../platform/kernel/addresses/site_address.ts'
import type { Deps } from '../../../platform/kernel/context.ts'

/** Where a browser begins on a host of sites, and where it comes back to. */
export const BEGIN = '/-/sign_in'
export const END = '/-/signed_in'

/** The address of the instance that gives codes. */
export const CODES = '/-/sites/sign_in'

const PURPOSES = { code: 'sites.code', session: 'sites.session' } as const

/** Milliseconds for which a code is good, and a cookie of a host. */
const LIVES = { code: 60_000, session: 12 * 60 * 60 * 1000 }

/** What a code or a cookie stands for. */
interface Ticket {
  /** ID of the session at the instance. */
  readonly session: number
  readonly host: string
  /** Milliseconds since 1970. */
  readonly until: number
  /** Of codes: what ties one to the browser that asked, and where it goes. */
  readonly state?: string
  readonly to?: string
}

const seal = ({ secrets }: Deps, kind: keyof typeof PURPOSES, ticket: Omit<Ticket, 'until'>, now: Date): string =>
  secrets.encrypt(JSON.stringify({ ...ticket, until: now.getTime() + LIVES[kind] }), PURPOSES[kind])

/** A ticket for this host that has not ended; undefined for anything else. */
function open({ secrets, now }: Deps, kind: keyof typeof PURPOSES, sealed: string, host: string): Ticket | undefined {
  if (sealed.length > 16_384) return undefined
  let ticket: Ticket
  try {
    ticket = JSON.parse(secrets.decrypt(sealed, PURPOSES[kind]).reveal())
  } catch {
    return undefined
  }
  return ticket.host === host && ticket.until > now().getTime() ? ticket : undefined
}

/** Names of cookies. Over https a browser takes these from this host alone, never from one above or beside it. */
const nameOf = ({ url }: SitesAddress, name: string): string => (url.startsWith('https:') ? `__Host-${name}` : name)
const SESSION = 'ingot_site'
const STATE = 'ingot_site_state'

const cookie = (sites: SitesAddress, name: string, value: string, age?: number): string =>
  `${nameOf(sites, name)}=${value}; Path=/; HttpOnly; SameSite=Lax${sites.url.startsWith('https:') ? '; Secure' : ''}${age === undefined ? '' : `; Max-Age=${age}`}`

/** The values of a cookie; of several of one name only the first few are looked at. */
const valuesOf = (header: string | undefined, name: string): string[] =>
  (header ?? '')
    .split(';')
    .map(part => part.trim())
    .filter(part => part.startsWith(`${name}=`))
    .slice(0, 3)
    .map(part => part.slice(name.length + 1))

/** Who the browser is on this host; anonymous without a cookie, and once the session at the instance has ended. */
export async function visitorOf(deps: Deps, sites: SitesAddress, host: string, cookies: string | undefined): Promise<Actor> {
  for (const value of valuesOf(cookies, nameOf(sites, SESSION))) {
    const ticket = open(deps, 'session', value, host)
    const actor = ticket && (await actorOfSession(deps.database.db, ticket.session, deps.now(), deps.config.impersonationEnabled))
    if (actor && isActive(actor)) return actor
  }
  return anonymous
}

/** A redirect, with the cookies that it sets. */
export interface Leading {
  readonly location: string
  readonly cookies: readonly string[]
}

/** Leads the browser to the instance. `to`: the path on this host to come back to. */
export function beginSignIn(
  {
    sites,
    instance,
    host,
    cookies,
  }: { readonly sites: SitesAddress; readonly instance: string; readonly host: string; readonly cookies: string | undefined },
  to: string,
): Leading {
  // Kept where there is one: several windows may be on their way.
  const kept = valuesOf(cookies, nameOf(sites, STATE)).find(value => /^[0-9a-f]{32}$/.test(value))
  const state = kept ?? randomBytes(16).toString('hex')
  return {
    location: `${instance}${CODES}?${new URLSearchParams({ host, state, to })}`,
    cookies: [cookie(sites, STATE, state, 600)],
  }
}

/** The address on a host of sites that takes a code for the session of a user. */
export function codeAddress(
  deps: Deps,
  sites: SitesAddress,
  { session, host, state, to }: { readonly session: number; readonly host: string; readonly state: string; readonly to: string },
): string {
  const code = seal(deps, 'code', { session, host, state, to }, deps.now())
  return `${siteOrigin(sites, host)}${END}?${new URLSearchParams({ code })}`
}

/** Takes a code: the cookie of this host, and where to go. Undefined for a code that is not of this browser, or is too old. */
export function endSignIn(
  deps: Deps,
  sites: SitesAddress,
  host: string,
  { code, cookies }: { readonly code: string; readonly cookies: string | undefined },
): Leading | undefined {
  const ticket = open(deps, 'code', code, host)
  if (!ticket?.state || !valuesOf(cookies, nameOf(sites, STATE)).includes(ticket.state)) return undefined
  const session = seal(deps, 'session', { session: ticket.session, host }, deps.now())
  return { location: ticket.to ?? '/', cookies: [cookie(sites, SESSION, session), cookie(sites, STATE, '', 0)] }
}
