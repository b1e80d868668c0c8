/** Starts pipelines with a token: a trigger token, or that of a running job. */
import { type Actor, provenUser } from '../../platform/access/actor.ts'
import { actingAs, findRunningJob } from '../../platform/access/credentials/credentials.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { invalid, notFound } from '../../platform/kernel/errors.ts'
import { digestOf } from '../../platform/kernel/secrets.ts'
import { causeOf } from '../../platform/kernel/vanished.ts'
import { Secret } from '../../platform/secret.ts'
import { visibleProject } from '../../spaces/projects/queries.ts'
import { jobById } from '../jobs/queries.ts'
import { refNamed } from '../named_ref.ts'
import { createPipeline, type PipelineInput } from '../pipeline_creation/create.ts'
import type { PipelineRow } from '../pipelines/queries.ts'
import { KEY, KEY_RULE } from '../variables/values.ts'
import { noteUse } from './commands.ts'
import { triggerByDigest } from './queries.ts'

/** The request that a token comes with. */
export interface Fired {
  readonly token: string
  /** A branch or tag. */
  readonly ref: string
  readonly variables?: Readonly<Record<string, string>> | undefined
}

/** The user whom a token acts for, and the source of its pipelines. */
interface Holder {
  readonly actor: Actor
  readonly input: Pick<PipelineInput, 'source' | 'trigger_id' | 'upstream'>
}

/** Contract: the request is in this variable, a file, without the token (pipeline triggers, 14.0). */
const payloadOf = (id: string, { ref, variables = {} }: Fired) => ({
  key: 'TRIGGER_PAYLOAD',
  value: new Secret(JSON.stringify({ ref, id, variables })),
  variable_type: 'file' as const,
})

/**
 * Creates a pipeline for the bearer of the token.
 * @throws Refusal 404 for a token that is not of this project, with the message for a missing project; 400 for an invalid key
 */
export async function firePipeline(ctx: Context, id: string, fired: Fired): Promise<PipelineRow> {
  const opened = async () => {
    const holder = (await holderOfTrigger(ctx, id, fired.token)) ?? (await holderOfJob(ctx, fired.token))
    const project = holder && (await visibleProject(ctx.db, holder.actor, id))
    if (!holder || !project) throw notFound()
    return { holder, project }
  }
  const { holder, project } = await opened()
  const within = { ...ctx, actor: holder.actor }
  const found = await refNamed(within, project, fired.ref)
  if (!found) throw invalid({ base: ['Reference not found'] })
  const odd = Object.keys(fired.variables ?? {}).filter(key => !new RegExp(KEY).test(key))
  if (odd.length > 0) throw invalid(Object.fromEntries(odd.map(key => [`variables[${key}]`, [KEY_RULE]])))
  const given = Object.entries(fired.variables ?? {}).map(([key, value]) => ({ key, value: new Secret(value) }))
  const variables =
    holder.input.trigger_id === undefined ? given : [...given.filter(({ key }) => key !== 'TRIGGER_PAYLOAD'), payloadOf(id, fired)]
  try {
    return await createPipeline(within, project, { ...holder.input, ...found, variables })
  } catch (error) {
    // The scope of the endpoint knows neither the project nor the token that opens it.
    throw await causeOf(error, opened)
  }
}

/** The owner of a trigger token of this project. */
async function holderOfTrigger(ctx: Context, id: string, token: string): Promise<Holder | undefined> {
  const trigger = await triggerByDigest(ctx.db, digestOf(token), ctx.now)
  const actor = trigger && (await actingAs(ctx.db, trigger.owner_id))
  if (!actor) return undefined
  const project = await visibleProject(ctx.db, actor, id)
  if (project?.id !== trigger.project_id) return undefined
  await noteUse(ctx, trigger)
  return { actor, input: { source: 'trigger', trigger_id: trigger.id } }
}

/** The user whom a running job acts for (document 1, Authentication rule 4: `token=`). */
async function holderOfJob({ db }: Context, token: string): Promise<Holder | undefined> {
  const found = await findRunningJob(db, digestOf(token))
  if (found?.credential.kind !== 'job_token') return undefined
  const job = await jobById(db, found.credential.jobId)
  if (!job) return undefined
  return {
    actor: provenUser(found.user, found.credential),
    input: { source: 'pipeline', upstream: { job_id: job.id, pipeline_id: job.pipeline_id, isChild: false } },
  }
}
