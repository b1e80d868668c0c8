/**
 * Where endpoints are served, for `ingot routes`. The built program has the list in place of this module: to load all declarations takes most of a second
 * (build.ts).
 */
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'

/** What says where an endpoint is served. */
export type ServedEndpoint = Pick<Endpoint, 'method' | 'path' | 'tier'> & { readonly dialect: { readonly prefix: string } }

/** Where each endpoint is served. */
export async function servedEndpoints(): Promise<ServedEndpoint[]> {
  const { endpoints } = await import('../endpoints.ts')
  return endpoints.map(({ method, path, tier, dialect: { prefix } }) => ({ method, path, tier, dialect: { prefix } }))
}
