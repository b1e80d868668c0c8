/** What went wrong inside the server during a test: an unforeseen failure fails the test that met it. */
import { Writable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'

export interface FailureLog {
  readonly log: FastifyBaseLogger
  /** The failures so far, as the log has them. */
  readonly lines: readonly Record<string, unknown>[]
  /** Adds a failure that the log does not know of. */
  report(line: string): void
  /** @throws Error that tells the failures since the last call */
  assertNone(): void
}

/** A log that keeps errors and forgets the rest. */
export function startFailureLog(): FailureLog {
  const lines: Record<string, unknown>[] = []
  let reported = 0
  const keep = new Writable({
    write(line: Buffer, _encoding, done) {
      lines.push(JSON.parse(line.toString('utf8')))
      done()
    },
  })
  return {
    log: pino({ level: 'error' }, keep) as FastifyBaseLogger,
    lines,
    report: msg => {
      lines.push({ msg })
    },
    assertNone() {
      const fresh = lines.slice(reported)
      reported = lines.length
      if (fresh.length > 0) throw new Error(`The server failed:\n${fresh.map(describe).join('\n')}`)
    },
  }
}

function describe({ method, path, msg, err }: Record<string, unknown>): string {
  const { stack } = (err ?? {}) as { stack?: string }
  return [method, path, msg, stack].filter(part => part !== undefined).join(' ')
}
