/**
 * The requests that clients make most cost what was looked at: so many statements and messages to the database at most, and no ten times of the
 * processor. Statements of all reading endpoints are in test/golden/queries.sql to the letter; `npm run bench -- requests` says how fast they are.
 * Processor time of this thread is held against that of work which is always the same, so that neither the machine nor its load counts.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { captureOf } from '../../bench/capture.ts'
import { buildApp } from '../../src/server/app.ts'
import { atEnd } from '../at_end.ts'
import { openScene } from '../scene.ts'

/** What a request may cost. Lower it when the request became cheaper. */
interface Limit {
  readonly statements: number
  /** Messages to the database: statements that are sent together share one. */
  readonly roundTrips: number
  /** Of `unit`: some ten times what it took when this was written. */
  readonly processor: number
}

const scene = await openScene()
// So that a slow run does not cross the interval after which a token's last use is recorded again.
scene.setTime(new Date().toISOString())
// Without the check of answers, which reads them.
const app = await buildApp(scene.deps)
atEnd(() => app.close())

const ROWS = 20
const { project, developer } = await scene.project({ members: ['developer'], visibility: 'internal' })
await scene.commit(project, { 'src/a.txt': 'a\n' })
const numbers = Array.from({ length: ROWS }, (_, number) => number)
for (const number of numbers) {
  await scene.root.post(`${project.url}/labels`, { name: `label ${number}`, color: '#123456' })
  await scene.commit(project, { [`src/${number}.txt`]: `${number}\n` })
  await scene.root.post(`${project.url}/issues`, { title: `Issue ${number}`, labels: `label ${number}` })
  await scene.project({ visibility: 'internal' })
  await scene.group({ visibility: 'internal' })
}
const proposal = await scene.mergeRequest(project)

const repository = `${project.url}/repository`
const requests: Readonly<Record<string, Limit & { readonly path: string }>> = {
  'the version': { path: '/version', statements: 1, roundTrips: 1, processor: 20 },
  'the user': { path: '/user', statements: 3, roundTrips: 3, processor: 30 },
  'an issue': { path: `${project.url}/issues/1`, statements: 6, roundTrips: 6, processor: 50 },
  'issues of a project': { path: `${project.url}/issues`, statements: 6, roundTrips: 6, processor: 50 },
  'labels of a project': { path: `${project.url}/labels`, statements: 4, roundTrips: 3, processor: 30 },
  'a project': { path: project.url, statements: 7, roundTrips: 7, processor: 50 },
  projects: { path: '/projects', statements: 8, roundTrips: 7, processor: 70 },
  groups: { path: '/groups?all_available=true', statements: 3, roundTrips: 2, processor: 25 },
  'a merge request': { path: proposal.url, statements: 13, roundTrips: 9, processor: 60 },
  'merge requests of a project': { path: `${project.url}/merge_requests`, statements: 7, roundTrips: 5, processor: 40 },
  'a raw file': { path: `${repository}/files/src%2Fa.txt/raw?ref=main`, statements: 2, roundTrips: 2, processor: 20 },
  'a tree': { path: `${repository}/tree?path=src`, statements: 2, roundTrips: 2, processor: 20 },
  commits: { path: `${repository}/commits`, statements: 2, roundTrips: 2, processor: 20 },
}

/** Requests of a sample, and samples. */
const SAMPLE = 20
const SAMPLES = 4

/** An answer of the usual size. */
const page = numbers.map(id => ({ id, title: `Title ${id}`, labels: ['one', 'two'], author: { id, name: 'Name', state: 'active' } }))
/** The work that requests are held against, in milliseconds. */
const unit = await timeOf(async () => {
  for (let count = 0; count < 50; count++) JSON.parse(JSON.stringify(page))
})

const headers = { 'private-token': developer.token }

for (const [name, { path, ...limit }] of Object.entries(requests))
  test(`${name}: ${limit.statements} statements in ${limit.roundTrips} messages at most, and no ten times of the processor`, async t => {
    const url = `/api/v4${path}`
    let [statements, roundTrips] = [0, Number.POSITIVE_INFINITY]
    // Which of two statements comes first may decide whether a third waits: what can be had with one message counts.
    for (let sample = 0; sample < 5; sample++) {
      const captured = await captureOf(app, scene.deps.database.pool, url, headers)
      statements = captured.statements.length
      roundTrips = Math.min(roundTrips, captured.roundTrips)
    }
    const processor = (await timeOf(async () => app.inject({ url, headers }))) / unit

    t.diagnostic(`${statements} statements, ${roundTrips} messages, ${processor.toFixed(1)} units of ${unit.toFixed(2)} ms`)
    assert.ok(statements <= limit.statements, `${statements} statements, ${limit.statements} at most: look at test/golden/queries.sql`)
    assert.ok(roundTrips <= limit.roundTrips, `${roundTrips} messages to the database, ${limit.roundTrips} at most`)
    assert.ok(
      processor <= limit.processor,
      `${processor.toFixed(1)} times as long as the work it is held against, ${limit.processor} at most`,
    )
  })

/** Milliseconds of the processor of this thread for each time: the least of some samples, the first of which compiles what it needs. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let sample = 0; sample < SAMPLES; sample++) {
    const before = process.threadCpuUsage()
    for (let count = 0; count < SAMPLE; count++) await work()
    const { user, system } = process.threadCpuUsage(before)
    least = Math.min(least, (user + system) / 1_000 / SAMPLE)
  }
  return least
}
