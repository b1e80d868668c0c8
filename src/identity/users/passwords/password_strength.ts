/** How hard passwords are to guess. A thread estimates it, since it takes up to a second of the processor. */
import { KeptThread } from '../../../platform/threads/kept_thread.ts'

/** What is to be judged. */
export interface Guessing {
  /** Ways in which the password can be read; the weakest counts. */
  readonly readings: readonly string[]
  /** Words that those who guess try first: names of the user and of the instance. */
  readonly words: readonly string[]
}

/** Milliseconds that one password may take. */
const TIME = 10_000

/** The thread is kept long: starting one takes longer than any password. */
const thread = new KeptThread<Guessing, boolean>(new URL('./password_strength_thread.ts', import.meta.url), { memory: 128, idle: 300_000 })

/**
 * Is the password among the first that are guessed? See password_strength_thread.ts.
 * @throws Refusal 429 or 503 where too many passwords wait
 */
export const isGuessable = (guessing: Guessing): Promise<boolean> => thread.run(guessing, TIME)
