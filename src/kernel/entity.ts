/**
 * Entities: how rows become JSON. `load` fetches what a whole page needs in a fixed number of statements, `present`
 * is synchronous and pure, so a presenter cannot make N + 1 queries.
 */
import type { Static, TSchema } from 'typebox'
import type { Context, Facts } from './context.ts'
import { type Tier, tierCovers, tierOf } from './types.ts'

/** The JSON of one kind of thing. */
export interface Entity<Row, Loaded = unknown, S extends TSchema = TSchema> {
  /** Its name in the API description. */
  readonly name: string
  readonly schema: S
  /** Runs once for a whole page of rows. */
  readonly load?: (ctx: Context, rows: readonly Row[]) => Promise<Loaded>
  /** One row as JSON; `facts` are the request's, for URLs and what depends on the reader. */
  readonly present: (row: Row, loaded: Loaded, facts: Facts) => Static<S>
}

/** Declares an entity; infers the types of its parts from each other. */
export const entity = <Row, Loaded, S extends TSchema>(declared: Entity<Row, Loaded, S>): Entity<Row, Loaded, S> => declared

/** Several sizes of one thing: the request decides which one is answered (document 3: simple and full projects). */
export interface Choice<Row> {
  // biome-ignore lint/suspicious/noExplicitAny: what `load` hands to `present` is each entity's own affair
  readonly sizes: readonly Entity<Row, any, any>[]
  // biome-ignore lint/suspicious/noExplicitAny: as above
  pick(facts: Facts, params: Readonly<Record<string, unknown>>): Entity<Row, any, any>
}

/** Declares a choice between the sizes of a thing. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export const choice = <Row>(sizes: readonly Entity<Row, any, any>[], pick: Choice<Row>['pick']): Choice<Row> => ({ sizes, pick })

/** An entity whose rows are its JSON already. */
export const plain = <S extends TSchema>(name: string, schema: S): Entity<Static<S>, undefined, S> => ({
  name,
  schema,
  present: row => row,
})

/** The JSON of a page of rows, without the fields that the instance's tier does not have. */
export async function presentAll<Row, Loaded, S extends TSchema>(
  entity: Entity<Row, Loaded, S>,
  ctx: Context,
  rows: readonly Row[],
): Promise<Static<S>[]> {
  const loaded = (entity.load && rows.length > 0 ? await entity.load(ctx, rows) : undefined) as Loaded
  const hidden = fieldsAbove(entity.schema, ctx.tier)
  const result: Static<S>[] = []
  for (const row of rows) {
    const json = entity.present(row, loaded, ctx)
    for (const field of hidden) delete (json as Record<string, unknown>)[field]
    result.push(json)
  }
  return result
}

const above = new WeakMap<TSchema, Map<Tier, readonly string[]>>()

/** The fields of a schema that tier `tier` does not carry (document 1 "Notation"). */
export function fieldsAbove(schema: TSchema, tier: Tier): readonly string[] {
  const byTier = above.get(schema) ?? new Map<Tier, readonly string[]>()
  above.set(schema, byTier)
  const known = byTier.get(tier)
  if (known) return known
  const properties = (schema as { properties?: Record<string, TSchema> }).properties ?? {}
  const fields = Object.entries(properties).flatMap(([name, property]) => (tierCovers(tier, tierOf(property)) ? [] : [name]))
  byTier.set(tier, fields)
  return fields
}

/** Instants come from the database formatted (db/connection.ts); this names what they are. */
export type Instant = string
