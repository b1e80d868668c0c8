/** For tests: runners as clients, written from the protocol sheet, and jobs for them. */
import { crc32 } from 'node:zlib'
import type { Answer, Client, Scene, SceneProject } from '../../../test/scene.ts'
import { nextIid } from '../../spaces/places/iids.ts'
import { runnersTokensOf } from '../../spaces/runners_tokens/commands.ts'
import type { JobOptions, PlanVariable } from '../config/index.ts'
import type { JobRow } from '../jobs/queries.ts'

/** The description of a runner of level 14.0. */
export const info = {
  name: 'gitlab-runner',
  version: '14.0.0',
  revision: '3b6f852e',
  platform: 'linux',
  architecture: 'amd64',
  executor: 'shell',
  shell: 'bash',
  features: {
    variables: true,
    image: false,
    services: false,
    artifacts: true,
    cache: true,
    shared: true,
    upload_multiple_artifacts: true,
    upload_raw_artifacts: true,
    session: true,
    terminal: true,
    refspecs: true,
    masking: true,
    proxy: false,
    raw_variables: true,
    artifacts_exclude: true,
    multi_build_steps: true,
    trace_reset: true,
    trace_checksum: true,
    trace_size: true,
    vault_secrets: true,
    cancelable: true,
    return_exit_code: true,
  },
  config: { gpus: '' },
}

/** A registered runner. */
export interface SceneRunner {
  readonly id: number
  readonly token: string
  /** Requests a job. */
  ask(more?: object): Promise<Answer>
}

/** An assigned job. */
export interface SceneRun {
  readonly id: number
  readonly token: string
  /** Sends a part of the log; `at` is an offset in the whole text so far. */
  trace(text: string | Buffer, at: number, headers?: Record<string, string>): Promise<Answer>
  update(body: object): Promise<Answer>
  /** The final update, with the checksum of the whole log. */
  finish(state: 'success' | 'failed', log: string, more?: object): Promise<Answer>
}

/** Registers a runner of the instance, or of a project or group. */
export async function registered(
  scene: Scene,
  place: { readonly project?: { readonly id: number }; readonly group?: { readonly id: number } } = {},
  attributes: object = {},
): Promise<SceneRunner> {
  const answer = await scene.anonymous.post('/runners', { token: await registrationToken(scene, place), info, ...attributes })
  if (answer.status !== 201) throw new Error(`the scene's runner was refused: ${answer.status} ${JSON.stringify(answer.body)}`)
  return runnerWith(scene.anonymous, answer.body)
}

export const runnerWith = (client: Client, { id, token }: { readonly id: number; readonly token: string }): SceneRunner => ({
  id,
  token,
  ask: (more = {}) => client.post('/jobs/request', { token, info, ...more }),
})

/** The registration token of an instance, project or group. */
export async function registrationToken(
  scene: Scene,
  { project, group }: { readonly project?: { readonly id: number }; readonly group?: { readonly id: number } },
): Promise<string> {
  if (!project && !group) return (await scene.root.post('/runners/reset_registration_token')).body.token
  const holder = project ? 'project_id' : 'namespace_id'
  const id = (project ?? group)!.id
  return (await scene.run(undefined, ctx => runnersTokensOf(ctx, holder, [id]))).get(id)!.reveal()
}

/** The job that a runner was assigned. */
export function runOf(client: Client, { id, token }: { readonly id: number; readonly token: string }): SceneRun {
  const update: SceneRun['update'] = body => client.put(`/jobs/${id}`, { token, info, ...body })
  return {
    id,
    token,
    update,
    trace(text, at, headers = {}) {
      const bytes = Buffer.from(text)
      const range = `${at}-${at + bytes.length - 1}`
      return client.patch(`/jobs/${id}/trace`, bytes, {
        'job-token': token,
        'content-type': 'text/plain',
        'content-range': range,
        ...headers,
      })
    },
    finish(state, log, more = {}) {
      const checksum = `crc32:${crc32(log).toString(16).padStart(8, '0')}`
      return update({ state, checksum, output: { checksum, bytesize: Buffer.byteLength(log) }, ...more })
    },
  }
}

export interface ProtocolJobOptions {
  readonly name?: string
  readonly tags?: readonly string[]
  readonly protected?: boolean
  readonly status?: JobRow['status']
  readonly stage_position?: number
  readonly scheduling?: 'stage' | 'dag'
  readonly options?: JobOptions
  readonly variables?: readonly PlanVariable[]
  readonly pipelineId?: number
  readonly timeout?: number
  readonly user_id?: number
  readonly runner_id?: number
}

/** A commit for the jobs of a project. */
export const committed = (scene: Scene, project: SceneProject): Promise<string> => scene.commit(project, { 'README.md': 'Hello.\n' })

/** A job in a pipeline of its own and pending by default; only rows, since the tests begin there. */
export async function jobIn(
  scene: Scene,
  project: { readonly id: number },
  input: ProtocolJobOptions = {},
): Promise<{ id: number; pipelineId: number }> {
  const { db } = scene.deps.database
  const { pipelineId = await pipelineIn(scene, project), options, name = 'build', status = 'pending', variables = [], ...rest } = input
  const values = {
    project_id: project.id,
    pipeline_id: pipelineId,
    name,
    stage: 'test',
    stage_position: 0,
    status,
    user_id: scene.root.id,
    ...rest,
  }
  const { id } = await db
    .insertInto('jobs')
    .values({
      ...values,
      tags: [...(rest.tags ?? [])],
      options: JSON.stringify(options ?? { script: ['true'] }),
      variables: JSON.stringify(variables),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, pipelineId }
}

/** A pipeline of the branch `main`. */
export async function pipelineIn(
  scene: Scene,
  project: { readonly id: number },
  more: { sha?: string; ref?: string; locked?: boolean } = {},
): Promise<number> {
  const iid = await scene.run(undefined, ctx => nextIid(ctx.db, { project_id: project.id }, 'pipeline'))
  const values = { iid, project_id: project.id, ref: 'main', sha: 'a'.repeat(40), source: 'push', status: 'pending' } as const
  const row = await scene.deps.database.db
    .insertInto('pipelines')
    .values({ ...values, stages: ['build', 'test'], user_id: scene.root.id, ...more })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}
