/** `ingot routes`: the addresses that are served. Needs no database. */

import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { type Tier, tierCovers } from '../../platform/kernel/declaration/types.ts'
import { endpoints } from '../endpoints.ts'
import { configFrom, type SettingOptions } from './settings.ts'

/** `METHOD /path` of each endpoint that an instance of this tier serves, ordered by path. */
export const routesOf = (endpoints: readonly Endpoint[], tier: Tier): string[] =>
  endpoints
    .filter(endpoint => tierCovers(tier, endpoint.tier))
    .map(endpoint => [`${endpoint.dialect.prefix}${endpoint.path}`, endpoint.method] as const)
    .sort(([path, method], [otherPath, otherMethod]) => compare(path, otherPath) || compare(method, otherMethod))
    .map(([path, method]) => `${method} ${path}`)

/** By code points, so that the order is the same on every machine. */
const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/** Prints the routes, one a line. */
export function printRoutes(options: SettingOptions): void {
  // The reader may have enough before the end: `ingot routes | head`.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  process.stdout.write(`${routesOf(endpoints, configFrom(options).tier).join('\n')}\n`)
}
