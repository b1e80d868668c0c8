/**
 * Finding quick actions in a text: lines that begin with `/` and the name of one. Pure, and linear in the length of
 * the text. What they do: actions.ts.
 */

/** One action as it was written. */
export interface Written {
  /** In lower case, without the slash. */
  readonly name: string
  /** What follows the name on the line, without spaces around it. */
  readonly argument: string
}

/** A text taken apart. */
export interface Parsed {
  /** The text without the lines of its actions. */
  readonly text: string
  readonly actions: readonly Written[]
}

const fence = /^ {0,3}(`{3,}|~{3,})/
const line = /^\/([a-z_]+)(?:[ \t]+(.*))?$/i

/**
 * Takes the actions out of a text. Lines in code, in quotes and in comments stay what they are, and so does a slash
 * before anything that is no action.
 */
export function parseQuickActions(text: string, isKnown: (name: string) => boolean): Parsed {
  const actions: Written[] = []
  const kept: string[] = []
  let inside: string | undefined
  for (const raw of text.split(/\r?\n/)) {
    const mark = raw.match(fence)?.[1]
    const wasInside = inside
    if (inside === undefined) inside = mark ?? opensBlock(raw)
    else if (closesBlock(raw, mark, inside)) inside = undefined
    const written = wasInside === undefined && inside === undefined ? raw.trimEnd().match(line) : null
    const name = written?.[1]?.toLowerCase()
    if (written && name !== undefined && isKnown(name)) actions.push({ name, argument: (written[2] ?? '').trim() })
    else kept.push(raw)
  }
  // What stood around the actions alone is no text.
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

/** A quote of several lines (`>>>`), or a comment that goes on. */
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
