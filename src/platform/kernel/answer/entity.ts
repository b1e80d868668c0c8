/**
 * Entities: how rows become JSON. `load` fetches what a whole page needs in a fixed number of statements, `present`
 * is synchronous and pure, so a presenter cannot make N + 1 queries.
 */
import type { Static, TSchema } from 'typebox'
import type { Context, Facts } from '../context.ts'
import { shownOn } from './tier.ts'

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
  const shown = shownOn(ctx.tier, entity.schema)
  return rows.map(row => shown(entity.present(row, loaded, ctx)) as Static<S>)
}
