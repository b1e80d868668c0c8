/** Rewrites the references of a text that moves to another place, so that they keep their targets. Pure. */
import { type Reference, splitAtReferences } from './references.ts'

/** Ranges without references: code, comments, tags, link targets and URLs. */
const untouched = new RegExp(
  [
    /^ {0,3}(?<fence>`{3,}|~{3,})[\s\S]*?(?:^ {0,3}\k<fence>[`~]*[ \t]*$|$(?![\s\S]))/,
    /(?<ticks>`{1,3})[^`\n]{1,1000}\k<ticks>/,
    /<!--[\s\S]*?(?:-->|$(?![\s\S]))/,
    /<[a-z/][^<>\n]{0,1000}>/,
    /\]\([^()\s]{0,2000}\)/,
    /https?:\/\/[^\s<>]+/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gim',
)

/**
 * The text with rewritten references.
 * @param rename the new text of a reference; undefined keeps it
 */
export function withReferences(text: string, rename: (reference: Reference) => string | undefined): string {
  const rewritten = (part: string) =>
    splitAtReferences(part)
      .map(piece => (typeof piece === 'string' ? piece : (rename(piece) ?? piece.text)))
      .join('')
  let written = ''
  let end = 0
  for (const { 0: kept, index } of text.matchAll(untouched)) {
    written += rewritten(text.slice(end, index)) + kept
    end = index + kept.length
  }
  return written + rewritten(text.slice(end))
}

/** The references that `withReferences` passes to `rename`, in order. */
export function referencesWithin(text: string): Reference[] {
  const found: Reference[] = []
  withReferences(text, reference => void found.push(reference))
  return found
}
