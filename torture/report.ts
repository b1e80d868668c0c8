/** The table of what was tried. */
import type { Row } from './part.ts'

/** Rows of what several processes have tried, as one. */
export const together = (rows: readonly Row[]): Row[] =>
  [...Map.groupBy(rows, ({ part, tried }) => `${part} ${tried}`).values()].map(same => ({
    ...same[0]!,
    times: same.reduce((sum, { times }) => sum + times, 0),
    failures: same.flatMap(({ failures }) => failures),
  }))

/** One line for each row, and below them each failure with the way to see it again. */
export function tableOf(rows: readonly Row[]): string {
  const head = ['part', 'tried', 'times', 'failures', 'note']
  const cells = rows.map(({ part, tried, times, failures, note = '' }) => [part, tried, String(times), String(failures.length), note])
  const widths = head.map((name, column) => Math.max(name.length, ...cells.map(row => (column === 4 ? 0 : row[column]!.length))))
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === 2 || column === 3 ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!)))
      .join('  ')
      .trimEnd()
  const failed = rows.flatMap(({ part, failures }) => failures.map(({ what, again }) => `${part}: ${what}\n    ${again}`))
  return [line(head), ...cells.map(line), ...(failed.length > 0 ? ['', ...failed] : [])].join('\n')
}
