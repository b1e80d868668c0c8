/** Looks into processes that are measured: what they allocate, and where they spend their time. */
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { environment } from '../environment.ts'
import { familyOf } from '../processes.ts'
import type { CpuProfile } from '../profile/node.ts'
import type { INSIDE_VARIABLE, Inside } from './preload.ts'

/** Not imported: the module does its work where it is loaded. */
const VARIABLE: typeof INSIDE_VARIABLE = 'INGOT_BENCH_INSIDE'

/** The environment of a process that can be looked into; its socket is in `folder`. */
export const watched = (folder: string): Readonly<Record<string, string>> => ({
  ...environment,
  [VARIABLE]: folder,
  NODE_OPTIONS: `--import=${new URL('./preload.ts', import.meta.url)}`,
})

/** Runs the work and returns what the processes of `root` allocated meanwhile, in bytes. */
export async function allocatedDuring<Result>(folder: string, root: number, work: () => Promise<Result>): Promise<[Result, number]> {
  const [result, bytes] = await during<Result, number>(folder, root, ['allocate', 'allocated'], work)
  return [result, bytes.reduce((sum, some) => sum + some, 0)]
}

/** Runs the work and returns a profile of each process of `root`. */
export const profiledDuring = <Result>(folder: string, root: number, work: () => Promise<Result>): Promise<[Result, CpuProfile[]]> =>
  during(folder, root, ['profile', 'profiled'], work)

async function during<Result, Reply>(
  folder: string,
  root: number,
  [begin, end]: readonly [Inside, Inside],
  work: () => Promise<Result>,
): Promise<[Result, Reply[]]> {
  const sockets = await socketsOf(folder, root)
  if (sockets.length === 0) throw new Error('there is no process to look into')
  await Promise.all(sockets.map(path => ask(path, begin)))
  const result = await work()
  return [result, (await Promise.all(sockets.map(path => ask(path, end)))) as Reply[]]
}

async function socketsOf(folder: string, root: number): Promise<string[]> {
  // Where the system does not tell of families, the process itself is all that is known.
  const ids = (await familyOf(root))?.map(({ id }) => id) ?? [root]
  const files = await readdir(folder)
  return ids
    .map(id => `${id}.sock`)
    .filter(file => files.includes(file))
    .map(file => join(folder, file))
}

async function ask(path: string, what: Inside): Promise<unknown> {
  const socket = connect(path)
  socket.end(what)
  return JSON.parse(await text(socket))
}
