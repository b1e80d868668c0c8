/**
 * The paths that are served, each with the endpoints of its methods (decision 6). A path decides alone: what does not have the method is refused, also
 * where a more general path has it. Fastify's router has one route for each method, which takes every path: a router makes code for each
 * pattern, and two of them, one with a tree for each method, took a quarter of a start.
 */
import findMyWay from 'find-my-way'
import type { Dialect } from '../declaration/dialect.ts'
import type { Endpoint, Method } from '../declaration/endpoint.ts'
import { type Tier, tierCovers } from '../declaration/types.ts'
import { methodNotAllowed, uriTooLong } from '../errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The path that it is for, if there is one. */
    knownPath: KnownPath | undefined
  }
}

/** How addresses are matched with patterns. */
export const routerOptions = {
  ignoreTrailingSlash: true,
  // Contract: repeated slashes are one (decision 18).
  ignoreDuplicateSlashes: true,
  // The path of a file may have 4,096 bytes, each of which may come as three characters.
  maxParamLength: 16 * 1024,
}

/** A path with what is served there. */
export interface KnownPath {
  /** The pattern; `*name` is `*`. */
  readonly url: string
  readonly dialect: Dialect
  readonly methods: ReadonlySet<string>
  readonly endpoints: ReadonlyMap<Method, Endpoint>
}

/** Methods that a known path refuses where it does not have them. */
const COMMON: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** A path that an address leads to, with the values of its variable parts. */
interface Found {
  readonly path: KnownPath
  readonly params: Readonly<Record<string, string | undefined>>
}

/** The address of an endpoint as a pattern. */
export const urlOf = (endpoint: Endpoint): string => `${endpoint.dialect.prefix}${endpoint.path}`.replace(/\*\w+$/, '*')

class Paths {
  readonly #router = findMyWay({ ...routerOptions, onMaxParamLength: () => {} })

  constructor(endpoints: readonly Endpoint[]) {
    for (const [url, here] of Map.groupBy(endpoints, urlOf)) {
      const byMethod = new Map(here.map(endpoint => [endpoint.method, endpoint]))
      if (byMethod.size < here.length) throw new Error(`${url} is declared twice for a method`)
      // HEAD is served where GET is.
      const methods = new Set<string>(here.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))
      const path: KnownPath = { url, dialect: here[0]!.dialect, methods, endpoints: byMethod }
      // The router wants a method; here all paths have the same one.
      this.#router.on('GET', url, () => {}, path)
    }
  }

  /**
   * The path that an address, with its query, leads to whatever the method.
   * @throws Refusal 414 where a variable part is too long
   */
  at(address: string): Found | undefined {
    const found = this.#router.find('GET', address)
    if (!found) return undefined
    // It names the handler of such addresses, which has nothing stored.
    if (!found.store) throw uriTooLong()
    return { path: found.store as KnownPath, params: found.params }
  }
}

const made = new WeakMap<readonly Endpoint[], Map<Tier, Paths>>()

/** The paths of the endpoints that the edition has, made once for each list: an application that is built again in a process has the same ones. */
export function pathsOf(tier: Tier, endpoints: readonly Endpoint[]): Paths {
  const byTier = made.get(endpoints) ?? new Map<Tier, Paths>()
  made.set(endpoints, byTier)
  const paths = byTier.get(tier) ?? new Paths(endpoints.filter(endpoint => tierCovers(tier, endpoint.tier)))
  byTier.set(tier, paths)
  return paths
}

/** @throws Refusal 405 with `Allow` where a known path does not have a common method */
export function assertMethod({ methods }: KnownPath, method: string): void {
  if (COMMON.has(method) && !methods.has(method)) throw methodNotAllowed('405 Method Not Allowed', [...methods])
}
