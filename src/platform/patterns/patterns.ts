/**
 * Regular expressions that users write: RE2, so that the time of a match is the length of the text times the steps of the compiled expression. Both are
 * bounded, since a few characters may stand for many steps (`.{0,1000}`), and a match holds the process.
 */
import { RE2JS } from 're2js'

/** Characters of an expression, and steps of it when compiled. */
export const mostPattern = { characters: 2_000, steps: 2_000 } as const

/** How many times as many steps as were counted an expression may have. */
const MOST_MISCOUNT = 2

/** Steps times characters of one match: some tens of milliseconds. */
export const MOST_WORK = 1_000_000

/** An expression is too large, or a text too long for it. The message may be shown. */
export class PatternTooCostly extends Error {}

/** Recently compiled expressions. */
const known = new Map<string, RE2JS | undefined>()
const KEPT = 500

/** The expression; undefined where RE2 takes the text for none, or it is too large. `flags`: those of RE2JS. */
export function compiledPattern(source: string, flags = 0): RE2JS | undefined {
  // Not remembered: the key would be as long.
  if (source.length > mostPattern.characters) return undefined
  const key = `${flags} ${source}`
  if (known.has(key)) return known.get(key)
  // Counted before it is compiled, which takes as long as it has steps.
  const pattern = isSmall(source) ? compile(source, flags) : undefined
  known.set(key, pattern)
  if (known.size > KEPT) known.delete(known.keys().next().value as string)
  return pattern
}

/** Would the text be compiled? Repetitions are left out, so that a file with thousands of expressions can be checked. */
export const isPattern = (source: string, flags = 0): boolean => isSmall(source) && compile(sizeOf(source).brief, flags) !== undefined

const isSmall = (source: string): boolean => source.length <= mostPattern.characters && sizeOf(source).steps <= mostPattern.steps

function compile(source: string, flags: number): RE2JS | undefined {
  try {
    const compiled = RE2JS.compile(source, flags)
    // What was counted is about right; an expression that was misread is not taken.
    return compiled.programSize() <= MOST_MISCOUNT * mostPattern.steps ? compiled : undefined
  } catch {
    return undefined
  }
}

/** The work of a search in a text, in steps times characters. */
export const workOf = (pattern: RE2JS, text: string): number => pattern.programSize() * text.length

/** Is the expression found anywhere in the text? @throws PatternTooCostly */
export function isFoundIn(pattern: RE2JS, text: string): boolean {
  if (workOf(pattern, text) > MOST_WORK)
    throw new PatternTooCostly(`The regular expression takes too long for a text of ${text.length} characters`)
  return pattern.matcher(text).find()
}

const lexemes =
  /\\Q(?<quoted>.*?)(?:\\E|$)|\\[pPx]\{[^}]*\}|\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|(?<open>\((?:\?(?:P?<[^<>(){}]*>|[a-zA-Z-]*:?))?)|(?<close>\))|\{(?<from>\d{1,9})(?<comma>,(?<to>\d{0,9}))?\}|[*+?|]|./gsu

/** Times that RE2 repeats something at most. */
const MOST_TIMES = 1_000

/**
 * About how many steps an expression has when it is compiled: what is repeated counts as often as it is. And the same expression with each
 * repetition done once. Linear in the text.
 */
export function sizeOf(source: string): { readonly steps: number; readonly brief: string } {
  // Of each open group the steps so far, and how many of them are those of its last part, which a repetition is about.
  const groups = [{ sum: 0, last: 0 }]
  const brief: string[] = []
  for (const { 0: written, groups: found = {} } of source.matchAll(lexemes)) {
    const { quoted, open, close, from, comma, to } = found
    const group = groups.at(-1) as { sum: number; last: number }
    const isRepetition = from !== undefined && Number(from) <= (to ? Math.min(Number(to), MOST_TIMES) : MOST_TIMES)
    brief.push(isRepetition ? '{1}' : written)
    if (open !== undefined) groups.push({ sum: 2, last: 0 })
    else if (close !== undefined && groups.length > 1) {
      groups.pop()
      const outer = groups.at(-1) as { sum: number; last: number }
      outer.last = group.sum
      outer.sum += group.sum
    } else if (from !== undefined) {
      const times = comma === undefined ? Number(from) : to ? Number(to) : Number(from) + 1
      group.sum += group.last * (times - 1) + times
      group.last *= times
    } else {
      group.last = quoted?.length ?? 1
      group.sum += group.last
    }
  }
  return { steps: groups.reduce((sum, { sum: steps }) => sum + steps, 0), brief: brief.join('') }
}
