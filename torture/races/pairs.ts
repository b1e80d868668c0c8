/** Which writes are raced against each other, by their declarations and the addresses of their valid requests. */
import type { Endpoint } from '../../src/platform/kernel/declaration/endpoint.ts'

/** Why two writes are raced: one removes what the other changes, both change one thing, or it is one write sent twice. */
export type Kind = 'a deletion and a write below it' | 'two writes to one thing' | 'a write sent twice'

export interface Pair {
  readonly kind: Kind
  readonly first: Endpoint
  readonly second: Endpoint
}

/** The part of a path that names one thing: it ends with its last variable part. */
const rowOf = (path: string): string => /^.*[:*]\w+/.exec(path)?.[0] ?? ''

/** Writes of a thing that has more are raced with those that change the thing itself; each with each would be tens of thousands. */
const FEW = 24

/**
 * @param writes endpoints that change something
 * @param addressOf the path of the valid request, without its query
 */
export function pairsOf(writes: readonly Endpoint[], addressOf: (endpoint: Endpoint) => string): readonly Pair[] {
  const placed = writes.map(endpoint => {
    const address = addressOf(endpoint)
    const depth = rowOf(`${endpoint.dialect.prefix}${endpoint.path}`).split('/').length
    return { endpoint, address, row: address.split('/').slice(0, depth).join('/') }
  })
  const pairs: Pair[] = placed.map(({ endpoint }) => ({ kind: 'a write sent twice', first: endpoint, second: endpoint }))
  const taken = new Set<string>()
  const add = (kind: Kind, first: Endpoint, second: Endpoint): void => {
    const key = [first, second]
      .map(({ method, dialect, path }) => `${method} ${dialect.prefix}${path}`)
      .sort()
      .join(' ')
    if (first === second || taken.has(key)) return
    taken.add(key)
    pairs.push({ kind, first, second })
  }
  for (const { endpoint, address, row } of placed) {
    if (endpoint.method !== 'DELETE' || address !== row) continue
    for (const other of placed)
      if (other.address === address || other.address.startsWith(`${address}/`))
        add('a deletion and a write below it', endpoint, other.endpoint)
  }
  for (const [row, group] of Map.groupBy(placed, ({ row }) => row)) {
    if (row === '') continue
    const own = group.length <= FEW ? group : group.filter(({ address }) => address === row)
    for (const { endpoint } of own) for (const other of group) add('two writes to one thing', endpoint, other.endpoint)
  }
  return pairs
}
