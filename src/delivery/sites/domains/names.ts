/** Names that a domain of a site may have. */
import type { Config } from '../../../platform/config.ts'

/** A label of a host name: letters, digits and hyphens, the last within it. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** Is it a host name with a domain above it, and no address? */
function isHostName(name: string): boolean {
  const labels = name.split('.')
  return name.length <= 253 && labels.length > 1 && labels.every(label => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '')
}

/** Is it this name, or below it? */
const isWithin = (name: string, above: string): boolean => name === above || name.endsWith(`.${above}`)

/**
 * Why a name in lower case can be no domain of a site; undefined for one that can. The names of the instance, and those below them, are its own:
 * what a site keeps in a browser would reach it.
 */
export function faultOfName(
  name: string,
  { pagesUrl: sites, externalUrl, hosts }: Pick<Config, 'pagesUrl' | 'externalUrl' | 'hosts'>,
): string | undefined {
  if (!isHostName(name)) return 'is not a fully qualified domain name'
  if (sites && isWithin(name, sites.host)) return `*.${sites.host} is restricted`
  const own = [...hosts.map(host => host.replace(/:\d+$/, '')), ...(externalUrl ? [new URL(externalUrl).hostname] : []), 'localhost']
  const taken = own.find(host => isWithin(name, host))
  return taken === undefined ? undefined : `*.${taken} is restricted`
}
