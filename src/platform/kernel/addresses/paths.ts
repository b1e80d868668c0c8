/**
 * The paths that are served, each with its methods (decision 6). Fastify's router knows a path for each of its methods alone; one that has a
 * path without the method is asked here. A route for each refusal would take as long to make as all others together.
 */
import findMyWay from 'find-my-way'
import type { Dialect } from '../declaration/dialect.ts'
import { methodNotAllowed } from '../errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The path that it is for, if there is one. */
    knownPath: KnownPath | undefined
  }
}

/** How addresses are matched with patterns, by Fastify and here. */
export const routerOptions = {
  ignoreTrailingSlash: true,
  // Contract: repeated slashes are one (decision 18).
  ignoreDuplicateSlashes: true,
  // The path of a file may have 4,096 bytes, each of which may come as three characters.
  maxParamLength: 16 * 1024,
}

/** A path with what is served there. */
export interface KnownPath {
  /** The pattern, as Fastify has it. */
  readonly url: string
  readonly dialect: Dialect
  readonly methods: ReadonlySet<string>
}

/** Methods that a known path refuses where it does not have them. */
const COMMON: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])

interface Route {
  readonly url: string
  readonly method: string
  readonly dialect: Dialect
}

export class Paths {
  readonly #router = findMyWay(routerOptions)

  constructor(routes: readonly Route[]) {
    for (const [url, here] of Map.groupBy(routes, route => route.url)) {
      // HEAD is served where GET is.
      const methods = new Set(here.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))
      const path: KnownPath = { url, dialect: here[0]!.dialect, methods }
      // The router wants a method; here all paths have the same one.
      this.#router.on('GET', url, () => {}, path)
    }
  }

  /** The path that an address, with its query, leads to whatever the method. */
  at(address: string): KnownPath | undefined {
    return this.#router.find('GET', address)?.store as KnownPath | undefined
  }
}

/** @throws Refusal 405 with `Allow` where a known path does not have a common method */
export function assertMethod({ methods }: KnownPath, method: string): void {
  if (COMMON.has(method) && !methods.has(method)) throw methodNotAllowed('405 Method Not Allowed', [...methods])
}
