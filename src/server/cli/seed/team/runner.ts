/** A runner of the demo world: takes the jobs of a pipeline and ends them as the story has it. */
import { gzipSync } from 'node:zlib'
import type { Clients, Clock } from '../../../worlds/clients.ts'
import { junit } from './files.ts'

/** How jobs end: those named fail, with this line. */
export type Failures = Readonly<Record<string, string>>

const second = 1000

/** How long each job takes in the story, in milliseconds. */
const durations: Readonly<Record<string, number>> = {
  build: 48 * second,
  'unit tests': 95 * second,
  lint: 21 * second,
  production: 34 * second,
}

export class DemoRunner {
  readonly #clients: Clients
  readonly #clock: Clock
  readonly #token: string

  private constructor(clients: Clients, clock: Clock, token: string) {
    this.#clients = clients
    this.#clock = clock
    this.#token = token
  }

  /** Registers it in a project. */
  static async register(clients: Clients, clock: Clock, registrationToken: string): Promise<DemoRunner> {
    const { token } = await clients.call({}, 'POST /runners', { token: registrationToken, description: 'Runner of the demo world' })
    return new DemoRunner(clients, clock, token)
  }

  /** Removes it: it runs nothing else. */
  async remove(): Promise<void> {
    await this.#clients.call({}, 'DELETE /runners', { token: this.#token })
  }

  /** Runs the next job, if one waits. */
  async runOne(failures: Failures): Promise<boolean> {
    const job = await this.#clients.call({}, 'POST /jobs/request', {
      token: this.#token,
      info: { name: 'demo', features: { trace_reset: true, artifacts: true, upload_multiple_artifacts: true } },
    })
    if (!job) return false
    const { name } = job.job_info as { name: string }
    const failure = failures[name]
    const headers = { 'job-token': job.token as string }
    this.#clock.now = new Date(this.#clock.now.getTime() + (durations[name] ?? 30 * second))
    await this.#write(job, logOf(name, failure))
    if (name === 'unit tests') {
      const form = new FormData()
      form.append('artifact_type', 'junit')
      form.append('artifact_format', 'gzip')
      form.append('file', new Blob([gzipSync(junit(failure))]), 'junit.xml.gz')
      await this.#clients.call(headers, `POST /jobs/${job.id}/artifacts`, form)
    }
    const end = failure === undefined ? { state: 'success' } : { state: 'failed', failure_reason: 'script_failure', exit_code: 1 }
    await this.#clients.call({}, `PUT /jobs/${job.id}`, { token: job.token, ...end })
    return true
  }

  async #write(job: { readonly id: number; readonly token: string }, log: string): Promise<void> {
    const bytes = Buffer.from(log)
    await this.#clients.call(
      { 'job-token': job.token, 'content-type': 'text/plain', 'content-range': `0-${bytes.length - 1}` },
      `PATCH /jobs/${job.id}/trace`,
      bytes,
    )
  }
}

const green = (text: string) => `\u001b[32;1m${text}\u001b[0;m\n`
const red = (text: string) => `\u001b[31;1m${text}\u001b[0;m\n`

const commands: Readonly<Record<string, readonly string[]>> = {
  build: ['node build.js', 'wrote public/index.html (1.2 KB)'],
  'unit tests': ['node --test --test-reporter=junit > report.xml'],
  lint: ['node lint.js', 'checked 5 files'],
  production: ['./deploy.sh production', 'https://beacon.example.com answers'],
}

function logOf(name: string, failure: string | undefined): string {
  const [command = 'true', ...lines] = commands[name] ?? []
  const end = failure === undefined ? green('Job succeeded') : `${failure}\n${red('ERROR: Job failed: exit code 1')}`
  return `Running with the runner of the demo world\n${green(`$ ${command}`)}${lines.map(line => `${line}\n`).join('')}${end}`
}
