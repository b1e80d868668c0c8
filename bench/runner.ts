/** What runners do, over HTTP, as any runner does. */
import { call } from './api.ts'
import type { Bench } from './bench.ts'

/** The server that runners talk to. */
type Server = Pick<Bench, 'ingot'>

/** A project with a CI file. */
export interface Place {
  readonly id: number
  readonly runnersToken: string
  readonly path: string
}

export interface TakenJob {
  readonly id: number
  readonly token: string
}

export async function projectWith({ ingot }: Server, name: string, file: string): Promise<Place> {
  const made = await call<{ id: number; runners_token: string; path_with_namespace: string }>(ingot, 'POST', '/projects', { name })
  const { id, runners_token: runnersToken, path_with_namespace: path } = made.body
  const actions = [{ action: 'create', file_path: '.gitlab-ci.yml', content: file }]
  await call(ingot, 'POST', `/projects/${id}/repository/commits`, { branch: 'main', commit_message: 'Add CI', actions })
  return { id, runnersToken, path }
}

/** A CI file with so many jobs in one stage. */
export const wideFile = (jobs: number): string => Array.from({ length: jobs }, (_, n) => `job-${n}:\n  script: [do it]\n`).join('')

/** Registers a runner, and answers its token. */
export async function registerRunner({ ingot: { url } }: Server, token: string): Promise<string> {
  const { body } = await call<{ token: string }>({ url }, 'POST', '/runners', { token, description: 'bench' })
  return body.token
}

/** Asks for a job once; undefined where there is none, or the signal came first. */
export async function takeJob({ ingot: { url } }: Server, token: string, signal?: AbortSignal): Promise<TakenJob | undefined> {
  try {
    const { status, body } = await call<TakenJob>({ url, signal }, 'POST', '/jobs/request', { token })
    return status === 201 ? body : undefined
  } catch (error) {
    if (signal?.aborted) return undefined
    throw error
  }
}

/** Asks for a job until there is one. */
export async function nextJob(server: Server, token: string): Promise<TakenJob> {
  for (;;) {
    const job = await takeJob(server, token)
    if (job) return job
  }
}

export const endJob = ({ ingot: { url } }: Server, { id, token }: TakenJob) =>
  call({ url }, 'PUT', `/jobs/${id}`, { token, state: 'success' })
