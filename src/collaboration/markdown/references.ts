/**
 * References in a text, such as `#3`, `group/project!4`, `@username` and `~bug`. Finding them is pure; callers resolve them and check
 * whether the reader may see the target.
 */

/** The kinds of targets of references. */
export const referenceKinds = [
  'issue',
  'merge_request',
  'epic',
  'snippet',
  'milestone',
  'iteration',
  'label',
  'user',
  'commit',
  'external_issue',
] as const
export type ReferenceKind = (typeof referenceKinds)[number]

/** A reference as written. */
export interface Reference {
  readonly kind: ReferenceKind
  /** The matched text: `group/project#3`. */
  readonly text: string
  /** Full path (or, in the same group, last segment) of the project or group before the sign; undefined for the text's own. */
  readonly place: string | undefined
  /** What follows the sign: an iid, a name or title without quotes, a username, a commit id. */
  readonly name: string
}

const segment = '[a-zA-Z0-9_](?:[a-zA-Z0-9_.-]*[a-zA-Z0-9_])?'
const place = `(?<place>${segment}(?:/${segment}){0,20})?`
/** A name without spaces, or anything in double quotes. */
const title = `(?:"(?<quoted>[^"\\n]{1,255})"|(?<bare>[\\p{L}\\p{N}_](?:[\\p{L}\\p{N}_.:?&-]*[\\p{L}\\p{N}_])?))`

const forms: Readonly<Record<ReferenceKind, string>> = {
  issue: `${place}#(?<name>\\d{1,18})`,
  merge_request: `${place}!(?<name>\\d{1,18})`,
  epic: `${place}&(?<name>\\d{1,18})`,
  snippet: `${place}\\$(?<name>\\d{1,18})`,
  milestone: `${place}%${title}`,
  iteration: `\\*iteration:${title}`,
  label: `${place}~${title}`,
  user: `@(?<name>${segment}(?:/${segment}){0,20})`,
  // Of a tracker outside: `LAMP-12`, and `work item 12`.
  external_issue: '(?:(?<bare>[A-Z][A-Z0-9_]+-\\d{1,18})|(?:bug|task|work item|workitem|rtcwi|defect) (?<name>\\d{1,18}))',
  commit: '(?:(?<place>[a-zA-Z0-9_][a-zA-Z0-9_./-]{0,254}[a-zA-Z0-9_])@)?(?<name>[0-9a-f]{7,40})',
}

/** The signs that a reference can start with; a text without any of them needs no search. */
const signs = /[#!&$%~@]|\*iteration:|[0-9a-f]{7}|[A-Z0-9_]-\d|(?:bug|task|item|rtcwi|defect) \d/

const kindsByPattern = referenceKinds.map(kind => ({
  kind,
  // Not inside a word or a path, and not followed by word characters.
  pattern: new RegExp(`(?<![\\p{L}\\p{N}_/.&#-])${forms[kind]}(?![\\p{L}\\p{N}_])`, 'gu'),
}))

/** A piece of text: plain, or a reference. */
export type Piece = string | Reference

/** Splits plain text at its references, in order; of overlapping matches the first one wins. */
export function splitAtReferences(text: string): Piece[] {
  if (!signs.test(text)) return [text]
  const found: { at: number; reference: Reference }[] = []
  for (const { kind, pattern } of kindsByPattern) {
    for (const match of text.matchAll(pattern)) {
      const { place, name, quoted, bare } = match.groups as Record<string, string | undefined>
      found.push({ at: match.index, reference: { kind, text: match[0], place, name: (name ?? quoted ?? bare) as string } })
    }
  }
  found.sort((a, b) => a.at - b.at || b.reference.text.length - a.reference.text.length)
  const pieces: Piece[] = []
  let end = 0
  for (const { at, reference } of found) {
    if (at < end) continue
    if (at > end) pieces.push(text.slice(end, at))
    pieces.push(reference)
    end = at + reference.text.length
  }
  if (end < text.length) pieces.push(text.slice(end))
  return pieces
}
