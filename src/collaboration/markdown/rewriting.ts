/** Texts that go elsewhere with what they name: their references are written anew, so that they mean the same there. Pure. */
import { type Reference, splitAtReferences } from './references.ts'

/** Where nothing is a reference: code, comments and tags, targets of links, and addresses. */
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
 * A text with other words for its references.
 * @param rename the words for a reference; undefined leaves it as it is
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

/** The references of a text that `withReferences` would ask for, in their order. */
export function referencesWithin(text: string): Reference[] {
  const found: Reference[] = []
  withReferences(text, reference => void found.push(reference))
  return found
}
