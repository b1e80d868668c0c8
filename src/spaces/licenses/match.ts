/** Which known licence a text is. Pure. */
import { knownLicenses, OTHER_LICENSE } from './known.ts'

/** The words of a text with how often each occurs: order and layout do not matter. */
interface Words {
  readonly counts: ReadonlyMap<string, number>
  readonly total: number
}

/** From this similarity on a text is the licence (as public behaviour has it: 98 %). */
const SAME = 0.98

/** Copyright lines, which name a project's own people and years, and marks of layout. */
const own = /^[\s#*/>-]*(?:copyright\b|\(c\)|©|all rights reserved).*$/gim

/** What licences leave open: the holder's name inside their text. */
const placeholder = /\[(?:fullname|login|email|project|projecturl|description|year)\]/gi

function wordsOf(text: string): Words {
  const counts = new Map<string, number>()
  let total = 0
  for (const word of text
    .replace(own, ' ')
    .replace(placeholder, ' ')
    .toLowerCase()
    .replace(/[‘’]/g, "'")
    .match(/[a-z0-9']+/g) ?? []) {
    counts.set(word, (counts.get(word) ?? 0) + 1)
    total++
  }
  return { counts, total }
}

/** Dice's coefficient: twice the words in common by the words of both. */
function similarity(a: Words, b: Words): number {
  let common = 0
  for (const [word, count] of a.counts) common += Math.min(count, b.counts.get(word) ?? 0)
  return a.total + b.total === 0 ? 0 : (2 * common) / (a.total + b.total)
}

let known: readonly (readonly [key: string, words: Words])[] | undefined

/** The key of the licence that a text is most like, or `other` when it is like none. */
export function licenseOfText(text: string): string {
  known ??= [...knownLicenses()].map(([key, { body }]) => [key, wordsOf(body)] as const)
  const words = wordsOf(text)
  let best = { key: OTHER_LICENSE, similarity: SAME }
  for (const [key, other] of known) {
    // The shorter one bounds what they can have in common.
    if ((2 * Math.min(words.total, other.total)) / (words.total + other.total) < best.similarity) continue
    const found = similarity(words, other)
    if (found >= best.similarity) best = { key, similarity: found }
  }
  return best.key
}
