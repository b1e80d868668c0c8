/**
 * Patterns of paths in a CODEOWNERS file. They are compared part by part, without regular expressions: a pattern comes from the repository,
 * and no regular expression that is made of `*a*a*a` has a bound on its time. A comparison takes at most the length of the pattern times that of the path.
 */

/** Characters in brackets. */
interface Range {
  readonly isNegated: boolean
  readonly singles: ReadonlySet<string>
  readonly spans: readonly (readonly [from: string, to: string])[]
}

const ANY_RUN = Symbol('*')
const ANY_ONE = Symbol('?')
/** Any number of directories. */
const DIRECTORIES = Symbol('**')

type Token = string | typeof ANY_RUN | typeof ANY_ONE | Range
/** One name of a path: as it is, or with placeholders. */
type Name = string | readonly Token[]
type Part = typeof DIRECTORIES | Name

/** A pattern, ready to be compared. */
export type Pattern = readonly Part[]

/** What comparisons have taken, in compared characters and parts. */
export interface Work {
  steps: number
}

/**
 * `/docs/` is everything below the directory of the root, `docs/` below every directory of that name, `*.md` a file anywhere, `/docs/*` a file of the
 * directory itself, and `/docs/**` everything below it. A backslash takes the meaning from the character after it.
 */
export function patternOf(text: string): Pattern {
  const parts: Part[] = text.startsWith('/') ? [] : [DIRECTORIES]
  for (const part of text.split('/')) {
    if (part === '' || (part === '**' && parts.at(-1) === DIRECTORIES)) continue
    parts.push(part === '**' ? DIRECTORIES : partOf(part))
  }
  if (text.endsWith('/') && parts.at(-1) !== DIRECTORIES) parts.push(DIRECTORIES)
  // What ends in directories means the files below them.
  if (parts.at(-1) === DIRECTORIES) parts.push([ANY_RUN])
  return parts
}

function partOf(text: string): Name {
  const tokens: Token[] = []
  const characters = Array.from(text)
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!
    const range = character === '[' ? rangeAt(characters, at) : undefined
    if (range) {
      tokens.push(range.range)
      at = range.end
    } else if (character === '\\' && at + 1 < characters.length) tokens.push(characters[++at]!)
    else if (character === '?') tokens.push(ANY_ONE)
    else if (character !== '*') tokens.push(character)
    else if (tokens.at(-1) !== ANY_RUN) tokens.push(ANY_RUN)
  }
  return tokens.every(token => typeof token === 'string') ? tokens.join('') : tokens
}

/** The characters in brackets from `start` on; undefined where the bracket is not closed, and is itself. */
function rangeAt(characters: readonly string[], start: number): { readonly range: Range; readonly end: number } | undefined {
  const isNegated = characters[start + 1] === '!' || characters[start + 1] === '^'
  const first = start + (isNegated ? 2 : 1)
  const end = characters.indexOf(']', first + 1)
  if (end < 0) return undefined
  const singles = new Set<string>()
  const spans: [string, string][] = []
  for (let at = first; at < end; at++)
    if (characters[at + 1] === '-' && at + 2 < end) {
      spans.push([characters[at]!, characters[at + 2]!])
      at += 2
    } else singles.add(characters[at]!)
  return { range: { isNegated, singles, spans }, end }
}

/** A path as patterns compare it. */
export const partsOf = (path: string): string[] => path.split('/')

/** Is the path one that the pattern means? */
export function fitsPattern(pattern: Pattern, path: readonly string[], work: Work): boolean {
  return fitsList(
    pattern.length,
    path.length,
    index => pattern[index] === DIRECTORIES,
    (index, at) => fitsPart(pattern[index] as Name, path[at]!, work),
    work,
  )
}

function fitsPart(part: Name, name: string, work: Work): boolean {
  if (typeof part === 'string') return part === name
  const characters = Array.from(name)
  return fitsList(
    part.length,
    characters.length,
    index => part[index] === ANY_RUN,
    (index, at) => fitsOne(part[index]!, characters[at]!),
    work,
  )
}

function fitsOne(token: Token, character: string): boolean {
  if (typeof token === 'string') return token === character
  if (typeof token === 'symbol') return true
  const { isNegated, singles, spans } = token
  return (singles.has(character) || spans.some(([from, to]) => from <= character && character <= to)) !== isNegated
}

/**
 * Compares a list with one of which some elements stand for any number of elements. Only the last of these is ever taken back: what came before it has
 * been found at the earliest place, and no later one serves better.
 */
function fitsList(
  length: number,
  count: number,
  isAny: (index: number) => boolean,
  fits: (index: number, at: number) => boolean,
  work: Work,
): boolean {
  let index = 0
  let at = 0
  let lastAny = -1
  let from = 0
  while (at < count) {
    work.steps++
    if (index < length && isAny(index)) {
      lastAny = index++
      from = at
    } else if (index < length && fits(index, at)) {
      index++
      at++
    } else if (lastAny >= 0) {
      index = lastAny + 1
      at = ++from
    } else return false
  }
  while (index < length && isAny(index)) index++
  return index === length
}
