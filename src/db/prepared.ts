/**
 * Prepared statements: a statement that comes again and again is given a name, under which each connection parses
 * and plans it once. Planning a list took as long as running it.
 *
 * Only a few statements are named, since the server keeps their plans for every connection.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'

/** A statement is named when it has come this often. */
const OFTEN = 30

/** Statements that are named at most, and those whose coming is counted at most. */
const limits = { named: 60, counted: 2_000 }

/** Shorter statements (`begin`, `commit`) are planned faster than they are looked up. */
const SHORT = 40

/**
 * Stands in a statement whose best plan depends on its values (a project of ten issues, one of a hundred thousand): it is
 * planned for them each time. `query.modifyFront(plannedAnew)`.
 */
const MARK = '/* planned anew */'
export const plannedAnew = sql.raw(MARK)

export class StatementNames {
  readonly #names = new Map<string, string>()
  readonly #counts = new Map<string, number>()

  /** The name to run this statement under; undefined for one that is not worth it (yet). */
  nameOf(statement: string): string | undefined {
    const name = this.#names.get(statement)
    if (name !== undefined || statement.length < SHORT || statement.includes(MARK) || this.#names.size >= limits.named) return name
    const count = (this.#counts.get(statement) ?? 0) + 1
    if (count >= OFTEN) {
      this.#counts.delete(statement)
      this.#names.set(statement, `ingot_${createHash('sha1').update(statement).digest('hex')}`)
      return this.#names.get(statement)
    }
    // Rare statements must not fill the memory: the counting begins anew.
    if (this.#counts.size >= limits.counted) this.#counts.clear()
    this.#counts.set(statement, count)
    return undefined
  }
}
