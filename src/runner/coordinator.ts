/** The client of the runner protocol: the server's calls and nothing else. */
import { openAsBlob } from 'node:fs'
import { withoutEndingSlashes } from '../platform/patterns/slashes.ts'
import { version } from '../platform/system/version.ts'
import type { Job } from './payload.ts'

/** An unexpected answer of the server. */
export class ProtocolError extends Error {
  readonly status: number

  constructor(status: number, call: string) {
    super(`${call} answered ${status}`)
    this.status = status
  }
}

/** A runner's token, and when it expires; null for never. */
export interface OwnToken {
  readonly token: string
  readonly expiresAt: string | null
}

/** Milliseconds to wait for an answer about a log or a state. */
const PATIENCE = 30_000

/** The runner's description of itself. */
const info = {
  name: 'ingot-runner',
  version,
  revision: version,
  platform: process.platform,
  architecture: process.arch,
  executor: 'shell',
  shell: 'bash',
  features: {
    variables: true,
    artifacts: true,
    cache: true,
    upload_multiple_artifacts: true,
    upload_raw_artifacts: true,
    refspecs: true,
    masking: true,
    raw_variables: true,
    artifacts_exclude: true,
    multi_build_steps: true,
    trace_reset: true,
    trace_checksum: true,
    trace_size: true,
    cancelable: true,
    return_exit_code: true,
  },
}

export interface Registration {
  readonly token: string
  readonly description: string
  readonly tags: readonly string[]
}

/** The answer to a piece of log or a report of state. */
export interface ReportAnswer {
  readonly status: number
  /** The server's view of the job: `canceled` ends it. */
  readonly jobStatus: string | null
  /** Seconds between pieces of log that the server asks for. */
  readonly interval: number | undefined
  /** Bytes of the log that the server has, if it says so. */
  readonly received: number | undefined
}

export interface Report {
  readonly state: 'running' | 'success' | 'failed'
  readonly failure_reason?: string
  readonly exit_code?: number
  readonly output: { readonly checksum: string; readonly bytesize: number }
}

/** A file to upload. */
export interface Upload {
  readonly path: string
  readonly filename: string
  readonly type: string | undefined
  readonly format: string | undefined
  readonly expireIn: string | undefined
}

export class Coordinator {
  readonly #base: string
  #lastUpdate: string | undefined

  /** @param url of the instance */
  constructor(url: string) {
    this.#base = `${withoutEndingSlashes(url)}/api/v4`
  }

  /** Registers a runner; returns its token. */
  async register({ token, description, tags }: Registration): Promise<OwnToken> {
    const body = { token, description, tag_list: tags.join(','), run_untagged: true, locked: false, active: true, info }
    const answer = await this.#send('POST', '/runners', body)
    if (answer.status !== 201) throw await failure(answer, 'registration')
    return tokenIn(answer)
  }

  /** The token with its expiry, if it is a runner's token. */
  async verify(token: string): Promise<OwnToken | undefined> {
    const answer = await this.#send('POST', '/runners/verify', { token })
    if (answer.status === 200) return { ...(await tokenIn(answer)), token }
    await answer.body?.cancel()
    if (answer.status !== 403) throw new ProtocolError(answer.status, 'verification')
    return undefined
  }

  /** Replaces the runner's token by another one. */
  async renew(token: string): Promise<OwnToken> {
    const answer = await this.#send('POST', '/runners/reset_authentication_token', { token })
    if (answer.status !== 201) throw await failure(answer, 'the renewal of the token')
    return tokenIn(answer)
  }

  /** Requests the next job; undefined if there is none. The server may delay its answer. */
  async request(token: string, signal: AbortSignal): Promise<Job | undefined> {
    const answer = await this.#send('POST', '/jobs/request', { token, info, last_update: this.#lastUpdate }, signal)
    this.#lastUpdate = answer.headers.get('x-gitlab-last-update') ?? this.#lastUpdate
    if (answer.status === 201) return (await answer.json()) as Job
    if (answer.status === 204) return undefined
    throw await failure(answer, 'the request of a job')
  }

  /** Sends a piece of the log: `bytes` from `start` on. */
  async patchTrace({ id, token }: Pick<Job, 'id' | 'token'>, start: number, bytes: Uint8Array<ArrayBuffer>): Promise<ReportAnswer> {
    const answer = await fetch(`${this.#base}/jobs/${id}/trace`, {
      method: 'PATCH',
      headers: { 'job-token': token, 'content-type': 'text/plain', 'content-range': `${start}-${start + bytes.length - 1}` },
      body: bytes,
      signal: AbortSignal.timeout(PATIENCE),
    })
    return answerOf(answer)
  }

  /** Reports the state of the job. */
  async update({ id, token }: Pick<Job, 'id' | 'token'>, report: Report): Promise<ReportAnswer> {
    const { checksum } = report.output
    const body = { token, info, checksum, ...report }
    return answerOf(await this.#send('PUT', `/jobs/${id}`, body, AbortSignal.timeout(PATIENCE)))
  }

  /** Uploads a file; retries if the server may recover. */
  async upload({ id, token }: Pick<Job, 'id' | 'token'>, file: Upload, signal: AbortSignal): Promise<void> {
    const query = new URLSearchParams()
    if (file.type) query.set('artifact_type', file.type)
    if (file.format) query.set('artifact_format', file.format)
    if (file.expireIn) query.set('expire_in', file.expireIn)
    for (let attempt = 1; ; attempt++) {
      const form = new FormData()
      form.set('file', await openAsBlob(file.path), file.filename)
      const answer = await fetch(`${this.#base}/jobs/${id}/artifacts?${query}`, {
        method: 'POST',
        headers: { 'job-token': token },
        body: form,
        signal,
      })
      if (answer.status === 201) return void (await answer.body?.cancel())
      const error = await failure(answer, 'the upload')
      const isFinal = answer.status === 403 || answer.status === 413 || answer.status === 400
      if (isFinal || attempt >= (answer.status === 503 ? 6 : 3)) throw error
      await new Promise(resolve => setTimeout(resolve, 1000 * attempt))
    }
  }

  /** The archive of another job, as a stream. It may be redirected to another store, which does not get the token. */
  async download({ id, token }: { readonly id: number; readonly token: string }, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const address = `${this.#base}/jobs/${id}/artifacts?direct_download=true`
    let answer = await fetch(address, { headers: { 'job-token': token }, redirect: 'manual', signal })
    const elsewhere = answer.status >= 300 && answer.status < 400 ? answer.headers.get('location') : null
    if (elsewhere) answer = await fetch(new URL(elsewhere, address), { signal })
    if (answer.status !== 200 || !answer.body) throw await failure(answer, 'the download')
    return answer.body
  }

  async #send(method: string, path: string, body: object, signal?: AbortSignal): Promise<Response> {
    try {
      return await fetch(`${this.#base}${path}`, {
        method,
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify(body),
        signal: signal ?? null,
      })
    } catch (error) {
      // What `fetch` says is the same for every reason, which is in its cause.
      const cause = (error as Error).cause as NodeJS.ErrnoException | undefined
      throw cause === undefined ? error : new Error(`the server does not answer (${cause.code ?? cause.message})`, { cause: error })
    }
  }
}

/** The token in an answer. Servers of level 14.0 send no expiry: it never expires. */
async function tokenIn(answer: Response): Promise<OwnToken> {
  const { token, token_expires_at } = (await answer.json()) as { token: string; token_expires_at?: string | null }
  return { token, expiresAt: token_expires_at ?? null }
}

/** Reads an answer to its end, so that its connection can be reused. */
async function failure(answer: Response, call: string): Promise<ProtocolError> {
  await answer.text().catch(() => '')
  return new ProtocolError(answer.status, call)
}

async function answerOf(answer: Response): Promise<ReportAnswer> {
  await answer.text().catch(() => '')
  const { status, headers } = answer
  const interval = Number(headers.get('x-gitlab-trace-update-interval'))
  const received = /^0-(\d+)$/.exec(headers.get('range') ?? '')?.[1]
  return {
    status,
    jobStatus: headers.get('job-status'),
    interval: Number.isInteger(interval) && interval > 0 ? Math.min(interval, 180) : undefined,
    received: received === undefined ? undefined : Number(received),
  }
}
