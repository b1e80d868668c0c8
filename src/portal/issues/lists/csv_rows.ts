/** The rows of a CSV file with new issues, and what is wrong with them. Pure. */
import { CsvError } from 'csv-parse'
import { parse } from 'csv-parse/sync'

/** Issues that one file makes at most. */
export const MOST_ISSUES = 1_000

export interface ImportedIssue {
  /** The line of the file that it begins on, from 1. */
  readonly line: number
  readonly title: string
  readonly description: string
  readonly due_date: string | undefined
  readonly milestone: string | undefined
}

/** What a file has: its issues, or one sentence for each line that is wrong. */
export type ImportedFile = { readonly issues: readonly ImportedIssue[] } | { readonly wrong: readonly string[] }

const TITLE_LENGTH = 255
const DESCRIPTION_LENGTH = 1_048_576

/** The separator of a file by its first line: the platform takes commas, semicolons and tabs. */
const separatorOf = (text: string): string => {
  const [head = ''] = text.split(/\r\n|\r|\n/, 1)
  return [',', ';', '\t'].find(sign => head.includes(sign)) ?? ','
}

/** A day as calendars have it. */
const isDay = (text: string): boolean => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** The name of a column as this reads it: `Due Date` is `due_date`. */
const columnOf = (head: string): string => head.trim().toLowerCase().replaceAll(' ', '_')

/** A value without the apostrophe that exports put before what a spreadsheet would calculate. */
const plain = (value: string): string => value.replace(/^'(?=[=+\-@\t\r])/, '')

/** Reads a file. Columns other than title, description, due date and milestone are ignored, so that an export can be imported. */
export function issuesOfCsv(text: string): ImportedFile {
  let rows: readonly { readonly record: readonly string[]; readonly info: { readonly lines: number } }[]
  try {
    rows = parse(text, { bom: true, delimiter: separatorOf(text), info: true, relax_column_count: true, skip_empty_lines: true }) as never
  } catch (error) {
    if (error instanceof CsvError) return { wrong: [`line ${error.lines ?? '?'}: cannot be read as CSV`] }
    throw error
  }
  const [head, ...others] = rows
  const names = head?.record.map(columnOf) ?? []
  if (!names.includes('title')) return { wrong: ['line 1: must name the columns, with a column `title`'] }
  if (others.length === 0) return { wrong: ['has no issues below its first line'] }
  if (others.length > MOST_ISSUES) return { wrong: [`has ${others.length} issues, and may have ${MOST_ISSUES}`] }
  // `lines` is the line that a record ends on.
  const issues = others.map(({ record }, index): ImportedIssue => {
    const value = (name: string) => plain(record[names.indexOf(name)] ?? '')
    return {
      line: (rows[index]?.info.lines ?? index + 1) + 1,
      title: value('title').trim(),
      description: value('description'),
      due_date: value('due_date').trim() || undefined,
      milestone: value('milestone').trim() || undefined,
    }
  })
  const wrong = issues.flatMap(({ line, title, description, due_date }) => [
    ...(title === '' ? [`line ${line}: title can't be blank`] : []),
    ...(title.length > TITLE_LENGTH ? [`line ${line}: title is longer than ${TITLE_LENGTH} characters`] : []),
    ...(description.length > DESCRIPTION_LENGTH ? [`line ${line}: description is too long`] : []),
    ...(due_date !== undefined && !isDay(due_date) ? [`line ${line}: due date is no day such as 2021-06-30`] : []),
  ])
  return wrong.length > 0 ? { wrong } : { issues }
}
