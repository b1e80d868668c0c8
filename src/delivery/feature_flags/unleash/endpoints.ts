/**
 * What clients of Unleash ask for, with an instance ID and the name of an application, which is that of an environment (feature flags at 14.0). And, for
 * members, the instance ID.
 */
import type { Context } from '../../../platform/kernel/context.ts'
import { endpoint, one } from '../../../platform/kernel/declaration/endpoint.ts'
import { scope } from '../../../platform/kernel/declaration/scope.ts'
import { optional, text } from '../../../platform/kernel/declaration/types.ts'
import { unauthenticated } from '../../../platform/kernel/errors.ts'
import { inProject } from '../../../spaces/projects/scope.ts'
import { instanceIdOf, isInstanceId, resetInstanceId } from './commands.ts'
import { FeatureFlagsClient, UnleashFeatures, UnleashNothing } from './entity.ts'
import { unleashFeatures, unleashProject } from './queries.ts'

/** `:project_id` is a project that the caller need not see: the instance ID decides. */
export const inUnleash = scope({
  name: 'inUnleash',
  path: { project_id: text('ID or URL-encoded full path of a project') },
  load: async (_ctx, { project_id }) => ({ unleashId: project_id }),
  subject: () => ({ on: 'instance' as const }),
})

const path = '/feature_flags/unleash/:project_id' as const

const params = {
  instance_id: optional(text('The instance ID, unless `UNLEASH-INSTANCEID` has it', { maxLength: 255 })),
  app_name: optional(text('Name of the environment, unless `UNLEASH-APPNAME` has it', { maxLength: 255 })),
}

interface Asked extends Context {
  readonly unleashId: string
  readonly params: { readonly instance_id?: string | undefined; readonly app_name?: string | undefined }
}

const headerOf = ({ request }: Context, name: string): string | undefined => {
  const sent = request.headers[name]
  return typeof sent === 'string' && sent !== '' ? sent : undefined
}

/** The id of the project whose instance ID was shown; 401 for every other request, also where flags are switched off in the project. */
async function projectShown(ctx: Asked): Promise<number> {
  const shown = headerOf(ctx, 'unleash-instanceid') ?? ctx.params.instance_id
  const project = shown === undefined ? undefined : await unleashProject(ctx.db, ctx.unleashId)
  if (shown === undefined || !project || project.operations_access_level === 'disabled') throw unauthenticated()
  if (!(await isInstanceId(ctx, project.id, shown))) throw unauthenticated()
  return project.id
}

/** Contract: without the name of an application there are no flags, rather than all of them (public behaviour). */
async function features(ctx: Asked) {
  const projectId = await projectShown(ctx)
  const environment = headerOf(ctx, 'unleash-appname') ?? ctx.params.app_name
  return { version: 1, features: environment ? await unleashFeatures(ctx, projectId, environment) : [] }
}

/** Contract: what clients say of themselves is taken and not kept (public behaviour). */
async function taken(ctx: Asked) {
  await projectShown(ctx)
  return {}
}

const asked = { scope: inUnleash, can: 'read_instance', params } as const

export const unleashRoot = endpoint({
  ...asked,
  route: `GET ${path}`,
  summary: 'Ask whether an instance ID is valid',
  answers: one(UnleashNothing),
  run: taken,
})

export const listUnleashFeatures = endpoint({
  ...asked,
  route: `GET ${path}/client/features`,
  summary: 'List the feature flags of an environment, for clients of Unleash',
  answers: one(UnleashFeatures),
  run: features,
})

export const listUnleashFeaturesByFormerAddress = endpoint({
  ...asked,
  route: `GET ${path}/features`,
  summary: 'List the feature flags of an environment, for older clients of Unleash',
  answers: one(UnleashFeatures),
  run: features,
})

export const registerUnleashClient = endpoint({
  ...asked,
  route: `POST ${path}/client/register`,
  summary: 'Say which client of Unleash asks',
  anonymous: true,
  answers: one(UnleashNothing, 200),
  run: taken,
})

export const sendUnleashMetrics = endpoint({
  ...asked,
  route: `POST ${path}/client/metrics`,
  summary: 'Say how often flags were asked for',
  anonymous: true,
  answers: one(UnleashNothing, 200),
  run: taken,
})

const shown = async (ctx: Context & { readonly project: { readonly id: number } }, instanceId: ReturnType<typeof instanceIdOf>) => ({
  api_url: `${ctx.url}/api/v4/feature_flags/unleash/${ctx.project.id}`,
  instance_id: (await instanceId).reveal(),
})

export const getFeatureFlagsClient = endpoint({
  route: 'GET /projects/:id/feature_flags_client',
  summary: 'Get what applications need to read the feature flags of a project',
  scope: inProject,
  can: 'read_feature_flag',
  answers: one(FeatureFlagsClient),
  run: ctx => shown(ctx, instanceIdOf(ctx, ctx.project.id)),
})

export const resetFeatureFlagsClientToken = endpoint({
  route: 'POST /projects/:id/feature_flags_client/reset_token',
  summary: 'Replace the instance ID that applications read the feature flags of a project with',
  scope: inProject,
  can: 'admin_feature_flags_client',
  answers: one(FeatureFlagsClient),
  run: ctx => shown(ctx, resetInstanceId(ctx, ctx.project.id)),
})
