/** The log of a job as bytes at a place, wherever they are stored, and the numbers of its lines. */
import { anyOf } from '../../platform/db/statements/any.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { artifacts } from '../jobs/entities/artifacts.ts'
import type { JobRow } from '../jobs/queries.ts'
import { storedTrace, traceBytes } from './queries.ts'

type Reading = Pick<Context, 'db'> & { readonly deps: Pick<Context['deps'], 'objects'> }

/** The log of a job. Bytes that were written never change; the log grows at its end. */
export interface JobLog {
  readonly jobId: number
  /** In bytes. */
  readonly size: number
  /** The bytes from `start` to before `end`, in pieces. @throws TraceGone if it was erased meanwhile */
  read(start: number, end: number): AsyncIterable<Buffer>
}

/** The log of a job; undefined for one that has written nothing. */
export async function logOf({ db, deps: { objects } }: Reading, job: Pick<JobRow, 'id' | 'trace_size'>): Promise<JobLog | undefined> {
  const { id: jobId, trace_size: size } = job
  if (size === 0) return undefined
  const stored = await storedTrace(db, jobId)
  return {
    jobId,
    size,
    async *read(start, end) {
      if (stored) yield* (await objects.read(stored.key, { start, end: end - 1 })) as AsyncIterable<Buffer>
      else yield* traceBytes({ db, objects }, { jobId, size }, { start, end })
    },
  }
}

/** The bytes from `start` to before `end` as one buffer: for parts that fit into memory many times over. */
export async function bytesOf(log: JobLog, start: number, end: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  if (end > start) for await (const piece of log.read(start, end)) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** Bytes that the end of a log is taken from, of an archived log; of a live one it is its last part. */
const TAIL = 16 * 1024

/** The ends of the logs of jobs as text, preceded by an end of line where they are whole: two statements, however many jobs there are. */
export async function logEndsOf({ db, deps: { objects } }: Reading, jobIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (jobIds.length === 0) return new Map()
  const stored = await artifacts(db).where('job_artifacts.job_id', '=', anyOf(jobIds)).where('file_type', '=', 'trace').execute()
  const parts = await db
    .selectFrom('job_trace_chunks')
    .distinctOn('job_id')
    .select(['job_id', 'start', 'bytes'])
    .where('job_id', '=', anyOf(jobIds))
    .orderBy('job_id')
    .orderBy('start', 'desc')
    .execute()
  const ends = new Map(parts.map(({ job_id, start, bytes }) => [job_id, `${start === 0 ? '\n' : ''}${bytes.toString('utf8')}`]))
  for (const { job_id, key, size } of stored) {
    const start = Math.max(0, size - TAIL)
    const pieces: Buffer[] = []
    for await (const piece of await objects.read(key, { start, end: size - 1 })) pieces.push(piece as Buffer)
    ends.set(job_id, `${start === 0 ? '\n' : ''}${Buffer.concat(pieces).toString('utf8')}`)
  }
  return ends
}

/** Lines are counted in blocks of this size, of which each is read once. */
const BLOCK = 1024 * 1024

/** Blocks whose lines are remembered. */
const MOST_BLOCKS = 20_000

/** The lines of whole blocks, `<job>:<block>`. What was written does not change, so nothing invalidates them. */
const counted = new Map<string, number>()

/** Counts again: the jobs of this process are others now, with the same ids. */
export function forgetCountedLines(): void {
  counted.clear()
}

/** How many lines end before a byte. */
export async function linesBefore(log: JobLog, byte: number): Promise<number> {
  const blocks = Math.floor(byte / BLOCK)
  let lines = await countLines(log, blocks * BLOCK, byte)
  for (let block = 0; block < blocks; block++) {
    const key = `${log.jobId}:${block}`
    const known = counted.get(key)
    const count = known ?? (await countLines(log, block * BLOCK, (block + 1) * BLOCK))
    if (known === undefined) remember(key, count)
    lines += count
  }
  return lines
}

function remember(key: string, count: number): void {
  counted.set(key, count)
  const [oldest] = counted.keys()
  if (counted.size > MOST_BLOCKS) counted.delete(oldest as string)
}

const LINE_END = 10

async function countLines(log: JobLog, start: number, end: number): Promise<number> {
  let lines = 0
  if (end > start)
    for await (const piece of log.read(start, end))
      for (let at = piece.indexOf(LINE_END); at >= 0; at = piece.indexOf(LINE_END, at + 1)) lines++
  return lines
}
