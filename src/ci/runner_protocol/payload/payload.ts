/** The payload of a job for its runner (runner protocol c.2). */

import type { TokenSigner } from '../../../identity/signing_keys/commands.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { Secret } from '../../../platform/secret.ts'
import { type ArtifactTypeName, artifactType } from '../../artifacts/types.ts'
import type { ArtifactsOption, Image, Service } from '../../config/index.ts'
import { isDebugTraced } from '../../job_variables/debug_trace.ts'
import { runnerVariablesFrom, type VariableSources } from '../../job_variables/for_job.ts'
import { tokenVariables } from '../../job_variables/id_tokens.ts'
import type { Place, PlaceProject } from '../../job_variables/place.ts'
import type { RunnerVariable } from '../../job_variables/precedence.ts'
import { registryOf, registryUser } from '../../job_variables/predefined.ts'
import { noteDebugTrace } from '../../jobs/commands.ts'
import type { JobRow } from '../../jobs/queries.ts'
import type { PipelineRow } from '../../pipelines/queries.ts'
import type { RunnerRow } from '../../runners/queries.ts'
import { failureReasons } from '../updates/failure_reasons.ts'
import { type CacheEntry, cacheOf, isKeptApart, withFallbackKey } from './cache.ts'
import type { Dependency, Missing } from './dependencies.ts'
import { type Step, stepsOf } from './steps.ts'

/** A container; null or empty means the defaults of the image. */
interface Container {
  readonly name: string
  readonly alias: string | null
  readonly entrypoint: readonly string[] | null
  readonly command: readonly string[] | null
  readonly ports: readonly number[]
}

/** Files that the runner must upload. */
interface Upload {
  readonly name?: string
  readonly untracked?: boolean
  readonly paths: readonly string[]
  readonly exclude?: readonly string[]
  readonly when?: string
  readonly expire_in?: string
  readonly artifact_type: string
  readonly artifact_format: string
}

/** A variable as the payload contains it. */
type RevealedVariable = Omit<RunnerVariable, 'value'> & { readonly value: string }

const revealed = (variable: RunnerVariable): RevealedVariable => ({ ...variable, value: variable.value.reveal() })

/** The answer to a runner that gets a job. */
export interface JobPayload {
  readonly id: number
  readonly token: string
  readonly allow_git_fetch: boolean
  /** `protected`: of a protected reference, in a project that separates those. An extension for `ingot runner`; no variable can set it. */
  readonly job_info: { name: string; stage: string; project_id: number; project_name: string; protected: boolean }
  readonly git_info: GitInfo
  readonly runner_info: { timeout: number; runner_session_url: null }
  readonly variables: readonly RevealedVariable[]
  readonly steps: readonly Step[]
  readonly image: Container | null
  readonly services: readonly Container[]
  readonly artifacts: readonly Upload[]
  readonly cache: readonly CacheEntry[]
  readonly credentials: readonly { type: string; url: string; username: string; password: string }[]
  readonly dependencies: readonly { id: number; name: string; token: string; artifacts_file: { filename: string; size: number } }[]
  readonly features: { trace_sections: boolean; failure_reasons: readonly string[] }
}

interface GitInfo {
  readonly repo_url: string
  readonly ref: string
  readonly sha: string
  readonly before_sha: string
  readonly ref_type: 'branch' | 'tag'
  readonly refspecs: readonly string[]
  /** Number of commits to fetch; 0: all. */
  readonly depth: number
}

/** git's id for a missing commit. */
const NOTHING = '0'.repeat(40)

/** The timeout of a job in seconds: that of the job or the project, limited by the runner's. Pure. */
const timeoutOf = ({ timeout }: JobRow, { build_timeout }: PlaceProject, { maximum_timeout }: RunnerRow): number =>
  Math.min(timeout ?? build_timeout, maximum_timeout ?? Number.POSITIVE_INFINITY)

/** The input of a payload. */
interface HandingOut {
  readonly token: Secret
  readonly runner: RunnerRow
  readonly dependencies: readonly (Dependency | Missing)[]
  readonly place: Place
  readonly sources: VariableSources
  readonly sign: TokenSigner
}

/** Builds the payload of a job that has just started, in the transaction of its start; records that its log may show all variables. */
export async function payloadOf(ctx: Context, job: JobRow, handing: HandingOut): Promise<JobPayload> {
  const { runner, dependencies, place, sources, sign } = handing
  const token = handing.token.reveal()
  const { project, pipeline } = place
  const timeout = timeoutOf(job, project, runner)
  const signed = await tokenVariables(sign, { job, place, sources, timeout, now: ctx.deps.now() }, () =>
    runnerVariablesFrom(sources, job, { token, runner }),
  )
  const given = runnerVariablesFrom(sources, job, { token, runner, signed })
  if (isDebugTraced(given)) await noteDebugTrace(ctx.db, job.id)
  const variables = withFallbackKey(given.map(revealed), place)
  const { image, services = [], artifacts } = job.options
  const registry = registryOf({ url: ctx.url, project })
  return {
    id: job.id,
    token,
    allow_git_fetch: project.build_git_strategy === 'fetch',
    job_info: {
      name: job.name,
      stage: job.stage,
      project_id: project.id,
      project_name: project.name,
      protected: isKeptApart(place),
    },
    git_info: gitInfo(ctx.url, { project, pipeline, token, variables }),
    runner_info: { timeout, runner_session_url: null },
    variables,
    steps: stepsOf(job.options, timeout),
    image: image ? container(image) : null,
    services: services.map(container),
    artifacts: uploadsOf(artifacts),
    cache: await cacheOf(ctx, job, place),
    credentials: registry === undefined ? [] : [{ type: 'registry', url: registry, username: registryUser, password: token }],
    dependencies: dependencies.flatMap(each =>
      each === 'missing' || !each.archive ? [] : [{ id: each.id, name: each.name, token, artifacts_file: each.archive }],
    ),
    features: { trace_sections: true, failure_reasons: failureReasons },
  }
}

const container = ({ name, entrypoint, alias, command, ports = [] }: Image & Partial<Service>): Container => ({
  name,
  alias: alias ?? null,
  entrypoint: entrypoint ?? null,
  command: command ?? null,
  ports,
})

/** Where the repository is, and what to fetch of it. Pure. */
export function gitInfo(
  url: string,
  {
    project,
    pipeline,
    token,
    variables,
  }: {
    readonly project: Pick<PlaceProject, 'full_path' | 'ci_default_git_depth'>
    readonly pipeline: Pick<PipelineRow, 'id' | 'ref' | 'tag' | 'sha' | 'before_sha'>
    readonly token: string
    readonly variables: readonly { readonly key: string; readonly value: string }[]
  },
): GitInfo {
  const { id, ref, tag, sha, before_sha } = pipeline
  const depth = depthOf(variables.findLast(({ key }) => key === 'GIT_DEPTH')?.value, project.ci_default_git_depth)
  const one = tag ? `+refs/tags/${ref}:refs/tags/${ref}` : `+refs/heads/${ref}:refs/remotes/origin/${ref}`
  const all = ['+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*']
  // The commit by its id: it can be fetched after the branch has moved or was deleted. Merge requests have no branch here.
  const own = `+${sha}:refs/pipelines/${id}`
  return {
    repo_url: `${url.replace('://', `://gitlab-ci-token:${token}@`)}/${project.full_path}.git`,
    ref,
    sha,
    before_sha: before_sha ?? NOTHING,
    ref_type: tag ? 'tag' : 'branch',
    refspecs: [own, ...(depth === 0 ? all : ref.startsWith('refs/') ? [] : [one])],
    depth,
  }
}

/** Variable `GIT_DEPTH` if it is a number, else the project's setting; 0 for all. */
function depthOf(given: string | undefined, standard: number | null): number {
  return given !== undefined && /^\d{1,9}$/.test(given) ? Number(given) : (standard ?? 0)
}

/** What the runner uploads: an archive if paths are named, and one file for each report. Pure. */
export function uploadsOf(options: ArtifactsOption | undefined): Upload[] {
  if (!options) return []
  const { name, untracked, paths = [], exclude, when, expire_in, reports = {} } = options
  const archive: Upload = {
    ...(name !== undefined && { name }),
    ...(untracked !== undefined && { untracked }),
    paths,
    ...(exclude && { exclude }),
    ...(when && { when }),
    ...(expire_in !== undefined && { expire_in }),
    artifact_type: 'archive',
    artifact_format: 'zip',
  }
  const files = Object.entries(reports).map(([type, paths]) => {
    const { format, filename } = artifactType(type as ArtifactTypeName)
    // Contract: a report is uploaded however the job ends (public documentation of `artifacts:reports`).
    return {
      ...(filename !== undefined && { name: filename }),
      paths,
      when: 'always',
      ...(expire_in !== undefined && { expire_in }),
      artifact_type: type,
      artifact_format: format,
    }
  })
  return [...(paths.length > 0 || untracked ? [archive] : []), ...files]
}
