/** Reads reports of code quality: findings in the format of Code Climate (`artifacts:reports:codequality` at 14.0). */
import { elementsOf, UnfitJson } from './json_elements.ts'

/** From the least to the most severe. */
export const severities = ['info', 'minor', 'major', 'critical', 'blocker'] as const
export type Severity = (typeof severities)[number]

/** A finding, at a line of a file. */
export interface Finding {
  /** The same in another report for the same finding. */
  readonly fingerprint: string
  readonly path: string
  readonly line: number
  readonly severity: Severity
  readonly check_name: string | null
  readonly description: string
}

/** What a report says. `error`: why it, or a part of it, could not be read. */
export interface CodeQuality {
  readonly findings: readonly Finding[]
  readonly error: string | null
}

/** Findings of a report that are kept. */
const MOST_FINDINGS = 20_000

/** Characters that are kept of a description and of a name. Paths are keys of an index, whose rows have a limit. */
const LONGEST = 2_000
const LONGEST_NAME = 255
export const LONGEST_PATH = 600

/** Reads a report. Entries without place, fingerprint or description are left out, and counted in `error`. */
export async function readCodeQuality(pieces: AsyncIterable<Buffer>): Promise<CodeQuality> {
  const findings: Finding[] = []
  let unfit = 0
  try {
    for await (const element of elementsOf(pieces)) {
      if (findings.length === MOST_FINDINGS) return { findings, error: `The report has more than ${MOST_FINDINGS} findings` }
      const finding = findingOf(element)
      if (finding) findings.push(finding)
      else unfit++
    }
  } catch (error) {
    if (!(error instanceof UnfitJson)) throw error
    return { findings: [], error: `The report could not be read: ${error.message}` }
  }
  return { findings, error: unfit === 0 ? null : `${unfit} entries of the report have no place, fingerprint or description` }
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

/** PostgreSQL keeps no NUL. */
const textIn = (value: unknown, most: number): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, most).replaceAll('\0', '').toWellFormed() : undefined

function findingOf(element: unknown): Finding | undefined {
  const { description, fingerprint, severity, check_name, location } = fieldsOf(element)
  const { path, lines, positions } = fieldsOf(location)
  const { begin = fieldsOf(fieldsOf(positions).begin).line } = fieldsOf(lines)
  // Some tools write the line as an object, like a position.
  const line = typeof begin === 'object' ? fieldsOf(begin).line : begin
  const found = {
    fingerprint: textIn(fingerprint, LONGEST_NAME),
    path: textIn(path, LONGEST_PATH + 1)?.replace(/^(\.?\/)+/, ''),
    description: textIn(description, LONGEST),
  }
  if (!found.fingerprint || !found.path || found.path.length > LONGEST_PATH || !found.description) return undefined
  if (typeof line !== 'number' || !Number.isInteger(line) || line < 1 || line > 1e9) return undefined
  return {
    fingerprint: found.fingerprint,
    path: found.path,
    line,
    severity: severities.find(known => known === severity) ?? 'info',
    check_name: textIn(check_name, LONGEST_NAME) ?? null,
    description: found.description,
  }
}
