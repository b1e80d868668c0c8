/** Matches a text to a known licence. Pure. */
import { knownLicenses, OTHER_LICENSE } from './known.ts'

/** The words of a text with their number of occurrences: order and layout do not matter. */
interface Words {
  readonly counts: ReadonlyMap<string, number>
  readonly total: number
}

/** The similarity from which a text matches a licence (public behaviour: 98 %). */
const SAME = 0.98

/** Copyright lines, which contain a project's own names and years, and layout characters. */
const own = /^(?:[#*/>-]|[^\S\r\n\u2028\u2029])*(?:copyright\b|\(c\)|©|all rights reserved).*$/gim

/** The placeholders of licences, such as the holder's name. */
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

/** Dice's coefficient: twice the number of common words, divided by the number of words of both. */
function similarity(a: Words, b: Words): number {
  let common = 0
  for (const [word, count] of a.counts) common += Math.min(count, b.counts.get(word) ?? 0)
  return a.total + b.total === 0 ? 0 : (2 * common) / (a.total + b.total)
}

let known: readonly (readonly [key: string, words: Words])[] | undefined

/** The key of the most similar licence, or `other` if none is similar enough. */
export function licenseOfText(text: string): string {
  known ??= [...knownLicenses()].map(([key, { body }]) => [key, wordsOf(body)] as const)
  const words = wordsOf(text)
  let best = { key: OTHER_LICENSE, similarity: SAME }
  for (const [key, other] of known) {
    // The shorter text limits the number of common words.
    if ((2 * Math.min(words.total, other.total)) / (words.total + other.total) < best.similarity) continue
    const found = similarity(words, other)
    if (found >= best.similarity) best = { key, similarity: found }
  }
  return best.key
}
