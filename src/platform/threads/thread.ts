/** What each thread of the work process runs (program.ts): one piece after the other, by the module that the piece names. */
import { parentPort } from 'node:worker_threads'
import type { FromThread, Piece } from './messages.ts'

const say = (message: FromThread) => parentPort?.postMessage(message)

parentPort?.on('message', async ({ file, asked }: Pick<Piece, 'file' | 'asked'>) => {
  const module: { default: (asked: unknown) => unknown } = await import(file)
  say('loaded')
  say({ answer: await module.default(asked) })
})
