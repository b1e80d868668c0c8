/** Clone and push of the long history by the system's git, each beside git's own programs over HTTP. */
import { copyFile, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Bench } from './bench.ts'
import { startFloor } from './floor/start.ts'
import { git } from './git.ts'
import { createProject } from './history_project.ts'
import { inTurn, type Pair } from './medians.ts'

/** A transfer to measure; samples are seconds. */
export interface TransferCase {
  readonly name: string
  measure(bench: Bench): Promise<Pair<number>>
}

/** Fewer would say little of something that takes half a second. */
const leastRounds = 5

const clone: TransferCase = {
  name: 'clone',
  async measure(bench) {
    const { cloneUrl, stored } = await bench.history()
    const floor = await startFloor('./smart_http.ts', { directory: dirname(stored) })
    const copy = join(bench.scratch, 'clone.git')
    const from = (url: string) => async () => {
      const seconds = await timed(() => git(['clone', '--bare', '--quiet', url, copy]))
      await rm(copy, { recursive: true })
      return seconds
    }
    try {
      return await inTurn(Math.max(leastRounds, bench.rounds), from(cloneUrl), from(`${floor.url}/${basename(stored)}`))
    } finally {
      await floor.stop()
    }
  },
}

const push: TransferCase = {
  name: 'push',
  async measure(bench) {
    const { local, stored } = await bench.history()
    const directory = join(bench.scratch, 'pushed')
    const floor = await startFloor('./smart_http.ts', { directory })
    const pushTo = (url: string) => timed(() => git(['-C', local, 'push', '--quiet', url, 'main']))
    try {
      return await inTurn(
        Math.max(leastRounds, bench.rounds),
        async round => pushTo((await createProject(bench.ingot, `pushed-${round}`)).cloneUrl),
        async round => {
          const repository = join(directory, `pushed-${round}.git`)
          await git(['init', '--bare', '--quiet', '--initial-branch=main', '--template=', repository])
          // The server's settings, so that both check and sync the same.
          await copyFile(join(stored, 'config'), join(repository, 'config'))
          return pushTo(`${floor.url}/${basename(repository)}`)
        },
      )
    } finally {
      await floor.stop()
    }
  },
}

export const transferCases: readonly TransferCase[] = [clone, push]

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1_000
}
