/** Writes what a request spends its time on: of Node and of the database. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import { profiledDuring } from '../inside/ask.ts'
import { load } from '../load.ts'
import { busyDuring } from '../processor.ts'
import type { Prepared, RequestCase } from '../requests.ts'
import { databaseFrames } from './database.ts'
import { type Frame, flameGraph, scaled, totalOf } from './flame.ts'
import { framesOf } from './node.ts'

/** Profiles a request under load, and writes profiles and flame graphs into `folder`; returns their names. */
export async function profileRequest(
  bench: Bench,
  { name, connections }: RequestCase,
  prepared: Prepared,
  folder: string,
): Promise<string[]> {
  const { ingot, inside, seconds } = bench
  const { address, headers, body } = prepared
  const question = { headers, body, connections }
  const ask = () => load(`${ingot.url}${address}`, question, seconds)
  const [[{ requests }, busy], profiles] = await profiledDuring(inside, ingot.pid, () => busyDuring(ingot.pid, ingot.pid, ask))
  const sides = profiles.map(profile => ({ profile, frames: framesOf(profile) }))
  // A profile tells of time that passes, and on a busy machine a process is often not at work while it does.
  const passed = sides.reduce((sum, { frames }) => sum + totalOf(frames), 0)
  const factor = (busy ? busy.program / passed : 1) / requests
  const beginning = name.replaceAll(/[^\w]+/g, '_')
  const written: string[] = []
  const write = async (file: string, text: string) => {
    await writeFile(join(folder, file), text)
    written.push(file)
  }
  const draw = (file: string, side: string, frames: Frame) => write(file, flameGraph(`${name}, ${side}`, frames, 'ms a request'))
  for (const [at, { profile, frames }] of sides.entries()) {
    const file = `${beginning}.node${at === 0 ? '' : `-${at}`}`
    await write(`${file}.cpuprofile`, JSON.stringify(profile))
    await draw(`${file}.svg`, 'Node', scaled(frames, factor))
  }
  // What writes is not asked again and again in this process.
  if (body === undefined) await draw(`${beginning}.postgresql.svg`, 'PostgreSQL', await databaseFrames(bench, prepared))
  return written
}
