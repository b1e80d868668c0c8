/** Control data: paragraphs of fields in text (Debian Policy, chapter 5). Pure. */
import { isStorable } from '../../../../platform/kernel/request/params.ts'

/** The fields of a paragraph with their values, in their order. A value of several lines has the spaces that its lines begin with. */
export type Fields = ReadonlyMap<string, string>

/** Bytes that a control file may have. */
export const MOST_CONTROL = 256 * 1024

/** The text is no control data. */
export class UnfitControl extends Error {
  override name = 'UnfitControl'
}

const FIELD = /^([!-,.-9;-~][!-9;-~]*):(.*)$/

/** A blank line ends a paragraph, also one of spaces: readers differ in that, and nothing may follow for those who go on. */
const isBlank = (line: string) => /^\s*$/.test(line)

/** The only paragraph of a control file. @throws UnfitControl */
export function parseControl(text: string): Fields {
  if (!isStorable(text) || /[^\P{Cc}\n\t\r]/u.test(text)) throw new UnfitControl('it has control characters')
  const lines = text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map(line => line.trimEnd())
  const first = lines.findIndex(line => !isBlank(line))
  const end = first < 0 ? -1 : lines.findIndex((line, at) => at > first && isBlank(line))
  const paragraph = lines.slice(first, end < 0 ? undefined : end)
  if (first < 0 || (end >= 0 && !lines.slice(end).every(isBlank))) throw new UnfitControl('it is not one paragraph')
  return fieldsOf(paragraph)
}

function fieldsOf(lines: readonly string[]): Fields {
  const fields = new Map<string, string>()
  const seen = new Set<string>()
  let last: string | undefined
  for (const line of lines) {
    if (line.startsWith('#')) continue
    if (/^[ \t]/.test(line)) {
      if (last === undefined) throw new UnfitControl('it begins with a space')
      fields.set(last, `${fields.get(last)}\n${line}`)
      continue
    }
    const [, name, value] = FIELD.exec(line) ?? []
    if (name === undefined || value === undefined) throw new UnfitControl('a line is no field')
    if (seen.has(name.toLowerCase())) throw new UnfitControl(`it has ${name} twice`)
    seen.add(name.toLowerCase())
    fields.set(name, value.trim())
    last = name
  }
  return fields
}

/** The value of a field, whatever the case of its name. */
export function fieldOf(fields: Fields, name: string): string | undefined {
  for (const [other, value] of fields) if (other.toLowerCase() === name.toLowerCase()) return value
  return undefined
}

/** The lines of a value of several lines, without those that are empty. */
export const linesOf = (value: string | undefined): string[] =>
  (value ?? '')
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)

/** A paragraph as text. Fields with an empty value are left out. */
export const writeControl = (fields: Iterable<readonly [string, string]>): string =>
  [...fields].map(([name, value]) => (value.startsWith('\n') || value === '' ? `${name}:${value}\n` : `${name}: ${value}\n`)).join('')

/** The text without the signature around it, which is not verified (RFC 4880, section 7). @throws UnfitControl */
export function withoutSignature(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const first = lines.findIndex(line => !isBlank(line))
  if (lines[first]?.trimEnd() !== '-----BEGIN PGP SIGNED MESSAGE-----') return text
  const start = lines.findIndex((line, at) => at > first && isBlank(line))
  const end = lines.findIndex(line => line.trimEnd() === '-----BEGIN PGP SIGNATURE-----')
  if (start < 0 || end < start) throw new UnfitControl('its signature ends early')
  return lines
    .slice(start + 1, end)
    .map(line => line.replace(/^- /, ''))
    .join('\n')
}
