/** A thread that hashes what digest.ts sends it. */
import { createHash, type Hash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import type { FromThread, ToThread } from './digest.ts'

const hashes = new Map<number, Hash>()

function answer(message: FromThread): void {
  parentPort?.postMessage(message, 'block' in message ? [message.block] : [])
}

parentPort?.on('message', (message: ToThread) => {
  const { digest } = message
  const hash = hashes.get(digest) ?? createHash('sha256')
  if ('block' in message) {
    hashes.set(digest, hash.update(new Uint8Array(message.block, 0, message.length)))
    answer({ digest, block: message.block })
    return
  }
  hashes.delete(digest)
  if (message.ends === 'wanted') answer({ digest, sha256: hash.digest('hex') })
})
