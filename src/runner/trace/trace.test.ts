/** The log on its way to the server, by the rules of the runner protocol c.3 and c.4. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { eventually } from '../../../test/eventually.ts'
import type { Coordinator, Report, ReportAnswer } from '../coordinator.ts'
import { Trace } from './trace.ts'

const answer = (status: number, more: Partial<ReportAnswer> = {}): ReportAnswer => ({
  status,
  jobStatus: null,
  interval: undefined,
  received: undefined,
  ...more,
})

/** A server that stores a log; prepared answers come first. */
class Server {
  log = Buffer.alloc(0)
  readonly reports: Report[] = []
  readonly patches: ReportAnswer[] = []
  readonly updates: ReportAnswer[] = []

  async patchTrace(_job: unknown, start: number, bytes: Uint8Array): Promise<ReportAnswer> {
    const odd = this.patches.shift()
    if (odd) return odd
    if (start !== this.log.length) return answer(416, { received: this.log.length })
    this.log = Buffer.concat([this.log, bytes])
    return answer(202)
  }

  async update(_job: unknown, report: Report): Promise<ReportAnswer> {
    this.reports.push(report)
    return this.updates.shift() ?? answer(200)
  }
}

function open(server: Server, secrets: string[] = [], onAbort: (status: string) => void = () => assert.fail('nobody aborts')) {
  return new Trace({ coordinator: server as unknown as Coordinator, job: { id: 1, token: 'token' }, secrets, onAbort })
}

const checksum = (text: string) => ({ checksum: `crc32:${crc32(text).toString(16).padStart(8, '0')}`, bytesize: Buffer.byteLength(text) })

test('all of the log arrives, masked, with its checksum in the last report', async () => {
  const server = new Server()
  const trace = open(server, ['secret'])

  trace.write('a sec')
  trace.write('ret word\n')
  await trace.finish({ state: 'success' })

  assert.equal(server.log.toString(), 'a [MASKED] word\n')
  assert.deepEqual(server.reports, [{ state: 'success', output: checksum('a [MASKED] word\n') }])
})

test('a piece that does not fit is sent again from where the server is', async () => {
  const server = new Server()
  server.patches.push(answer(500), answer(416, { received: 0 }))
  const trace = open(server)

  trace.write('hello')
  await trace.finish({ state: 'failed', failure_reason: 'script_failure', exit_code: 3 })

  assert.equal(server.log.toString(), 'hello')
  assert.deepEqual(server.reports, [{ state: 'failed', failure_reason: 'script_failure', exit_code: 3, output: checksum('hello') }])
})

test('the beginning of a log is sent soon, although the server asks for a longer interval', async () => {
  const server = new Server()
  server.patches.push(answer(500, { interval: 3600 }))
  const trace = open(server)
  trace.write('Running\n')
  await eventually(() => server.patches.length === 0, 'the first piece')

  trace.write('the first line of the script\n')

  await eventually(() => server.log.includes('the first line'), 'the next piece, long before the interval')
  await trace.finish({ state: 'success' })
})

test('412 has the log sent from the beginning, and 202 has the report sent again', async () => {
  const server = new Server()
  const trace = open(server)
  trace.write('hello')
  server.updates.push(answer(202), answer(412))
  const { update } = server
  server.update = async (job, report) => {
    const answer = await update.call(server, job, report)
    if (answer.status === 412) server.log = Buffer.alloc(0)
    return answer
  }

  await trace.finish({ state: 'success' })

  assert.equal(server.log.toString(), 'hello')
  assert.equal(server.reports.length, 3)
})

test('a job that the server has canceled is aborted once', async () => {
  const server = new Server()
  server.patches.push(answer(202, { jobStatus: 'canceled' }))
  const seen = Promise.withResolvers<string>()
  const trace = open(server, [], seen.resolve)

  trace.write('hello')

  assert.equal(await seen.promise, 'canceled')
  server.updates.push(answer(403, { jobStatus: 'canceled' }))
  await trace.finish({ state: 'failed', failure_reason: 'unknown_failure' })
  assert.equal(server.reports.length, 1)
})

test('a log that is too long is cut, with a word about it', async () => {
  const server = new Server()
  const trace = open(server)

  for (let written = 0; written < 6; written++) trace.write(Buffer.alloc(1024 * 1024, 'x'))
  await trace.finish({ state: 'success' })

  assert.match(server.log.subarray(4 * 1024 * 1024).toString(), /^\n.*left out/)
})
