/** Artifacts of jobs: large archives, single files out of them, and the end of many. */
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { Agent, get, type IncomingMessage } from 'node:http'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { addArtifact } from '../src/ci/artifacts/commands.ts'
import { transact } from '../src/platform/db/transact.ts'
import { enqueue } from '../src/platform/events/worker.ts'
import { archiveAddress, downloadArchive, nameInArchive, uploadArchive } from './archive_project.ts'
import type { Bench } from './bench.ts'
import { transferRate, uploadOf } from './curl.ts'
import type { DurationCase } from './durations.ts'
import { startFloor } from './floor/start.ts'
import { type Load, load } from './load.ts'
import { inTurn } from './medians.ts'
import { growthDuring } from './memory.ts'
import { inParallel } from './parallel.ts'
import { endJob, projectWith } from './runner.ts'

/** The share of what a handler reaches that only copies files over the same HTTP stack. */
const promise = { shareOfFloor: 0.8 }

const upload: DurationCase = {
  name: 'upload of an archive',
  unit: 'MB per second',
  promise,
  async measure(bench) {
    const { ingot, scratch } = bench
    const project = await bench.archived()
    const floor = await startFloor('./files.ts', { directory: scratch })
    try {
      return await inTurn(
        bench.rounds,
        async () => {
          const job = await project.next()
          const rate = await uploadArchive(ingot, project, job)
          await endJob(bench, job)
          return rate
        },
        async () => {
          const rate = await transferRate(project.bytes, [...uploadOf(project.file), `${floor.url}/copy`])
          await rm(join(scratch, 'copy'))
          return rate
        },
      )
    } finally {
      await floor.stop()
    }
  },
}

const download: DurationCase = {
  name: 'download of an archive',
  unit: 'MB per second',
  promise,
  async measure(bench) {
    const project = await bench.archived()
    const floor = await startFloor('./files.ts', { directory: bench.scratch })
    try {
      return await inTurn(
        bench.rounds,
        () => downloadArchive(bench.ingot, project, project.job),
        () => transferRate(project.bytes, [`${floor.url}/${basename(project.file)}`]),
      )
    } finally {
      await floor.stop()
    }
  },
}

const memory: DurationCase = {
  name: 'memory that an upload and a download take',
  unit: 'MB',
  promise: { most: 30 },
  async measure(bench) {
    const { ingot } = bench
    const project = await bench.archived()
    // What the first transfer leaves behind is there for all that follow.
    await downloadArchive(ingot, project, project.job)
    const target: number[] = []
    for (let round = 0; round < bench.rounds; round++) {
      const job = await project.next()
      const transfer = async () => {
        await uploadArchive(ingot, project, job)
        await downloadArchive(ingot, project, job)
      }
      target.push(await growthDuring(ingot.pid, transfer))
      await endJob(bench, job)
    }
    return { target, floor: [] }
  },
}

/** Files that are asked for in one sample. */
const FILES = 200

const singleFile: DurationCase = {
  name: 'first byte of one file of an archive, 99 of 100',
  unit: 'ms',
  promise: { most: 30 },
  async measure(bench) {
    const project = await bench.archived()
    const address = archiveAddress(bench.ingot, project, project.job)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const headers = { 'private-token': bench.ingot.token }
    const firstByte = async (index: number): Promise<number> => {
      const began = performance.now()
      const [answer] = (await once(get(`${address}/${nameInArchive(index)}`, { agent, headers }), 'response')) as [IncomingMessage]
      if (answer.statusCode !== 200) throw new Error(`${nameInArchive(index)} was answered ${answer.statusCode}`)
      await once(answer, 'readable')
      const time = performance.now() - began
      answer.resume()
      await once(answer, 'end')
      return time
    }
    try {
      const target: number[] = []
      // The first round reads the directory, and is for the compiler.
      for (let round = 0; round <= bench.rounds; round++) {
        const times: number[] = []
        for (let count = 0; count < FILES; count++) times.push(await firstByte((count * 7_919 + round) % project.files))
        if (round > 0) target.push(times.toSorted((a, b) => a - b)[Math.floor(FILES * 0.99)] as number)
      }
      return { target, floor: [] }
    } finally {
      agent.destroy()
    }
  },
}

/** Makes a project with many jobs, each with an archive that does not expire yet. */
async function manyArtifacts(bench: Bench, name: string): Promise<number> {
  const { database, objects, now } = bench.deps
  const { id: projectId } = await projectWith(bench, name, 'work:\n  script: [do it]\n  when: manual\n')
  const { rows } = await database.pool.query<{ id: number }>(
    `with pipeline as (
       insert into pipelines (iid, project_id, ref, sha, source, status)
       values (1000000, $1, 'old', repeat('a', 40), 'push', 'success') returning id
     )
     insert into jobs (project_id, pipeline_id, name, stage, stage_position, status, started_at, finished_at)
     select $1, pipeline.id, 'job ' || n, 'test', 0, 'success', now(), now() from pipeline, generate_series(1, $2::int) n returning id`,
    [projectId, bench.size.expiring],
  )
  const content = Buffer.alloc(1_000)
  const artifact = { file_type: 'archive', file_format: 'zip', filename: 'artifacts.zip', expires_at: null } as const
  await inParallel(8, rows, async ({ id }) => {
    const stored = await objects.put(Readable.from([content]))
    await transact(database.db, db => addArtifact({ db, now: now() }, { id, project_id: projectId }, stored, artifact))
  })
  return projectId
}

/** Lets all of them expire together, and resolves with the milliseconds that passed until the last was removed. */
async function removal({ deps: { database } }: Bench, projectId: number): Promise<number> {
  await database.pool.query('update job_artifacts set expires_at = now(), sweep_at = now() where project_id = $1', [projectId])
  await enqueue(database.db, 'remove_expired_artifacts', {})
  const began = performance.now()
  for (;;) {
    const { rows } = await database.pool.query('select from job_artifacts where project_id = $1 limit 1', [projectId])
    if (rows.length === 0) return performance.now() - began
    await pause(50)
  }
}

const expiry: DurationCase = {
  name: 'expired artifacts removed, while lists are asked for',
  unit: 'per minute',
  promise: { least: 10_000 },
  async measure(bench) {
    const target: number[] = []
    for (let round = 0; round < bench.rounds; round++) {
      const id = await manyArtifacts(bench, `expiring ${round}`)
      const asking = listed(bench, id)
      const time = await removal(bench, id)
      await asking
      target.push((bench.size.expiring * 60_000) / time)
    }
    return { target, floor: [] }
  },
}

/** Jobs of a project, asked for over one connection for the length of a sample. */
const listed = ({ ingot, seconds }: Bench, projectId: number): Promise<Load> =>
  load(`${ingot.url}/api/v4/projects/${projectId}/jobs`, { headers: { 'private-token': ingot.token }, connections: 1 }, seconds)

const listsMeanwhile: DurationCase = {
  name: 'lists of jobs while artifacts expire',
  unit: 'per second',
  // Two cores do two things: half of what there is without.
  promise: { shareOfFloor: 0.5 },
  async measure(bench) {
    const target: number[] = []
    const floor: number[] = []
    for (let round = 0; round < bench.rounds; round++) {
      const id = await manyArtifacts(bench, `expiring meanwhile ${round}`)
      floor.push((await listed(bench, id)).requestsPerSecond)
      const removed = removal(bench, id)
      target.push((await listed(bench, id)).requestsPerSecond)
      await removed
    }
    return { target, floor }
  },
}

export const artifactCases: readonly DurationCase[] = [upload, download, memory, singleFile, expiry, listsMeanwhile]
