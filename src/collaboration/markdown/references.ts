/**
 * References in a text: what people write to point at things (`#3`, `group/project!4`, `@somebody`, `~bug`). Finding
 * them is pure; whether they lead anywhere, and whether the reader may know, is for whoever renders or follows them.
 */

/** The kinds of things that a text can point at. */
export const referenceKinds = ['issue', 'merge_request', 'epic', 'milestone', 'label', 'user', 'commit'] as const
export type ReferenceKind = (typeof referenceKinds)[number]

/** One reference as it was written. */
export interface Reference {
  readonly kind: ReferenceKind
  /** As it stands in the text: `group/project#3`. */
  readonly text: string
  /** Full path (or, for a neighbour, the last part) of the project or group before the sign; undefined: where the text stands. */
  readonly place: string | undefined
  /** What follows the sign: an iid, a name or title without its quotes, a username, a commit id. */
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
  milestone: `${place}%${title}`,
  label: `${place}~${title}`,
  user: `@(?<name>${segment}(?:/${segment}){0,20})`,
  commit: '(?:(?<place>[a-zA-Z0-9_][a-zA-Z0-9_./-]{0,254}[a-zA-Z0-9_])@)?(?<name>[0-9a-f]{7,40})',
}

/** The signs a reference begins with, after its place; a text without any of them needs no search. */
const signs = /[#!&%~@]|[0-9a-f]{7}/

const kindsByPattern = referenceKinds.map(kind => ({
  kind,
  // Not inside a word or a path; nothing of a word may follow.
  pattern: new RegExp(`(?<![\\p{L}\\p{N}_/.&#-])${forms[kind]}(?![\\p{L}\\p{N}_])`, 'gu'),
}))

/** A piece of text: either plain, or a reference. */
export type Piece = string | Reference

/** Splits plain text at its references, in the order they stand; where two readings overlap the one that begins first wins. */
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
