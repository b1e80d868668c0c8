/** The patterns of push rules: RE2. Those of messages begin in multiline mode. */
import { RE2JS } from 're2js'
import { compiledPattern, PatternTooCostly } from '../../platform/patterns/patterns.ts'
import type { PatternSearch } from '../../platform/patterns/search.ts'

/** Is the text a pattern that can be used? */
export const isRulePattern = (source: string): boolean => compiledPattern(source) !== undefined

/** Is the pattern found in the text? Of no pattern undefined. @throws PatternTooCostly */
export async function isFound(
  search: PatternSearch,
  source: string | null,
  text: string,
  isMultiline = false,
): Promise<boolean | undefined> {
  if (source === null || source === '') return undefined
  const pattern = compiledPattern(source, isMultiline ? RE2JS.MULTILINE : 0)
  // One that was kept before patterns were bounded.
  if (!pattern) throw new PatternTooCostly('The pattern is too large: a Maintainer can set a smaller one')
  return search.isFound(pattern, text)
}
