/** Pipelines, jobs and runners. Runners speak the protocol over HTTP, as any runner does. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { planFrom } from '../src/ci/config/index.ts'
import { call } from './api.ts'
import type { Bench } from './bench.ts'
import type { DurationCase } from './durations.ts'
import { git } from './git.ts'
import { growthDuring } from './memory.ts'
import { inParallel } from './parallel.ts'
import { busyDuring } from './processor.ts'
import { asMember, type RequestCase, readRequest } from './requests.ts'
import { endJob, nextJob, projectWith, registerRunner, takeJob, wideFile } from './runner.ts'

/** A file of so many jobs, each of which needs three of those before it. */
function graphFile(jobs: number): string {
  const lines = Array.from({ length: jobs }, (_, n) => {
    const needs = [n - 1, n >> 1, n - 7].filter((other, at, all) => other >= 0 && other < n && all.indexOf(other) === at)
    return `job-${n}:\n  stage: test\n  script: [echo ${n}]\n  needs: [${needs.map(other => `job-${other}`).join(', ')}]\n`
  })
  return lines.join('')
}

/** Pushes in one sample. */
const PUSHES = 10

const push: DurationCase = {
  name: 'from the end of a push to a job at a waiting runner',
  unit: 'ms',
  promise: { most: 300 },
  async measure(bench) {
    const { id, runnersToken, path } = await projectWith(bench, 'ci pushed', 'work:\n  script: [do it]\n')
    const runner = await registerRunner(bench, runnersToken)
    await endJob(bench, await nextJob(bench, runner))
    const { host } = new URL(bench.ingot.url)
    const copy = join(bench.scratch, `ci-${id}`)
    await git(['clone', '--quiet', `http://root:${bench.ingot.token}@${host}/${path}.git`, copy])
    const target: number[] = []
    for (let count = 0; count < PUSHES; count++) {
      const waiting = nextJob(bench, runner).then(job => ({ job, at: performance.now() }))
      await git(['-C', copy, '-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--allow-empty', '-m', 'Go on'])
      await git(['-C', copy, 'push', '--quiet', 'origin', 'HEAD:main'])
      const pushed = performance.now()
      const { job, at } = await waiting
      target.push(Math.max(0, at - pushed))
      await endJob(bench, job)
    }
    await rm(copy, { recursive: true })
    return { target, floor: [] }
  },
}

/** Jobs of one sample, and connections that take them. */
const JOBS = 1_000
const RUNNERS = 16

const handOut: DurationCase = {
  name: 'jobs taken and finished over 16 connections',
  unit: 'per second',
  promise: { least: 200 },
  async measure(bench) {
    const { ingot } = bench
    const { id, runnersToken } = await projectWith(bench, 'ci many', wideFile(JOBS))
    const tokens = await inParallel(4, Array.from({ length: RUNNERS }), () => registerRunner(bench, runnersToken))
    const target: number[] = []
    const handed = new Set<number>()
    for (let round = 0; round < bench.rounds; round++) {
      // The first round's pipeline came with the commit.
      if (round > 0) await call(ingot, 'POST', `/projects/${id}/pipeline`, { ref: 'main' })
      await untilPending(bench, id)
      const before = handed.size
      let ended = 0
      // Who asks last would wait for a job that never comes.
      const over = new AbortController()
      const began = performance.now()
      await inParallel(RUNNERS, tokens, async token => {
        while (!over.signal.aborted) {
          const job = await takeJob(bench, token, over.signal)
          if (!job) continue
          if (handed.has(job.id)) throw new Error(`job ${job.id} was handed out twice`)
          handed.add(job.id)
          await endJob(bench, job)
          if (++ended === JOBS) over.abort()
        }
      })
      target.push(((handed.size - before) * 1_000) / (performance.now() - began))
    }
    return { target, floor: [] }
  },
}

/** Waits until all jobs of the newest pipeline may be taken. */
async function untilPending({ deps }: Bench, projectId: number): Promise<void> {
  for (;;) {
    const { count } = await deps.database.db
      .selectFrom('jobs')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('project_id', '=', projectId)
      .where('status', '=', 'pending')
      .executeTakeFirstOrThrow()
    if (Number(count) >= JOBS) return
    await pause(20)
  }
}

/** Runners that wait, how long until they do, and for how long they are watched, in milliseconds: each asks again in that time. */
const IDLE = 2_000
const SETTLED = 10_000
const WATCHED = 60_000

const idle: DurationCase = {
  name: '2,000 idle runners, percent of a core',
  unit: 'percent',
  promise: { most: 5 },
  async measure(bench) {
    const { ingot } = bench
    const { runnersToken } = await projectWith(bench, 'ci idle', 'work:\n  script: [do it]\n  when: manual\n')
    const tokens = await inParallel(8, Array.from({ length: IDLE }), () => registerRunner(bench, runnersToken))
    const stopping = new AbortController()
    const { signal } = stopping
    const poll = async (token: string): Promise<void> => {
      let lastUpdate: string | undefined
      while (!signal.aborted) {
        const answer = await fetch(`${ingot.url}/api/v4/jobs/request`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ token, last_update: lastUpdate }),
          signal,
        })
        await answer.body?.cancel()
        lastUpdate = answer.headers.get('x-gitlab-last-update') ?? undefined
        // The interval of the ecosystem's own runner.
        await pause(3_000, undefined, { signal })
      }
    }
    const polling = Promise.allSettled(tokens.map(poll))
    await pause(SETTLED)
    const [, busy] = await busyDuring(ingot.pid, ingot.pid, () => pause(WATCHED))
    stopping.abort()
    await polling
    return { target: [busy ? ((busy.program + busy.database) * 100) / WATCHED : Number.NaN], floor: [] }
  },
}

/** Bytes that a runner sends at a time. */
const PATCH = 64 * 1024

const trace: DurationCase = {
  name: 'memory that a long log takes',
  unit: 'MB',
  promise: { most: 30 },
  async measure(bench) {
    const { ingot, size } = bench
    const limit = Math.ceil(size.traceBytes / 1024 ** 2)
    await call(ingot, 'PUT', '/application/plan_limits', { plan_name: 'default', ci_jobs_trace_size_limit: limit + 1 })
    const { runnersToken } = await projectWith(bench, 'ci log', wideFile(2))
    const runner = await registerRunner(bench, runnersToken)
    const line = 'What a program has to say of what it does.\n'
    const part = line.repeat(Math.ceil(PATCH / line.length)).slice(0, PATCH)
    const send = async (bytes: number) => {
      const job = await nextJob(bench, runner)
      for (let sent = 0; sent < bytes; sent += PATCH) {
        const headers = { 'job-token': job.token, 'content-type': 'text/plain', 'content-range': `${sent}-${sent + PATCH - 1}` }
        const answer = await fetch(`${ingot.url}/api/v4/jobs/${job.id}/trace`, { method: 'PATCH', headers, body: part })
        if (answer.status !== 202) throw new Error(`a part of a log was answered ${answer.status}: ${await answer.text()}`)
        await answer.body?.cancel()
      }
      await endJob(bench, job)
      await untilPutAway(bench, job.id)
    }
    // What the first log leaves behind is there for all that follow.
    await send(size.traceBytes / 10)
    return { target: [await growthDuring(ingot.pid, () => send(size.traceBytes))], floor: [] }
  },
}

/** Waits until the log of a job is an object. */
async function untilPutAway({ deps }: Bench, jobId: number): Promise<void> {
  const log = deps.database.db.selectFrom('job_artifacts').select('id').where('job_id', '=', jobId).where('file_type', '=', 'trace')
  while (!(await log.executeTakeFirst())) await pause(50)
}

const plan: DurationCase = {
  name: 'plan of 1,000 jobs that need one another',
  unit: 'ms',
  promise: { most: 200 },
  async measure({ rounds }) {
    const text = graphFile(1_000)
    const nothing = async () => undefined
    const target: number[] = []
    // The first is for the compiler.
    for (let round = 0; round <= rounds; round++) {
      const began = performance.now()
      const result = await planFrom(
        // Another text each time: one that was read before is not read again.
        `${text}# ${round}\n`,
        {
          source: 'push',
          ref: 'main',
          ref_type: 'branch',
          project_path: 'a/b',
          variables: [],
          changedPaths: nothing,
          files: async () => [],
          hasCluster: async () => false,
        },
        { local: nothing, project: nothing, remote: nothing, template: nothing, files: async () => [] },
      )
      if (result.kind !== 'plan') throw new Error(JSON.stringify(result))
      if (round > 0) target.push(performance.now() - began)
    }
    return { target, floor: [] }
  },
}

/** Jobs of the project whose lists are measured. */
const MANY = 1_000_000
const PER_PIPELINE = 20

/** A project with very many jobs, by SQL: half of them of success, some pending. */
async function manyJobs({ deps: { database }, world }: Bench): Promise<number> {
  const { id } = await database.db.selectFrom('projects').select('id').where('id', '=', world.projectId).executeTakeFirstOrThrow()
  const found = await database.db.selectFrom('jobs').select('id').where('project_id', '=', id).limit(1).executeTakeFirst()
  if (found) return id
  const client = await database.pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query(
      `insert into pipelines (iid, project_id, ref, sha, source, status)
       select n, $1, 'main', lpad(to_hex(n), 40, '0'), 'push', 'success' from generate_series(1, $2::int) n`,
      [id, MANY / PER_PIPELINE],
    )
    await client.query(
      `insert into jobs (project_id, pipeline_id, name, stage, stage_position, status, started_at, finished_at)
       select $1, p.id, 'job ' || n, 'test', 0, (array['success', 'success', 'failed', 'canceled'])[1 + (p.iid + n) % 4], now(), now()
         from pipelines p, generate_series(1, $2::int) n where p.project_id = $1`,
      [id, PER_PIPELINE],
    )
    await client.query('vacuum (analyze) jobs')
    await client.query('vacuum (analyze) pipelines')
  } finally {
    client.release(true)
  }
  return id
}

const listed = (name: string, query: string): RequestCase => ({
  name,
  connections: 2,
  promise: { p99: 50 },
  prepare: async bench => readRequest(bench, `/api/v4/projects/${await manyJobs(bench)}/jobs${query}`, asMember(bench)),
})

export const jobListCases: readonly RequestCase[] = [
  listed('jobs of a project with a million', ''),
  listed('failed jobs of a project with a million', '?scope=failed'),
  listed('jobs of a project with a million, of two statuses', '?scope[]=failed&scope[]=canceled'),
]

export const ciCases: readonly DurationCase[] = [plan, push, handOut, idle, trace]
