/** Objects of JSON with a member for each of very many rows, in pieces: neither their contents nor the text are in memory as a whole. */
import { breather } from '../../../../platform/kernel/answer/time_slicing.ts'

/** What is written of rows. */
export interface Members<Row> {
  /** Rows whose contents are in memory at a time. */
  readonly batch: number
  nameOf(row: Row): string
  /** Reads some rows, and returns what is written of one; undefined for one that was deleted meanwhile. */
  read(rows: readonly Row[]): Promise<(row: Row) => unknown>
}

/** The object, whose members have the order of the rows. */
export async function* objectOf<Row>(rows: readonly Row[], { batch, nameOf, read }: Members<Row>): AsyncGenerator<string> {
  const pause = breather()
  yield '{'
  let isFirst = true
  for (let from = 0; from < rows.length; from += batch) {
    const some = rows.slice(from, from + batch)
    const contentOf = await read(some)
    for (const row of some) {
      await pause()
      const value = contentOf(row)
      if (value === undefined) continue
      yield `${isFirst ? '' : ','}${JSON.stringify(nameOf(row))}:${JSON.stringify(value)}`
      isFirst = false
    }
  }
  yield '}'
}
