/** What became of the mutants, for people. */
import type { Mutant } from './mutants.ts'
import { type Accepted, accepted } from './survivors.ts'
import type { Outcome } from './trial.ts'

/** A mutant and what became of it. `not run`: no test of the area runs the code. */
export interface Result {
  readonly area: string
  /** From the root of the project. */
  readonly file: string
  readonly text: string
  readonly mutant: Mutant
  readonly outcome: Outcome | 'not run'
}

/** The share of mutants that tests must notice. */
const LEAST = 0.9

/** The number of the line with this offset, from 1, and its text without the blanks around it. */
export function lineOf(text: string, offset: number): { readonly number: number; readonly text: string } {
  const from = text.lastIndexOf('\n', offset - 1) + 1
  const to = text.indexOf('\n', offset)
  return { number: text.slice(0, from).split('\n').length, text: text.slice(from, to < 0 ? undefined : to).trim() }
}

const reasonFor = ({ file, text, mutant }: Result): Accepted | undefined =>
  accepted.find(
    each =>
      each.file === file && each.line === lineOf(text, mutant.start).text && (each.change === undefined || each.change === mutant.change),
  )

type Kind = 'killed' | 'survived' | 'not run' | 'accepted'

function kindOf(result: Result): Kind {
  if (typeof result.outcome === 'object') return 'killed'
  return reasonFor(result) ? 'accepted' : result.outcome
}

/** `src/…:12: && becomes ||: survived`. */
function describe(result: Result): string {
  const { file, text, mutant, outcome } = result
  const kind = kindOf(result)
  const by = typeof outcome === 'object' ? ` by ${outcome.killedBy}` : ''
  return `${file}:${lineOf(text, mutant.start).number}: ${mutant.change}: ${kind}${by}`
}

/** Of those that count, which are all but the accepted ones, the share that was noticed; 1 where none counts. */
function shareOf(results: readonly Result[]): number {
  const counting = results.filter(result => kindOf(result) !== 'accepted')
  return counting.length === 0 ? 1 : counting.filter(result => kindOf(result) === 'killed').length / counting.length
}

/** A row for each area and one for all, and below them what was not noticed, each with its line. */
function table(results: readonly Result[]): string {
  const kinds = ['killed', 'survived', 'not run', 'accepted'] as const
  const row = (name: string, of: readonly Result[]) =>
    [
      name.padEnd(12),
      String(of.length).padStart(8),
      ...kinds.map(kind => String(of.filter(result => kindOf(result) === kind).length).padStart(10)),
      `${Math.floor(100 * shareOf(of))} %`.padStart(8),
    ].join('')
  const head = ['area'.padEnd(12), 'mutants'.padStart(8), ...kinds.map(kind => kind.padStart(10)), 'noticed'.padStart(8)].join('')
  const areas = [...new Set(results.map(({ area }) => area))]
  const left = results
    .filter(result => ['survived', 'not run'].includes(kindOf(result)))
    .sort((a, b) => (a.file === b.file ? a.mutant.start - b.mutant.start : a.file < b.file ? -1 : 1))
    .map(result => `${describe(result)}\n    ${lineOf(result.text, result.mutant.start).text}`)
  return [
    '',
    head,
    ...areas.map(name =>
      row(
        name,
        results.filter(({ area }) => area === name),
      ),
    ),
    row('all', results),
    '',
    ...left,
  ].join('\n')
}

export const report = { line: describe, table, isTooLow: (results: readonly Result[]): boolean => shareOf(results) < LEAST }
