/** Runs in a thread: estimates how many guesses passwords take. */
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import type { Guessing } from './password_strength.ts'

/** Characters that are looked at together: the time grows with more than their number. */
const LONGEST = 40

/**
 * Guesses, as powers of ten, below which a password is refused: a million where it is made of nothing but words, dates, keyboard walks and
 * repetitions; a tenth of that where some of it is not, which is estimated low.
 */
const LEAST = { known: 6, mixed: 5 }

const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, useLevenshteinDistance: false })

/** Is this text among the first guesses? Of a long one both ends must be. */
function isGuessed(text: string, words: string[]): boolean {
  const ends = text.length > LONGEST ? [text.slice(0, LONGEST), text.slice(-LONGEST)] : [text]
  return ends.every(end => {
    const { guessesLog10, sequence } = zxcvbn.check(end, words)
    return guessesLog10 < (sequence.some(({ pattern }) => pattern === 'bruteforce') ? LEAST.mixed : LEAST.known)
  })
}

export default ({ readings, words }: Guessing): boolean => readings.some(reading => isGuessed(reading, [...words]))
