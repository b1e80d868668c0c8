/** `ingot routes`: the addresses that are served. Needs no database. */

import { readFile } from 'node:fs/promises'
import { type Tier, tierCovers } from '../../platform/kernel/declaration/types.ts'
import { type ServedEndpoint, servedEndpoints } from '../bundle/served_endpoints.ts'
import { configFrom, type SettingOptions } from './settings.ts'

/** `METHOD /path` of each endpoint that an instance of this tier serves, ordered by path. */
export const routesOf = (endpoints: readonly ServedEndpoint[], tier: Tier): string[] =>
  endpoints
    .filter(endpoint => tierCovers(tier, endpoint.tier))
    .map(endpoint => [`${endpoint.dialect.prefix}${endpoint.path}`, endpoint.method] as const)
    .sort(([path, method], [otherPath, otherMethod]) => compare(path, otherPath) || compare(method, otherMethod))
    .map(([path, method]) => `${method} ${path}`)

/** A call of a client: `GET /projects/:p/issues`, where `:p` stands for any value. Paths are those of the API, without its prefix. */
export interface Call {
  readonly method: string
  readonly path: string
}

/** The calls in a text, one a line. Empty lines, and those that begin with `#`, say nothing. */
export const callsIn = (text: string): Call[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => {
      const [method = '', path = ''] = line.split(/\s+/)
      return { method, path: path.replace(/^\/api\/v4(?=\/)/, '') }
    })

const isVariable = (segment: string): boolean => segment.startsWith(':')

/** Is a part of a call this fixed one, or of its shape? `archive.:format` takes `archive.tar.gz`. */
const isAlike = (segment: string, other: string): boolean => {
  const [fixed = '', variable] = segment.split(':', 2)
  return variable === undefined ? segment === other : other.length > fixed.length && other.startsWith(fixed)
}

/** Does a served path take this one? A variable part of a call is one of the served path too; a fixed part may be either. */
function takes(served: readonly string[], called: readonly string[]): boolean {
  for (const [index, segment] of served.entries()) {
    if (segment.startsWith('*')) return true
    const other = called[index]
    if (other === undefined) return false
    if (!isVariable(segment) && !isAlike(segment, other)) return false
  }
  return served.length === called.length
}

/** The calls that no endpoint answers. */
export function unserved(calls: readonly Call[], endpoints: readonly ServedEndpoint[], tier: Tier): Call[] {
  const served = endpoints
    .filter(({ dialect, tier: least }) => dialect.prefix === '/api/v4' && tierCovers(tier, least))
    .map(({ method, path }) => ({ method, parts: path.split('/') }))
  // What answers GET answers HEAD.
  const isSame = (asked: string, method: string) => method === asked || (asked === 'HEAD' && method === 'GET')
  return calls.filter(({ method, path }) => !served.some(route => isSame(method, route.method) && takes(route.parts, path.split('/'))))
}

/** By code points, so that the order is the same on every machine. */
const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/** Prints the routes, one a line; or with a file of calls those of them that are not served. */
export async function printRoutes({ against, ...options }: SettingOptions & { readonly against?: string }): Promise<void> {
  // The reader may have enough before the end: `ingot routes | head`.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  const { tier } = configFrom(options)
  const endpoints = await servedEndpoints()
  const lines =
    against === undefined
      ? routesOf(endpoints, tier)
      : unserved(callsIn(await readFile(against, 'utf8')), endpoints, tier).map(({ method, path }) => `${method} ${path}`)
  process.stdout.write(lines.map(line => `${line}\n`).join(''))
}
