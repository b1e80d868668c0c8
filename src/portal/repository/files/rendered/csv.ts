/** Tables in text files, with commas or tabs between their values. Pure. */

/** Rows and columns that are shown, and characters of a value and of all values. */
const MOST_ROWS = 500
const MOST_COLUMNS = 100
const LONGEST_VALUE = 2_000
const MOST_CHARACTERS = 500_000

/** The beginning of a table. */
export interface CsvTable {
  /** The first row is the head. */
  readonly rows: readonly (readonly string[])[]
  /** There are more rows, columns or characters than these. */
  readonly isCut: boolean
}

/** The character between the values of a file by its name; undefined for one that is no table. */
export const separatorOf = (path: string): ',' | '\t' | undefined => (/\.csv$/i.test(path) ? ',' : /\.tsv$/i.test(path) ? '\t' : undefined)

/** Reads a table (RFC 4180); files of some languages have semicolons for commas. Undefined for a text that is none. */
export function csvTable(text: string, separator: ',' | '\t'): CsvTable | undefined {
  const [head = ''] = text.split(/\r\n|\r|\n/, 1)
  const between = separator === ',' && !head.includes(',') && head.includes(';') ? ';' : separator
  const rows: string[][] = []
  let row: string[] = []
  let isCut = false
  let characters = 0
  const push = (value: string) => {
    if (row.length < MOST_COLUMNS && value.length <= LONGEST_VALUE) row.push(value)
    else {
      isCut = true
      if (row.length < MOST_COLUMNS) row.push(`${value.slice(0, LONGEST_VALUE)}…`)
    }
    characters += Math.min(value.length, LONGEST_VALUE)
  }
  let at = text.startsWith('\uFEFF') ? 1 : 0
  while (at < text.length) {
    if (rows.length === MOST_ROWS || characters > MOST_CHARACTERS) {
      isCut = true
      break
    }
    let value = ''
    if (text[at] === '"') {
      const end = closingQuote(text, at + 1)
      if (end === undefined) return undefined
      // Of a value that is cut, one character more than is shown.
      value = text.slice(at + 1, Math.min(end, at + 2 + 2 * LONGEST_VALUE)).replaceAll('""', '"')
      at = end + 1
    }
    const start = at
    while (at < text.length && text[at] !== between && text[at] !== '\n' && text[at] !== '\r') at++
    push(value + text.slice(start, Math.min(at, start + LONGEST_VALUE + 1)))
    if (text[at] === between) {
      at++
      if (at < text.length) continue
      push('')
    }
    rows.push(row)
    row = []
    at += text.startsWith('\r\n', at) ? 2 : 1
  }
  return rows.length > 0 ? { rows, isCut } : undefined
}

/** Where a quoted value ends; two quotes are one of its characters. Undefined if it does not. */
function closingQuote(text: string, from: number): number | undefined {
  for (let at = from; ; at += 2) {
    at = text.indexOf('"', at)
    if (at < 0) return undefined
    if (text[at + 1] !== '"') return at
  }
}
