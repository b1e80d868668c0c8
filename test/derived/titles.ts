/** What the rows of the table of access are about: each endpoint, and each of its parameters that takes an ability of its own. */
import type { Endpoint } from '../../src/platform/kernel/declaration/endpoint.ts'
import { requirementOf } from '../../src/platform/kernel/declaration/types.ts'

/** `GET /api/v4/projects/:id` */
export const titleOf = ({ method, dialect, path }: Endpoint): string => `${method} ${dialect.prefix}${path}`

/** The parameters of these endpoints that are refused to callers without an ability of their own. */
export const attributesOf = (endpoints: readonly Endpoint[]): { endpoint: Endpoint; name: string; title: string }[] =>
  endpoints.flatMap(endpoint =>
    Object.entries(endpoint.params)
      .filter(([, schema]) => requirementOf(schema)?.otherwise === 'refused')
      .map(([name]) => ({ endpoint, name, title: `${titleOf(endpoint)} {${name}}` })),
  )

/** The rows of a table as it is committed: their cells by title. */
export const rowsOf = (table: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    table
      .trimEnd()
      .split('\n')
      .slice(3)
      .map(line => line.split(/ {2,}/))
      .map(([title = '', ...cells]) => [title, cells]),
  )
