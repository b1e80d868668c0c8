/** The declarations of the API that forms and buttons stand for. */
import type { Endpoint } from '../../kernel/declaration/endpoint.ts'

/** The declaration of a method whose path ends so; a mistake of the program where there is none. */
export function declarationOf(endpoints: readonly Endpoint[], method: Endpoint['method'], ending: RegExp): Endpoint {
  const found = endpoints.find(endpoint => endpoint.method === method && ending.test(endpoint.path))
  if (!found) throw new Error(`no declaration for ${method} …${ending.source}`)
  return found
}
