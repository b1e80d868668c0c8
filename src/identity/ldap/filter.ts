/** Filters of directories (RFC 4515) that people write. */
import { FilterParser } from 'ldapts'

/** Settings of a directory that cannot be. The message says which, and why. */
export class LdapOptionsInvalid extends Error {}

/** Longest filter, and how deep its parts may be in each other: the parser goes down with each. */
export const MAX_FILTER = 1000
const MAX_DEPTH = 20

/** @throws LdapOptionsInvalid whose message says why it is none */
export function assertFilter(text: string): void {
  try {
    if (depthOf(text) > MAX_DEPTH) throw new Error('its parts are too deep in each other')
    FilterParser.parseString(text)
  } catch (error) {
    throw new LdapOptionsInvalid(`user_filter is no filter: ${(error as Error).message}`)
  }
}

function depthOf(text: string): number {
  let [depth, deepest] = [0, 0]
  for (const character of text) {
    if (character === '(') deepest = Math.max(deepest, ++depth)
    else if (character === ')') depth--
  }
  return deepest
}
