/**
 * Writes of runners. A runner's token is shown once, when it is created; its digest is stored. The database announces each change, which
 * wakes runners that wait for jobs (migration `queue_announcements`).
 */

import { allows } from '../../platform/access/abilities.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import { roles } from '../../platform/access/open_to.ts'
import { isProjectMember } from '../../platform/access/visible.ts'
import { changesExcept } from '../../platform/events/audit/changes.ts'
import { inPlace } from '../../platform/events/audit/entry.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { badRequest, forbidden, missing, notFound } from '../../platform/kernel/errors.ts'
import { digestOf, newToken } from '../../platform/kernel/secrets.ts'
import type { Secret } from '../../platform/secret.ts'
import { visibleGroup } from '../../spaces/groups/queries.ts'
import { groupSubject } from '../../spaces/groups/scope.ts'
import { findProject, projectSubject } from '../../spaces/projects/scope.ts'
import { placeOfRunnersToken, type RegistrationPlace } from '../../spaces/runners_tokens/commands.ts'
import { factsOf, type RunnerInfo, rejectToken } from './access.ts'
import { assertUsable, columnsOf, type RunnerAttributes } from './attributes.ts'
import { type RunnerRow, tokenEnd, visibleRunner } from './queries.ts'

/** A runner with its token, when the token is known. */
export type FreshRunner = RunnerRow & { readonly token: Secret }

/** Characters of a token that identify a runner to users. */
const SHOWN = 8

/** Prefix of the tokens of runners that users created: it tells them from registration tokens (runner protocol c.7). */
const MADE_BY_PEOPLE = 'glrt-'

function tokenColumns(token: Secret, now: Date) {
  const text = token.reveal()
  const random = text.slice(text.startsWith(MADE_BY_PEOPLE) ? MADE_BY_PEOPLE.length : 0)
  return { token_digest: digestOf(token), token_created_at: now, short_token: random.slice(0, SHOWN) }
}

/** Creates a runner; 400 if it could run no job. */
async function addRunner(
  ctx: Context,
  place: RegistrationPlace,
  attributes: RunnerAttributes,
  { token, facts = {} }: { readonly token: Secret; readonly facts?: Partial<RunnerRow> },
): Promise<FreshRunner> {
  const { db, now } = ctx
  const columns = columnsOf(attributes)
  assertUsable({ run_untagged: true, tags: [], maximum_timeout: null, ...columns })
  const made = await db
    .insertInto('runners')
    .values({ ...columns, ...facts, ...tokenColumns(token, now), runner_type: place.type, created_at: now, updated_at: now })
    .returningAll()
    .returning(tokenEnd)
    .executeTakeFirstOrThrow()
  if (place.type === 'group_type')
    await db.insertInto('runner_groups').values({ runner_id: made.id, namespace_id: place.groupId }).execute()
  if (place.type === 'project_type')
    await db.insertInto('runner_projects').values({ runner_id: made.id, project_id: place.projectId, created_at: now }).execute()
  await recordEvent(ctx, {
    kind: 'runner.registered',
    payload: { id: made.id, name: nameOf(made) },
    ...(place.type === 'group_type' && { namespaceId: place.groupId }),
    ...(place.type === 'project_type' && { projectId: place.projectId }),
  })
  return { ...made, token }
}

/** Registers a runner with a token of the instance, a group or a project (runner protocol c.1); 403 for any other token. */
export async function registerRunner(
  ctx: Context,
  registrationToken: string,
  attributes: RunnerAttributes,
  info: RunnerInfo,
): Promise<FreshRunner> {
  const place = (await placeOfRunnersToken(ctx, registrationToken)) ?? (await rejectToken(ctx))
  const facts = { ...factsOf(info), ip_address: ctx.request.ip }
  return addRunner(ctx, place, attributes, { token: newToken(), facts })
}

/** What a new runner serves. */
export interface RunnerInput extends RunnerAttributes {
  readonly runner_type: RunnerRow['runner_type']
  readonly group_id?: number | undefined
  readonly project_id?: number | undefined
}

/**
 * Creates a runner whose token its creator passes on (runner protocol c.7). 403 unless the creator administers the instance, owns the
 * group or maintains the project; 404 for a group or project that they may not see; 400 if none is named.
 */
export async function createRunnerFor(
  ctx: Context,
  { runner_type, group_id, project_id, ...attributes }: RunnerInput,
): Promise<FreshRunner> {
  const place = await placeFor(ctx, runner_type, { group_id, project_id })
  return addRunner(ctx, place, attributes, { token: newToken(MADE_BY_PEOPLE) })
}

async function placeFor(
  { db, actor }: Context,
  type: RunnerRow['runner_type'],
  { group_id, project_id }: Pick<RunnerInput, 'group_id' | 'project_id'>,
): Promise<RegistrationPlace> {
  if (type === 'instance_type') {
    if (!isAdmin(actor)) throw forbidden()
    return { type }
  }
  if (type === 'group_type') {
    if (group_id === undefined) throw missing('group_id')
    const group = await visibleGroup(db, actor, String(group_id))
    if (!group) throw notFound('Group')
    if (allows(actor, 'admin_group_runners', groupSubject(group)) !== 'yes') throw forbidden()
    return { type, groupId: group.id }
  }
  if (project_id === undefined) throw missing('project_id')
  const project = await findProject(db, actor, String(project_id))
  const verdict = allows(actor, 'admin_project_runners', projectSubject(project))
  if (verdict === 'hidden') throw notFound()
  if (verdict === 'no') throw forbidden()
  return { type, projectId: project.id }
}

/** The project that a runner was made for: of those that it serves, the one that has it for longest. */
const firstProject = (db: Context['db'], { id }: Pick<RunnerRow, 'id'>) =>
  db
    .selectFrom('runner_projects')
    .innerJoin('projects', 'projects.id', 'runner_projects.project_id')
    .select('runner_projects.project_id')
    .where('runner_id', '=', id)
    .orderBy('runner_projects.created_at')
    .orderBy('runner_projects.project_id')
    .limit(1)

/**
 * 403 for those who manage a runner by a further project alone, to which it was given. Its token opens the jobs of all of its projects, with their
 * variables, and the machine is that of the first one.
 */
async function assertManagesFirst({ db, actor }: Pick<Context, 'db' | 'actor'>, runner: RunnerRow): Promise<void> {
  if (isAdmin(actor) || runner.runner_type !== 'project_type') return
  const first = await firstProject(db, runner)
    .select(isProjectMember(actor.user?.id ?? 0, roles.maintainer).as('managed'))
    .executeTakeFirst()
  if (!first?.managed) throw forbidden('Runner associated with more than one project')
}

/** Does a change open the runner to jobs that it was kept from? */
const opens = (before: RunnerRow, { access_level, locked, run_untagged, tags }: Partial<RunnerRow>): boolean =>
  (before.access_level === 'ref_protected' && access_level === 'not_protected') ||
  (before.locked && locked === false) ||
  (!before.run_untagged && run_untagged === true) ||
  (tags?.some(tag => !before.tags.includes(tag)) ?? false)

/** Changes a runner; 400 if it could then run no job; 403 for who may not if it then ran more. */
export async function updateRunner(ctx: Context, runner: RunnerRow, attributes: RunnerAttributes): Promise<RunnerRow> {
  const { db, now } = ctx
  const columns = columnsOf(attributes)
  assertUsable({ ...runner, ...columns })
  if (opens(runner, columns)) await assertManagesFirst(ctx, runner)
  const payload = { id: runner.id, name: nameOf(runner), changes: changesExcept(runner, columns, []) }
  await recordEvent(ctx, { kind: 'runner.updated', payload, ...(await placeOfRunner(db, runner)) })
  return db
    .updateTable('runners')
    .set({ ...columns, updated_at: now })
    .where('id', '=', runner.id)
    .returningAll('runners')
    .returning(tokenEnd)
    .executeTakeFirstOrThrow()
}

/** Replaces the token of a runner; the former one becomes invalid. */
export async function resetToken(ctx: Context, runner: RunnerRow): Promise<FreshRunner> {
  const { db, now } = ctx
  const token = newToken()
  const changed = await db
    .updateTable('runners')
    .set({ ...tokenColumns(token, now), updated_at: now })
    .where('id', '=', runner.id)
    .returningAll('runners')
    .returning(tokenEnd)
    .executeTakeFirstOrThrow()
  await recordEvent(ctx, {
    kind: 'runner.token_reset',
    payload: { id: runner.id, name: nameOf(runner) },
    ...(await placeOfRunner(db, runner)),
  })
  return { ...changed, token }
}

/** The same for users; 403 for those who manage it by a further project alone. */
export async function resetManagedToken(ctx: Context, runner: RunnerRow): Promise<FreshRunner> {
  await assertManagesFirst(ctx, runner)
  return resetToken(ctx, runner)
}

/** Removes a runner. Finished jobs stay; running ones are lost, and time out. */
export async function removeRunner(ctx: Context, runner: Pick<RunnerRow, 'id' | 'description' | 'short_token'>): Promise<void> {
  const place = await placeOfRunner(ctx.db, runner)
  await ctx.db.deleteFrom('runners').where('id', '=', runner.id).returning('id').executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'runner.removed', payload: { id: runner.id, name: nameOf(runner) }, ...place })
}

/** The name of a runner in the audit log. */
const nameOf = ({ description, short_token }: Pick<RunnerRow, 'description' | 'short_token'>): string => description || short_token

/** The project or group of a runner; neither for an instance runner. */
async function placeOfRunner(db: Context['db'], { id }: Pick<RunnerRow, 'id'>): Promise<ReturnType<typeof inPlace>> {
  const ofProject = await firstProject(db, { id }).executeTakeFirst()
  return inPlace(
    ofProject ?? (await db.selectFrom('runner_groups').select('namespace_id').where('runner_id', '=', id).executeTakeFirst()) ?? {},
  )
}

/** The same for users who manage it; 403 for those who do not manage all of its projects. */
export async function removeManagedRunner(ctx: Context, runner: RunnerRow): Promise<void> {
  const having = await ctx.db.selectFrom('runner_projects').select('project_id').where('runner_id', '=', runner.id).limit(2).execute()
  if (having.length > 1 && !isAdmin(ctx.actor)) throw forbidden('Runner associated with more than one project')
  await removeRunner(ctx, runner)
}

/** Assigns a runner that the actor manages to a project; 404 for one that they may not see. */
export async function enableRunnerById(ctx: Context, projectId: number, id: number): Promise<RunnerRow> {
  const runner = await visibleRunner(ctx.db, ctx.actor, id)
  if (!runner) throw notFound('Runner')
  return enableRunner(ctx, projectId, runner)
}

/** Assigns a runner to a project. 403 for an instance runner, a group runner, or a locked one; 400 if the project has it already. */
async function enableRunner(ctx: Context, projectId: number, runner: RunnerRow): Promise<RunnerRow> {
  const { db, now } = ctx
  if (runner.runner_type === 'instance_type') throw forbidden('Runner is an instance runner')
  if (runner.runner_type === 'group_type') throw forbidden('Runner is a group runner')
  if (runner.locked) throw forbidden('Runner is locked')
  const added = await db
    .insertInto('runner_projects')
    .values({ runner_id: runner.id, project_id: projectId, created_at: now })
    .onConflict(on => on.doNothing())
    .returning('runner_id')
    .executeTakeFirst()
  if (!added) throw badRequest('Runner has already been taken')
  await recordEvent(ctx, { kind: 'runner.enabled', payload: { id: runner.id, name: nameOf(runner) }, projectId })
  return runner
}

/** Removes a runner from a project; 403 from its only one. */
export async function disableRunner(ctx: Context, projectId: number, runner: RunnerRow): Promise<void> {
  const { db } = ctx
  // Locked, so that of two concurrent removals from the last two projects only one succeeds.
  await db.selectFrom('runners').select('id').where('id', '=', runner.id).forUpdate().execute()
  const others = await db.selectFrom('runner_projects').select('project_id').where('runner_id', '=', runner.id).limit(2).execute()
  if (others.length < 2) throw forbidden('Only one project associated with the runner. Please remove the runner instead')
  await db.deleteFrom('runner_projects').where('runner_id', '=', runner.id).where('project_id', '=', projectId).execute()
  await recordEvent(ctx, { kind: 'runner.disabled', payload: { id: runner.id, name: nameOf(runner) }, projectId })
}
