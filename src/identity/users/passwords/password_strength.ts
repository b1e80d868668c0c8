/** How hard passwords are to guess. A thread estimates it, since it takes up to a second of the processor. */
import { Worker } from 'node:worker_threads'

/** What is to be judged. */
export interface Guessing {
  /** Ways in which the password can be read; the weakest counts. */
  readonly readings: readonly string[]
  /** Words that those who guess try first: names of the user and of the instance. */
  readonly words: readonly string[]
}

/** How long the thread waits for the next password, in milliseconds: starting one takes longer than any password. */
const IDLE = 300_000

/** The thread, and those who wait for its answers, which come in the order of the questions. */
interface Estimator {
  readonly thread: Worker
  readonly waiting: PromiseWithResolvers<boolean>[]
  end?: NodeJS.Timeout
}

let estimator: Estimator | undefined

/** Is the password among the first that are guessed? See password_strength_thread.ts. */
export async function isGuessable(guessing: Guessing): Promise<boolean> {
  estimator ??= startEstimator()
  const { thread, waiting, end } = estimator
  clearTimeout(end)
  thread.ref()
  const answer = Promise.withResolvers<boolean>()
  waiting.push(answer)
  thread.postMessage(guessing)
  return answer.promise
}

function startEstimator(): Estimator {
  const started: Estimator = {
    thread: new Worker(new URL('./password_strength_thread.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: 128 } }),
    waiting: [],
  }
  started.thread
    .on('message', (guessable: boolean) => {
      started.waiting.shift()?.resolve(guessable)
      if (started.waiting.length > 0) return
      // An idle thread keeps no program from its end.
      started.thread.unref()
      started.end = setTimeout(() => void started.thread.terminate(), IDLE).unref()
    })
    .on('error', error => fail(started, error))
    .once('exit', () => fail(started, new Error('the estimator of passwords ended')))
  return started
}

/** The next password starts another thread: without an estimate none is accepted. */
function fail(ended: Estimator, error: unknown): void {
  if (estimator === ended) estimator = undefined
  for (const { reject } of ended.waiting.splice(0)) reject(error)
}
