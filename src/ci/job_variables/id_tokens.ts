/**
 * Tokens by which a job proves to other services what it is: `CI_JOB_JWT` of 14.0 (and `CI_JOB_JWT_V2` of 14.7), and those that the CI file asks
 * for by `id_tokens`. Signed by the instance; services verify them with its published keys.
 */
import { randomUUID } from 'node:crypto'
import type { TokenSigner } from '../../identity/signing_keys/commands.ts'
import type { Secret } from '../../platform/secret.ts'
import type { JobRow } from '../jobs/queries.ts'
import { expanderWith } from './expand_secret.ts'
import type { VariableSources } from './for_job.ts'
import type { Place } from './place.ts'
import type { RunnerVariable } from './precedence.ts'

/** Seconds for which a token is valid at least, and by which the clocks of others may be behind. */
const SHORTEST = 300
const CLOCK_SKEW = 5

/** What is known of the job when its runner is assigned. */
export interface SignedJob {
  readonly job: JobRow
  readonly place: Place
  readonly sources: VariableSources
  /** Seconds that the job may run: the life of its tokens. */
  readonly timeout: number
  readonly now: Date
}

/** The claims of a job that all of its tokens have. Pure. */
export function jobClaims({ job, place, sources, timeout, now }: SignedJob) {
  const { facts, environment } = sources
  const { project, pipeline } = place
  const { user } = facts
  const { ref, ref_type } = facts.pipeline
  const ref_path = ref_type === 'merge_request' ? pipeline.ref : `refs/${ref_type === 'tag' ? 'tags' : 'heads'}/${ref}`
  const issued = Math.floor(now.getTime() / 1000)
  // A file of this project alone: others are named with their project.
  const config = project.ci_config_path || '.gitlab-ci.yml'
  return {
    iat: issued,
    nbf: issued - CLOCK_SKEW,
    exp: issued + Math.max(timeout, SHORTEST),
    namespace_id: String(project.namespace_traversal_ids.at(-1)),
    namespace_path: project.namespace_full_path,
    project_id: String(project.id),
    project_path: project.full_path,
    project_visibility: project.visibility,
    ...(user && { user_id: String(user.id), user_login: user.username, user_email: user.email }),
    pipeline_id: String(pipeline.id),
    pipeline_source: pipeline.source,
    job_id: String(job.id),
    ref,
    ref_type: ref_type === 'merge_request' ? 'branch' : ref_type,
    ref_path,
    ref_protected: String(pipeline.protected),
    sha: pipeline.sha,
    ...(/[@:]/.test(config)
      ? {}
      : { ci_config_ref_uri: `${new URL(facts.url).host}/${project.full_path}//${config}@${ref_path}`, ci_config_sha: pipeline.sha }),
    ...(job.runner_id !== null && { runner_id: job.runner_id, runner_environment: 'self-hosted' }),
    ...(environment && {
      environment: environment.name,
      environment_protected: String(environment.isProtected === true),
      ...(environment.tier && { deployment_tier: environment.tier }),
      environment_action: job.options.environment?.action ?? 'start',
    }),
  }
}

const masked = (key: string, value: Secret): RunnerVariable => ({ key, value, public: false, file: false, masked: true, raw: true })

/**
 * The variables with the tokens of a job: those that it asks for, or else those that every job has.
 * @param known its other variables, to which an audience may refer; asked for only where one does
 */
export async function tokenVariables(
  sign: TokenSigner,
  signed: SignedJob,
  known: () => readonly RunnerVariable[],
): Promise<RunnerVariable[]> {
  const { url } = signed.sources.facts
  const claims = jobClaims(signed)
  const sub = `project_path:${claims.project_path}:ref_type:${claims.ref_type}:ref:${claims.ref}`
  const token = async (key: string, own: { readonly iss: string; readonly sub: string; readonly aud?: string | string[] }) =>
    masked(key, await sign({ ...own, jti: randomUUID(), ...claims }))
  const wanted = Object.entries(signed.job.options.id_tokens ?? {})
  if (wanted.length > 0) {
    const audienceOf = audiences(wanted, known)
    return Promise.all(wanted.map(([key, { aud }]) => token(key, { iss: url, sub, aud: audienceOf(aud) })))
  }
  // Contract: the first form names the host alone, and has no audience (public documentation of 14.0).
  const first = await token('CI_JOB_JWT', { iss: new URL(url).host, sub: `job_${signed.job.id}` })
  return [first, { ...first, key: 'CI_JOB_JWT_V1' }, await token('CI_JOB_JWT_V2', { iss: url, sub, aud: url })]
}

/** Expands the references in audiences. */
function audiences(
  wanted: readonly (readonly [string, { readonly aud: string | readonly string[] }])[],
  known: () => readonly RunnerVariable[],
): (aud: string | readonly string[]) => string | string[] {
  const refers = wanted.some(([, { aud }]) => [aud].flat().some(text => text.includes('$')))
  const { published } = expanderWith(refers ? known() : [])
  return aud => (typeof aud === 'string' ? published(aud) : aud.map(published))
}
