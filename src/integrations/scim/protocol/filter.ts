/** Filters of lists (RFC 7644 section 3.4.2.2), of which one comparison with `eq` is supported (document 1, List rule 2). */
import { type Compare, type Filter, parse } from 'scim2-parse-filter'
import { isStorable } from '../../../platform/kernel/request/params.ts'
import { refused } from './refusals.ts'

/** The attributes that can be filtered by, as SCIM spells them. */
const attributes = ['id', 'externalId', 'userName', 'emails.value'] as const

/** A parsed filter. */
export interface Wanted {
  readonly attribute: (typeof attributes)[number]
  readonly value: string
}

/** Attributes may have their full name (RFC 7644 section 3.10). */
const schemaPrefix = /^urn:ietf:params:scim:schemas:core:2\.0:User:/i

/** Parses a filter. Names and operators are case-insensitive (decision 22). @throws Refusal 400 `invalidFilter` */
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

/** Control characters are escaped inside quotes (RFC 8259 section 7); raw ones send the parser into an endless loop. */
const CONTROL = /\p{Cc}/u

function parsed(text: string): Filter {
  if (CONTROL.test(text)) throw refused('invalidFilter', 'The filter has control characters')
  try {
    return parse(text)
  } catch (error) {
    // The parser throws plain errors, and only for invalid input.
    throw refused('invalidFilter', `The filter cannot be read: ${(error as Error).message}`)
  }
}

/** The parser leaves all escapes but `\"` unchanged. What they stand for is no parameter that was looked at. */
function unescaped(value: string): string {
  let text: string
  try {
    text = JSON.parse(`"${value.replaceAll('"', '\\"')}"`) as string
  } catch {
    throw refused('invalidFilter', 'The filter has a text with an escape that does not exist')
  }
  if (!isStorable(text)) throw refused('invalidFilter', 'The filter has a text with a character that nothing has')
  return text
}
