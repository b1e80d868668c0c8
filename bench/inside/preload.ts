/**
 * Loaded into each process that is measured, before its program: it profiles the process, or counts what it allocates, when the bench says so
 * on a socket. Until then it does nothing.
 */
import { rm } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { isMainThread } from 'node:worker_threads'

/** What the bench may ask of a process. */
export type Inside = 'profile' | 'profiled' | 'allocate' | 'allocated'

/** The variable with the folder of the sockets. */
export const INSIDE_VARIABLE = 'INGOT_BENCH_INSIDE'

/** Microseconds between two looks at the stack. */
const PROFILE_INTERVAL = 500
/** Bytes of allocations between two that are noted, on average. */
const ALLOCATION_INTERVAL = 16 * 1024

/** The bytes of a tree of allocations. */
interface Allocations {
  readonly selfSize: number
  readonly children: readonly Allocations[]
}
const bytesOf = ({ selfSize, children }: Allocations): number => children.reduce((sum, child) => sum + bytesOf(child), selfSize)

// biome-ignore lint/style/noProcessEnv: it is no program of its own, and knows nobody else who could say
const folder = process.env[INSIDE_VARIABLE]
if (isMainThread && folder !== undefined) {
  const session = new Session()
  session.connect()
  const answers: Readonly<Record<Inside, () => Promise<unknown>>> = {
    async profile() {
      await session.post('Profiler.enable')
      await session.post('Profiler.setSamplingInterval', { interval: PROFILE_INTERVAL })
      await session.post('Profiler.start')
    },
    profiled: async () => (await session.post('Profiler.stop')).profile,
    allocate: async () =>
      session.post('HeapProfiler.startSampling', {
        samplingInterval: ALLOCATION_INTERVAL,
        // What a request leaves behind is collected soon: it counts all the same.
        includeObjectsCollectedByMajorGC: true,
        includeObjectsCollectedByMinorGC: true,
      }),
    allocated: async () => bytesOf((await session.post('HeapProfiler.stopSampling')).profile.head),
  }
  const path = join(folder, `${process.pid}.sock`)
  await rm(path, { force: true })
  createServer({ allowHalfOpen: true }, socket => {
    text(socket)
      .then(async asked => socket.end(JSON.stringify((await answers[asked as Inside]()) ?? null)))
      .catch(error => socket.destroy(error))
    socket.on('error', () => {})
  })
    .listen(path)
    .unref()
}
