/**
 * Prepared statements: a frequent statement gets a name, under which each connection parses and plans it once. Planning a list query took
 * as long as running it.
 *
 * The number of named statements is limited, since the server keeps their plans for every connection; a new one replaces the least recently
 * used.
 */
import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'

/** A statement gets a name after this many executions. */
const OFTEN = 5

/** Limits of named statements and of statements whose executions are counted. */
const limits = { named: 200, counted: 2_000 }

/** Shorter statements (`begin`, `commit`) are planned faster than they are looked up. */
const SHORT = 40

/**
 * Marks a statement whose best plan depends on its values (a project of ten issues or of a hundred thousand): it is planned for each
 * execution. `query.modifyFront(customPlan)`.
 */
const MARK = '/* custom plan */'
export const customPlan = sql.raw(MARK)

/** Marks a statement with a limit whose best plan does not depend on its values, which `planningOf` cannot know. */
const ONCE = '/* generic plan */'
export const genericPlan = sql.raw(ONCE)

/**
 * A subquery that depends on the row around it, run for each such row. The planner would make a join of it, for which it may read all rows of the
 * subquery's tables although the statement finds a few rows. `column in (${forEachRow(subquery)})`
 */
export const forEachRow = <Row>(subquery: RawBuilder<Row>): RawBuilder<Row> => sql`${subquery} offset 0`

/**
 * How the server plans a prepared statement (its setting `plan_cache_mode`): `auto` plans for each set of values as long as it expects to
 * gain by that, `force_generic_plan` plans once.
 */
export type Planning = 'auto' | 'force_generic_plan'

/**
 * How to plan a named statement. A statement without a limit reads the rows that its values name, by the same index whatever they are. In
 * `auto` mode the server would still plan it for every set of values, because it estimates an unknown array at ten elements, and planning
 * takes many times as long as running it. A statement with a limit walks along an index until it has enough rows, and how far depends on
 * the values.
 */
export const planningOf = (statement: string): Planning =>
  /\blimit\b/i.test(statement) && !statement.includes(ONCE) ? 'auto' : 'force_generic_plan'

export class StatementNames {
  /** Least recently used first. */
  readonly #names = new Map<string, string>()
  readonly #inUse = new Set<string>()
  readonly #counts = new Map<string, number>()
  #lost = 0

  /** The number of names evicted so far. If it has grown, a connection may have prepared statements that are of no use. */
  get lost(): number {
    return this.#lost
  }

  /** Does a statement have this name? */
  isInUse(name: string): boolean {
    return this.#inUse.has(name)
  }

  /** The name to run this statement under; undefined if it is not frequent enough (yet). */
  nameOf(statement: string): string | undefined {
    const name = this.#names.get(statement)
    if (name !== undefined) {
      this.#names.delete(statement)
      this.#names.set(statement, name)
      return name
    }
    if (statement.length < SHORT || statement.includes(MARK)) return undefined
    const count = (this.#counts.get(statement) ?? 0) + 1
    if (count >= OFTEN) return this.#assignName(statement)
    // Restarts the counting so that rare statements do not fill the memory.
    if (this.#counts.size >= limits.counted) this.#counts.clear()
    this.#counts.set(statement, count)
    return undefined
  }

  #assignName(statement: string): string {
    this.#counts.delete(statement)
    const [oldest] = this.#names
    if (oldest && this.#names.size >= limits.named) {
      this.#names.delete(oldest[0])
      this.#inUse.delete(oldest[1])
      this.#lost++
    }
    const name = `ingot_${createHash('sha1').update(statement).digest('hex')}`
    this.#names.set(statement, name)
    this.#inUse.add(name)
    return name
  }
}
