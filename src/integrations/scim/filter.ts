/** Filters of lists (RFC 7644 section 3.4.2.2), of which one comparison with `eq` is served (document 1, List rule 2). */
import { type Compare, type Filter, parse } from 'scim2-parse-filter'
import { refused } from './refusals.ts'

/** The attributes that users are found by, as SCIM spells them. */
const attributes = ['id', 'externalId', 'userName', 'emails.value'] as const

/** What a list is narrowed to. */
export interface Wanted {
  readonly attribute: (typeof attributes)[number]
  readonly value: string
}

/** Attributes may be named in full (RFC 7644 section 3.10). */
const schemaPrefix = /^urn:ietf:params:scim:schemas:core:2\.0:User:/i

/** Reads a filter. Names and operators count in any case of letters (decision 22). @throws Refusal 400 `invalidFilter` */
export function readFilter(text: string): Wanted {
  const filter = parsed(text)
  const comparison = isComparison(filter) ? filter : undefined
  const name = comparison?.attrPath.replace(schemaPrefix, '').toLowerCase()
  const attribute = attributes.find(known => known.toLowerCase() === name)
  if (!attribute || typeof comparison?.compValue !== 'string')
    throw refused('invalidFilter', `The filter must be one of ${attributes.join(', ')}, then eq, then a text in double quotes`)
  return { attribute, value: unescaped(comparison.compValue) }
}

const isComparison = (filter: Filter): filter is Compare => filter.op === 'eq'

/** Control characters are escaped inside quotes (RFC 8259 section 7); raw ones make the parser try for ever. */
const CONTROL = /\p{Cc}/u

function parsed(text: string): Filter {
  if (CONTROL.test(text)) throw refused('invalidFilter', 'The filter has control characters')
  try {
    return parse(text)
  } catch (error) {
    // The parser throws plain errors, and only for what it cannot read.
    throw refused('invalidFilter', `The filter cannot be read: ${(error as Error).message}`)
  }
}

/** The parser leaves all escapes but `\"` as they were written. */
function unescaped(value: string): string {
  try {
    return JSON.parse(`"${value.replaceAll('"', '\\"')}"`) as string
  } catch {
    throw refused('invalidFilter', 'The filter has a text with an escape that does not exist')
  }
}
