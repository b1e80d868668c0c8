/**
 * Finds quick actions in a text: lines that begin with `/` and a known name. Pure, and linear in the length of the text. Their effects:
 * table/.
 */

import { eachLine, runInSlices } from '../../platform/kernel/answer/time_slicing.ts'

/** An action as written. */
export interface Written {
  /** Lower case, without the slash. */
  readonly name: string
  /** The rest of the line, trimmed. */
  readonly argument: string
}

/** A text split into actions and the rest. */
export interface Parsed {
  /** The text without the lines of its actions. */
  readonly text: string
  readonly actions: readonly Written[]
}

/** Anything that may be an action. */
const maybeAction = /^\/[a-z_]/im

const fence = /^ {0,3}(`{3,}|~{3,})/
// The rest of a line may have what other programs take for its end.
const line = /^\/([a-z_]+)(?:[ \t](.*))?$/is

/**
 * Splits a text, in slices. Lines in code, quotes and comments are kept as text, and so are lines with a slash before an unknown
 * name.
 */
export const parseQuickActions = async (text: string, isKnown: (name: string) => boolean): Promise<Parsed> =>
  maybeAction.test(text) ? runInSlices(parsing(text, isKnown)) : { text, actions: [] }

function* parsing(text: string, isKnown: (name: string) => boolean): Generator<void, Parsed, void> {
  const actions: Written[] = []
  const kept: string[] = []
  let inside: string | undefined
  yield* eachLine(text, raw => {
    const mark = raw.match(fence)?.[1]
    const wasInside = inside
    if (inside === undefined) inside = mark ?? opensBlock(raw)
    else if (closesBlock(raw, mark, inside)) inside = undefined
    const written = wasInside === undefined && inside === undefined ? raw.trimEnd().match(line) : null
    const name = written?.[1]?.toLowerCase()
    if (written && name !== undefined && isKnown(name)) actions.push({ name, argument: (written[2] ?? '').trim() })
    else kept.push(raw)
  })
  // Blank lines around the actions are dropped.
  return {
    text:
      actions.length === 0
        ? text
        : kept
            .join('\n')
            .replace(/\n{3,}/g, '\n\n')
            .trim(),
    actions,
  }
}

/** The end mark of a multi-line quote (`>>>`) or comment that the line opens. */
function opensBlock(raw: string): string | undefined {
  if (raw.trimEnd() === '>>>') return '>>>'
  const comment = raw.lastIndexOf('<!--')
  return comment >= 0 && !raw.includes('-->', comment) ? '-->' : undefined
}

function closesBlock(raw: string, mark: string | undefined, inside: string): boolean {
  if (inside === '>>>') return raw.trimEnd() === '>>>'
  if (inside === '-->') return raw.includes('-->')
  return mark !== undefined && mark[0] === inside[0] && mark.length >= inside.length && raw.trim() === mark
}
