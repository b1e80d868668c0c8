/**
 * Turns for the nodes of an answer: graphql-js completes whole lists without a pause, and other requests would wait for that. After so many
 * fields the next nodes wait for a turn of the event loop. Turns go by number and not by time, so that the same query asks for the same batches.
 */
import { setImmediate } from 'node:timers/promises'
import { GraphQLError } from 'graphql'

/** Fields that are completed within one turn. */
const FIELDS_A_TURN = 1_500

/** Rows that one request may read. */
export const MOST_ROWS = 10_000

export class Pacer {
  #fields = 0
  #rows = 0
  readonly #turns: Promise<void>[] = [Promise.resolve()]

  /**
   * Counts rows that were read.
   * @throws GraphQLError when the request reads more than it may
   */
  countRows(rows: number): void {
    this.#rows += rows
    if (this.#rows > MOST_ROWS)
      throw new GraphQLError(`The query reads more than ${MOST_ROWS} rows: ask for fewer nodes with \`first\``, {
        extensions: { code: 'TOO_MANY_ROWS' },
      })
  }

  /** When the next node with so many fields may be completed; undefined: now. */
  next(fields: number): Promise<void> | undefined {
    const turn = Math.floor(this.#fields / FIELDS_A_TURN)
    this.#fields += Math.max(1, fields)
    if (turn === 0) return undefined
    while (this.#turns.length <= turn) this.#turns.push((this.#turns.at(-1) as Promise<void>).then(() => setImmediate()))
    return this.#turns[turn]
  }
}
