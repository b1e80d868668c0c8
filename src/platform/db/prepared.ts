/**
 * Prepared statements: a statement that comes again and again is given a name, under which each connection parses
 * and plans it once. Planning a list took as long as running it.
 *
 * Only so many statements are named, since the server keeps their plans for every connection; one that comes often takes the
 * place of the one that has not come for the longest time.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'

/** A statement is named when it has come this often. */
const OFTEN = 5

/** Statements that are named at most, and those whose coming is counted at most. */
const limits = { named: 200, counted: 2_000 }

/** Shorter statements (`begin`, `commit`) are planned faster than they are looked up. */
const SHORT = 40

/**
 * Stands in a statement whose best plan depends on its values (a project of ten issues, one of a hundred thousand): it is
 * planned for them each time. `query.modifyFront(customPlan)`.
 */
const MARK = '/* custom plan */'
export const customPlan = sql.raw(MARK)

/** Stands in a statement with a limit that is planned the same whatever its values are: `planningOf` could not know. */
const ONCE = '/* generic plan */'
export const genericPlan = sql.raw(ONCE)

/**
 * How the server plans a prepared statement (its setting `plan_cache_mode`): for each set of values anew as long as it expects to gain
 * by that, or once.
 */
export type Planning = 'auto' | 'force_generic_plan'

/**
 * How to plan a statement that has a name. What has no limit reads the rows that its values name, by the same index whatever they are;
 * the server would plan it for every set of values all the same, since it takes an array that it does not know for one of ten elements,
 * and that takes many times as long as running it. What has a limit walks along an order for as long as it must: that depends on the
 * values.
 */
export const planningOf = (statement: string): Planning =>
  /\blimit\b/i.test(statement) && !statement.includes(ONCE) ? 'auto' : 'force_generic_plan'

export class StatementNames {
  /** In the order in which they came last. */
  readonly #names = new Map<string, string>()
  readonly #inUse = new Set<string>()
  readonly #counts = new Map<string, number>()
  #lost = 0

  /** How many statements have lost their names so far: where it has grown, a connection may have some that are of no use. */
  get lost(): number {
    return this.#lost
  }

  /** Does a statement have this name? */
  isInUse(name: string): boolean {
    return this.#inUse.has(name)
  }

  /** The name to run this statement under; undefined for one that is not worth it (yet). */
  nameOf(statement: string): string | undefined {
    const name = this.#names.get(statement)
    if (name !== undefined) {
      this.#names.delete(statement)
      this.#names.set(statement, name)
      return name
    }
    if (statement.length < SHORT || statement.includes(MARK)) return undefined
    const count = (this.#counts.get(statement) ?? 0) + 1
    if (count >= OFTEN) return this.#nameAnew(statement)
    // Rare statements must not fill the memory: the counting begins anew.
    if (this.#counts.size >= limits.counted) this.#counts.clear()
    this.#counts.set(statement, count)
    return undefined
  }

  #nameAnew(statement: string): string {
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
