/**
 * Patterns of paths, as `changes`, `exists` and `include` take them: `*` and `?` within a name, `[a-z]`, `{a,b}`, and `**` followed by a
 * slash for any number of directories. Matching takes at most time proportional to pattern times path, whatever stars there are.
 */
import { limits } from '../limits.ts'

type Item = { readonly is: 'text'; readonly text: string } | { readonly is: 'any' } | { readonly is: 'star' } | CharacterSet

interface CharacterSet {
  readonly is: 'set'
  readonly negated: boolean
  readonly ranges: readonly (readonly [string, string])[]
}

/** A path segment, or `**`. */
type Segment = readonly Item[] | 'deep'

/** Does a text contain characters that make it a pattern? */
export const isGlob = (text: string): boolean => /[*?[{]/.test(text)

/** Compiles a pattern to a test of paths. `a/b` matches only the path `a/b`; a pattern above the length limit matches only itself. */
export function compileGlob(pattern: string): (path: string) => boolean {
  if (pattern.length > limits.pattern) return path => path === pattern
  const alternatives = braced(pattern.replace(/^\.?\//, '')).map(text => ({ segments: segmentsOf(text), ends: endsOf(text) }))
  return path => alternatives.some(({ segments, ends }) => ends(path) && matchesPath(segments, path.split('/')))
}

/** A quick check that most paths fail: the literal text at both ends of a pattern. */
function endsOf(pattern: string): (path: string) => boolean {
  if (pattern.includes('\\')) return () => true
  const [before = ''] = /^[^*?[]*/.exec(pattern) ?? []
  const last = Math.max(...['*', '?', ']'].map(sign => pattern.lastIndexOf(sign)))
  // The suffix starts without its slash: `**` before it may match no directory at all.
  const after = pattern.slice(last + 1).replace(/^\//, '')
  return path => path.startsWith(before) && path.endsWith(after)
}

/** `a{b,c}d` becomes `abd` and `acd`. A pattern with too many expansions is taken literally. */
function braced(pattern: string): string[] {
  let patterns = [pattern]
  for (let round = 0; round < 20; round += 1) {
    const next = patterns.flatMap(opened)
    if (next.length > limits.alternatives) return [pattern]
    if (next.length === patterns.length && next.every((text, index) => text === patterns[index])) return next
    patterns = next
  }
  return patterns
}

/** Expands the first innermost braces. */
function opened(pattern: string): string[] {
  for (let begin = 0, end = pattern.indexOf('}'); end >= 0; begin = end + 1, end = pattern.indexOf('}', begin)) {
    const open = pattern.slice(begin, end).lastIndexOf('{')
    const choices = open < 0 ? [] : pattern.slice(begin + open + 1, end).split(',')
    if (choices.length > 1) return choices.map(choice => `${pattern.slice(0, begin + open)}${choice}${pattern.slice(end + 1)}`)
  }
  return [pattern]
}

// Contract: `**` is deep only before a slash; at the end of a pattern it is one star (public behaviour).
const segmentsOf = (pattern: string): Segment[] => {
  const parts = pattern.split('/')
  return parts.map((part, index) => (part === '**' && index < parts.length - 1 ? 'deep' : itemsOf(part)))
}

function itemsOf(part: string): Item[] {
  const items: Item[] = []
  for (let at = 0; at < part.length; at += 1) {
    const sign = part[at] as string
    const set = sign === '[' ? setAt(part, at) : undefined
    if (set) {
      items.push(set.set)
      at = set.end
    } else if (sign === '*') {
      if (items.at(-1)?.is !== 'star') items.push({ is: 'star' })
    } else if (sign === '?') items.push({ is: 'any' })
    else if (sign === '\\' && at + 1 < part.length) {
      at += 1
      items.push({ is: 'text', text: part[at] as string })
    } else items.push({ is: 'text', text: sign })
  }
  return items
}

function setAt(part: string, start: number): { readonly set: CharacterSet; readonly end: number } | undefined {
  const end = part.indexOf(']', start + 2)
  if (end === -1) return undefined
  const negated = part[start + 1] === '!' || part[start + 1] === '^'
  const body = part.slice(start + (negated ? 2 : 1), end)
  const ranges = [...body.matchAll(/(.)-(.)|(.)/g)].map(([, from, to, one]) => [from ?? one ?? '', to ?? one ?? ''] as const)
  return { set: { is: 'set', negated, ranges }, end }
}

const matchesPath = (segments: readonly Segment[], names: readonly string[]): boolean =>
  matchesWithStars(
    segments,
    names,
    segment => segment === 'deep',
    (segment, name) => segment !== 'deep' && matchesName(segment, name),
  )

const matchesName = (items: readonly Item[], name: string): boolean =>
  matchesWithStars(items, [...name], item => item.is === 'star', matchesCharacter)

function matchesCharacter(item: Item, character: string): boolean {
  if (item.is === 'set') return item.ranges.some(([from, to]) => from <= character && character <= to) !== item.negated
  return item.is === 'any' || (item.is === 'text' && item.text === character)
}

/** Matches with backtracking to the last star only: an earlier one never has to be tried again. */
function matchesWithStars<P, T>(
  pattern: readonly P[],
  things: readonly T[],
  isStar: (part: P) => boolean,
  fits: (part: P, thing: T) => boolean,
): boolean {
  let at = 0
  let star = -1
  let resume = 0
  for (let index = 0; index < things.length; ) {
    const part = pattern[at]
    if (at < pattern.length && isStar(part as P)) {
      star = at
      at += 1
      resume = index
    } else if (at < pattern.length && fits(part as P, things[index] as T)) {
      at += 1
      index += 1
    } else if (star !== -1) {
      at = star + 1
      resume += 1
      index = resume
    } else return false
  }
  while (at < pattern.length && isStar(pattern[at] as P)) at += 1
  return at === pattern.length
}
