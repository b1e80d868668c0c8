/** The worker thread of long searches (search.ts). */
import { parentPort } from 'node:worker_threads'
import { compiledPattern } from './patterns.ts'
import type { AskedSearch } from './search.ts'

parentPort?.on('message', ({ source, flags, text }: AskedSearch) => {
  parentPort?.postMessage(compiledPattern(source, flags)?.matcher(text).find() ?? false)
})
