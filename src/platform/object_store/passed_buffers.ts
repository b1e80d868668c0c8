/**
 * Buffers that the network has brought and that have passed. They lie outside of the heap, where V8 counts them: after 64 MB it collects all
 * garbage, for which it marks the whole heap, and a large upload took more of the processor for that than for anything else. To collect young
 * garbage, as they are, takes a millisecond or two; V8 does not do it by itself, since a buffer is a small object in the heap.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Bytes between two collections. V8 counts them as part of the heap, which it lets grow by as little as 8 MB after a quiet time before it marks
 * all of it again: at 16 MB some uploads of a gigabyte had forty such collections. Fewer bytes are also allocated in the same pages again.
 */
const MOST = 4 * 1024 * 1024

let passed = 0

type Collect = (options: { readonly type: 'minor' }) => void

let collect: Collect | undefined

/** The collector, which V8 has in contexts that begin while this flag is set. */
function collector(): Collect {
  setFlagsFromString('--expose-gc')
  const found = runInNewContext('gc') as Collect
  setFlagsFromString('--no-expose-gc')
  return found
}

/** Counts a buffer that is garbage soon. */
export function countPassed(bytes: number): void {
  passed += bytes
  if (passed < MOST) return
  passed = 0
  collect ??= collector()
  collect({ type: 'minor' })
}
