/** Reads a mail from a file, within limits of time and memory: what is nested a thousand times, or has a hundred thousand parts, is given up. */
import { runInThread, WorkTooLarge } from '../../threads/threaded_work.ts'
import type { IncomingMessage } from './message.ts'

/** Milliseconds that reading a mail may take: one of 25 MB takes half a second. */
const TIME = 15_000

/** Mails that a process reads at the same time: each may have several times its size in memory. */
const AT_A_TIME = 2

let reading = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (reading >= AT_A_TIME) await new Promise<void>(resolve => waiting.push(resolve))
  else reading++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else reading--
  }
}

/**
 * The mail in this file; undefined for one that cannot be read within the limits.
 * @param host of the instance, which ids of its own mails end with
 */
export const readMessage = (file: string, host: string, time = TIME): Promise<IncomingMessage | undefined> =>
  inTurn(async () => {
    try {
      return await runInThread<IncomingMessage | undefined>(new URL('./thread.ts', import.meta.url), { file, host }, { memory: 512, time })
    } catch (error) {
      if (error instanceof WorkTooLarge) return undefined
      throw error
    }
  })
