/**
 * Statements that are built once. Building a query and turning it into text takes this process longer than sending it and
 * reading the answer, so what every request asks is kept as text, and only its values change.
 */
import { type CompiledQuery, type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'
import type { Db } from '../connection.ts'

/** Something that becomes a statement: a query, or one written by hand. */
interface Compilable<Row> {
  compile(db: QueryExecutorProvider): CompiledQuery<Row>
}

/** Stands for the value of an argument. */
class Placeholder {
  readonly index: number
  constructor(index: number) {
    this.index = index
  }
}

/** The rows of a statement for these arguments. */
type Run<Args extends readonly unknown[], Row> = (db: Db, ...args: Args) => Promise<Row[]>

/**
 * A statement whose text is made when it is first asked for.
 * @param build makes the query. Its arguments are stand-ins that may be put into the query as values and nothing else: what
 *   decides about the form of the statement belongs to the shape of `compiledPer`.
 */
export function compiled<Args extends readonly unknown[], Row>(build: (db: Db, ...args: Args) => Compilable<Row>): Run<Args, Row> {
  let known: CompiledQuery<Row> | undefined
  return async (db, ...args) => {
    known ??= compile(db, build, args.length)
    const parameters = known.parameters.map(value => (value instanceof Placeholder ? args[value.index] : value))
    return (await db.executeQuery<Row>({ ...known, parameters })).rows
  }
}

/** A statement for each shape, of which there are few: `compiled` whose text also follows from words that say how it is formed. */
export function compiledPer<Shape extends string, Args extends readonly unknown[], Row>(
  build: (shape: Shape) => (db: Db, ...args: Args) => Compilable<Row>,
): (db: Db, shape: Shape, ...args: Args) => Promise<Row[]> {
  const known = new Map<Shape, Run<Args, Row>>()
  return (db, shape, ...args) => {
    const run = known.get(shape) ?? compiled(build(shape))
    known.set(shape, run)
    return run(db, ...args)
  }
}

function compile<Args extends readonly unknown[], Row>(
  db: Db,
  build: (db: Db, ...args: Args) => Compilable<Row>,
  count: number,
): CompiledQuery<Row> {
  const holes: RawBuilder<unknown>[] = Array.from({ length: count }, (_, index) => sql`${new Placeholder(index)}`)
  return build(db, ...(holes as unknown as Args)).compile(db)
}
