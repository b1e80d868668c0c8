/** Load: autocannon in a process of its own, so that it takes nothing from whom it measures but the processor. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { environment } from './environment.ts'

const run = promisify(execFile)
const autocannon = fileURLToPath(import.meta.resolve('autocannon'))

/** Connections that ask one request after the other unless a case says otherwise; the same for target and floor. */
export const CONNECTIONS = 10

/** What is asked again and again. */
export interface Question {
  readonly headers: Readonly<Record<string, string>>
  /** Sent by POST; `[<id>]` in it is another text each time. */
  readonly body?: string | undefined
  readonly connections: number
}

/** What some seconds of load came to. */
export interface Load {
  readonly requests: number
  readonly requestsPerSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Of one answer, its headers included. */
  readonly bytes: number
}

/** Asks `url` for `seconds` seconds; rejects unless every answer was a 2xx. */
export async function load(url: string, { headers, body, connections }: Question, seconds: number): Promise<Load> {
  const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`])
  const sent = body === undefined ? [] : ['-m', 'POST', '-I', '-b', body]
  const args = [autocannon, '--json', '--no-progress', '-c', String(connections), '-d', String(seconds), ...given, ...sent, url]
  const { stdout } = await run(process.execPath, args, { env: environment, timeout: (seconds + 30) * 1_000, maxBuffer: 16 * 1024 * 1024 })
  const result = JSON.parse(stdout) as Result
  if (result.non2xx + result.errors + result.timeouts > 0 || result['2xx'] === 0)
    throw new Error(
      `${url}: ${result['2xx']} good answers, ${result.non2xx} others, ${result.errors} errors, ${result.timeouts} timeouts; ${await answerTo(url, headers, body)}`,
    )
  const { '2xx': requests, latency, throughput, duration } = result
  return { requests, requestsPerSecond: requests / duration, p50: latency.p50, p99: latency.p99, bytes: throughput.total / requests }
}

/** Status and beginning of the answer to one more request: says why requests are refused. */
async function answerTo(url: string, headers: Question['headers'], body: string | undefined): Promise<string> {
  const sent = body === undefined ? {} : { method: 'POST', body: body.replaceAll('[<id>]', randomUUID()) }
  const answer = await fetch(url, { headers, ...sent })
  return `asked once more: ${answer.status} ${(await answer.text()).slice(0, 300)}`
}

/** The part of autocannon's report that counts here. */
interface Result {
  readonly '2xx': number
  readonly non2xx: number
  readonly errors: number
  readonly timeouts: number
  /** Seconds. */
  readonly duration: number
  readonly throughput: { readonly total: number }
  readonly latency: { readonly p50: number; readonly p99: number }
}
