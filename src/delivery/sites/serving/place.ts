/** Which site an address is of, and which of its files. */

import type { SitesAddress } from '../../../platform/config.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { topOfHost } from '../../../platform/kernel/addresses/site_address.ts'
import { type ServedSite, siteOfDomain, sitesAt } from '../queries.ts'

/** Bytes of a path, and how many folders deep it may be. */
const LIMITS = { bytes: 4_096, segments: 200 }

/** Groups that lie in one another: as deep as a project can be. */
const DEPTH = 21

/**
 * The segments of a path, decoded; the last is empty for a folder. Undefined where it leads out of the site or names nothing: `..`, empty
 * segments, backslashes, NUL, escapes that are no UTF-8. Pure.
 */
export function segmentsOf(path: string): readonly string[] | undefined {
  if (!path.startsWith('/') || path.length > LIMITS.bytes) return undefined
  let decoded: string
  try {
    decoded = decodeURIComponent(path)
  } catch {
    return undefined
  }
  if (/[\0\\]/.test(decoded)) return undefined
  const segments = decoded.slice(1).split('/')
  if (segments.length > LIMITS.segments) return undefined
  const isOdd = segments.some((segment, at) => segment === '.' || segment === '..' || (segment === '' && at < segments.length - 1))
  return isOdd ? undefined : segments
}

/** A site that an address may be of, with what follows the address of the site. */
export interface SitePlace {
  readonly site: ServedSite
  /** Undefined for the address of the site without a slash at its end. */
  readonly rest: readonly string[] | undefined
}

/**
 * The sites that an address may be of, the nearest first: a project below a group before the one at the root of the group's host.
 * @param host in lower case, without a port
 */
export async function placesOf(
  { db, sites, now }: { readonly db: Db; readonly sites: SitesAddress; readonly now: Date },
  host: string,
  segments: readonly string[],
): Promise<SitePlace[]> {
  const top = topOfHost(sites, host)
  if (top === undefined) {
    const site = await siteOfDomain(db, host, now)
    return site ? [{ site, rest: segments }] : []
  }
  const named = segments.slice(0, DEPTH).filter(segment => segment !== '')
  const below = named.map((_, at) => [top, ...named.slice(0, at + 1)].join('/'))
  const root = `${top}/${host}`
  const found = await sitesAt(db, [root, ...below])
  return found
    .map(site => ({ site, depth: site.full_path.toLowerCase() === root ? 0 : site.full_path.split('/').length - 1 }))
    .sort((one, other) => other.depth - one.depth)
    .map(({ site, depth }) => ({ site, rest: segments.length === depth ? undefined : segments.slice(depth) }))
}

/** Letters, digits, hyphens and underscores between dots: nothing that means something else in an address. */
const HOST = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/

/** Is it a host of sites: one below that of all sites, or a domain that leads to one now? */
export async function isServedHost(means: Parameters<typeof placesOf>[0], host: string): Promise<boolean> {
  if (!HOST.test(host)) return false
  return topOfHost(means.sites, host) !== undefined || (await siteOfDomain(means.db, host, means.now)) !== undefined
}
