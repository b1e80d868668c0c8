/** The addresses of static sites: a host for each top-level group and user, below that of all sites, and the rest of the project's path. */
import type { Config, SitesAddress } from '../../config.ts'

/** `https://team.pages.example.net`: what the addresses of sites on this host begin with. */
export function siteOrigin({ url }: Pick<SitesAddress, 'url'>, host: string): string {
  const { protocol, port } = new URL(url)
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`
}

/** The host of the sites of a top-level group or user. */
export const siteHost = ({ host }: Pick<SitesAddress, 'host'>, top: string): string => `${top.toLowerCase()}.${host}`

/**
 * The address of the site of a project, without a slash at the end. A project that is called as the host of its top-level group is at the root of
 * that host.
 */
export function siteAddress(sites: SitesAddress, fullPath: string): string {
  const [top = '', ...rest] = fullPath.split('/')
  const host = siteHost(sites, top)
  const isRoot = rest.length === 1 && rest[0]?.toLowerCase() === host
  return [siteOrigin(sites, host), ...(isRoot ? [] : rest)].join('/')
}

/** The path of the top-level group or user that a host below that of all sites is of; undefined for every other host. */
export function topOfHost({ host: all }: Pick<SitesAddress, 'host'>, host: string): string | undefined {
  return host.endsWith(`.${all}`) ? host.slice(0, -all.length - 1) : undefined
}

/** The port that sites are served on; 0 where none are, or where the system chooses. */
export function sitesPort({ pagesUrl, pagesPort }: Pick<Config, 'pagesUrl' | 'pagesPort'>): number {
  if (!pagesUrl) return 0
  const { port, protocol } = new URL(pagesUrl.url)
  return pagesPort ?? (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port))
}
