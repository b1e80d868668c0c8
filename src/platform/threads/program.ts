/**
 * The work process: threads that read what users send (work_process.ts says why they are in a process of their own). It does nothing else, so it can start
 * and end threads whatever these do. It ends when the server does.
 */
import { writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { Answered, End, Failure, FromThread, Outcome, Piece } from './messages.ts'

/** Of all processes the system ends this one first where memory runs out: its work is refused then, and the server goes on. */
const FIRST_TO_END = '800'

const threads = new Map<number, Worker>()

process.on('message', (message: Piece | End) => {
  if ('end' in message) end(message.end)
  else void run(message).then(outcome => answer({ piece: message.piece, ...outcome }))
})

// The server decides what becomes of its processes: a key in its terminal is not meant for them.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('disconnect', () => process.exit())

try {
  writeFileSync('/proc/self/oom_score_adj', FIRST_TO_END)
} catch {
  // Some systems have no such file, or do not allow it: then the order is the system's own.
}

function answer(answered: Answered): void {
  if (process.connected) process.send?.(answered, undefined, {}, () => {})
}

function end(number: number): void {
  const worker = threads.get(number)
  threads.delete(number)
  void worker?.terminate()
}

function start({ thread, memory, idle }: Piece): Worker {
  const worker = new Worker(new URL('./thread.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: memory } })
  const timer = setTimeout(() => end(thread), idle)
  worker
    .on('message', () => timer.refresh())
    .on('error', () => {})
    .once('exit', () => {
      clearTimeout(timer)
      if (threads.get(thread) === worker) threads.delete(thread)
    })
  threads.set(thread, worker)
  return worker
}

const failureOf = ({ name, message, stack }: Error): Failure => ({ name, message, ...(stack === undefined ? {} : { stack }) })

/** Does a piece. A thread that failed ends; the next piece starts another one. */
function run(piece: Piece): Promise<Outcome> {
  const { thread, file, asked, time } = piece
  const worker = threads.get(thread) ?? start(piece)
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  let timer: NodeJS.Timeout | undefined
  const hear = (said: FromThread) => {
    if (said === 'loaded') timer = setTimeout(() => fail({ tooLarge: true }), time)
    else resolve(said)
  }
  const fail = (outcome: Outcome) => {
    end(thread)
    resolve(outcome)
  }
  const failed = (error: NodeJS.ErrnoException) =>
    fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? { tooLarge: true } : { error: failureOf(error) })
  const exited = () => fail({ error: failureOf(new Error('the thread ended')) })
  worker.on('message', hear).once('error', failed).once('exit', exited)
  worker.postMessage({ file, asked })
  return promise.finally(() => {
    clearTimeout(timer)
    worker.off('message', hear).off('error', failed).off('exit', exited)
  })
}
