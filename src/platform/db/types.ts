/**
 * How values of the database become values of JavaScript, on our own connections only: a library that shares the driver keeps its own ways.
 *
 * - bigint: number; a value that a number cannot hold exactly is an error, never a rounded id
 * - numeric: number
 * - timestamptz and timestamp: text as the API shows it, `2021-06-01T12:00:00.000Z`. Cut from the server's text: making a Date of every
 *   timestamp only to format it again costs a third of a list's time (house rules, section 9)
 * - date: text, `2021-06-01`
 * - arrays of these: arrays
 *
 * Everything else as the driver does it. Sessions must run with TimeZone=UTC and DateStyle=ISO (connection.ts).
 */
import pg from 'pg'

type Parse = (text: string) => unknown

function integer(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} does not fit a number`)
  return value
}

/** `2021-06-01 12:00:00[.123456]`, with `+00` when the type has a zone. Microseconds are cut off, as the public API does. */
function instant(text: string, zone: '+00' | ''): string {
  const end = text.length - zone.length
  // A space at 10 and at most six decimals: not `infinity`, not before Christ, not beyond the year 9999.
  if (text.charCodeAt(10) !== 32 || end > 26 || !text.endsWith(zone))
    throw new RangeError(`timestamp ${text} is outside the years 1 to 9999`)
  const milliseconds = end > 20 ? text.slice(20, Math.min(end, 23)).padEnd(3, '0') : '000'
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`
}

/** One-dimensional arrays of types whose text holds neither commas nor escapes. */
const arrayOf =
  (parse: Parse): Parse =>
  text =>
    text === '{}'
      ? []
      : text
          .slice(1, -1)
          .split(',')
          .map(item => (item === 'NULL' ? null : parse(item.startsWith('"') ? item.slice(1, -1) : item)))

const asIs: Parse = text => text
const withZone: Parse = text => instant(text, '+00')
const withoutZone: Parse = text => instant(text, '')

/** By the type's number in pg_type, which never changes. */
const parsers = new Map<number, Parse>([
  [20, integer],
  [1016, arrayOf(integer)],
  [1700, Number],
  [1231, arrayOf(Number)],
  [1184, withZone],
  [1185, arrayOf(withZone)],
  [1114, withoutZone],
  [1115, arrayOf(withoutZone)],
  [1082, asIs],
  [1182, arrayOf(asIs)],
])

/** The `types` option of a connection. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : parsers.get(oid)) ?? pg.types.getTypeParser(oid, format),
}
