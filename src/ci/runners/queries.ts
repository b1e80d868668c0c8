/** Reads of runners. */
import { type RawBuilder, sql } from 'kysely'
import { roles } from '../../platform/access/abilities.ts'
import { type Actor, isAdmin } from '../../platform/access/actor.ts'
import { endOf, isInForce } from '../../platform/access/credentials/lifetimes.ts'
import { isGroupMember, isProjectMember } from '../../platform/access/visible.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { compiled } from '../../platform/db/statements/compiled.ts'

/** A runner is online for this long after a request, in milliseconds: two hours (runners API, 14.0). */
export const ONLINE = 2 * 60 * 60 * 1000

/** A runner is stale that has not sent a request for so many months, or never has in as many since it was made (runners API, after 14.0). */
const STALE_MONTHS = 3

/** A runner whose last request, or without one its creation, is not after this is stale. Pure. */
export function staleSince(now: Date): Date {
  const since = new Date(now)
  since.setUTCMonth(since.getUTCMonth() - STALE_MONTHS)
  return since
}

/** When the token of the runner `runners` expires; null for never. */
export const tokenEnd = endOf('runners.token_digest', 'runners').as('token_expires_at')

export const runners = (db: Db) => db.selectFrom('runners').selectAll('runners').select(tokenEnd)

export type RunnerRow = Awaited<ReturnType<ReturnType<typeof runners>['executeTakeFirstOrThrow']>>

/** Runners by id, for the presenters of other resources: one statement for a page. */
export async function runnersById(db: Db, ids: readonly number[]): Promise<Map<number, RunnerRow>> {
  if (ids.length === 0) return new Map()
  const rows = await runners(db).where('runners.id', '=', anyOf(ids)).execute()
  return new Map(rows.map(row => [row.id, row]))
}

const ofDigests = compiled((db, digests: readonly string[], now: Date) =>
  runners(db)
    .where('token_digest', '=', anyOf(digests))
    .where(isInForce('runners.token_digest', 'runners', now)),
)

/** Runners by the digests of their tokens, without expired ones. */
export async function runnersByDigests(db: Db, digests: readonly string[], now: Date): Promise<ReadonlyMap<string, RunnerRow>> {
  const rows = await ofDigests(db, digests, now)
  return new Map(rows.map(row => [row.token_digest, row]))
}

const holding = compiled((db, ids: readonly number[]) =>
  db.selectFrom('runners').select('id').where('id', '=', anyOf(ids)).orderBy('id').forKeyShare().skipLocked(),
)

/** Locks these runners against deletion until the transaction ends; returns the ids of the locked ones. */
export const lockRunners = async (db: Db, ids: readonly number[]): Promise<number[]> => (await holding(db, ids)).map(({ id }) => id)

/**
 * Statuses that lists are narrowed by; `offline` and `never_contacted` include what is stale.
 * Contract: `stale` and `never_contacted`, the later word for `not_connected`, were added after 14.0 (runners API).
 */
export const runnerFilterStatuses = ['active', 'paused', 'online', 'offline', 'not_connected', 'never_contacted', 'stale'] as const

/** Filters of lists of runners. */
export interface RunnerFilters {
  readonly type?: RunnerRow['runner_type'] | undefined
  readonly status?: (typeof runnerFilterStatuses)[number] | undefined
  readonly paused?: boolean | undefined
  /** The runners must have all of these tags. */
  readonly tag_list?: readonly string[] | undefined
  /** The older form of type and status. */
  readonly scope?: 'active' | 'paused' | 'online' | 'offline' | 'specific' | 'shared' | undefined
}

type Runners = ReturnType<typeof runners>

function ofStatus(query: Runners, status: NonNullable<RunnerFilters['status']>, now: Date): Runners {
  const lately = new Date(now.getTime() - ONLINE)
  switch (status) {
    case 'active':
      return query.where('runners.active', '=', true)
    case 'paused':
      return query.where('runners.active', '=', false)
    case 'online':
      return query.where(sql<boolean>`runners.contacted_at > ${lately}`)
    case 'offline':
      return query.where(sql<boolean>`runners.contacted_at <= ${lately}`)
    case 'not_connected':
    case 'never_contacted':
      return query.where('runners.contacted_at', 'is', null)
    case 'stale':
      return query.where(sql<boolean>`coalesce(runners.contacted_at, runners.created_at) <= ${staleSince(now)}`)
  }
}

function narrowed(query: Runners, { type, status, paused, tag_list, scope }: RunnerFilters, now: Date): Runners {
  let found = query.orderBy('runners.id', 'desc')
  if (type) found = found.where('runners.runner_type', '=', type)
  if (status) found = ofStatus(found, status, now)
  if (paused !== undefined) found = found.where('runners.active', '=', !paused)
  if (tag_list?.length) found = found.where(sql<boolean>`runners.tags @> ${tag_list}::text[]`)
  if (scope === 'shared') return found.where('runners.runner_type', '=', 'instance_type')
  if (scope === 'specific') return found.where('runners.runner_type', '<>', 'instance_type')
  return scope ? ofStatus(found, scope, now) : found
}

/** All runners of the instance, newest first. */
export const allRunners = (db: Db, filters: RunnerFilters, now: Date): Runners => narrowed(runners(db), filters, now)

/** May this actor manage the runner `runners`: of a project that they maintain, or of a group that they own? Administrators manage all. */
export function isManagedBy(actor: Actor): RawBuilder<boolean> {
  if (isAdmin(actor)) return sql`true`
  if (!actor.user) return sql`false`
  const { id } = actor.user
  return sql`(runners.runner_type = 'project_type' and exists (select from runner_projects own join projects on projects.id = own.project_id
      where own.runner_id = runners.id and ${isProjectMember(id, roles.maintainer)})
    or runners.runner_type = 'group_type' and exists (select from runner_groups own join namespaces on namespaces.id = own.namespace_id
      where own.runner_id = runners.id and ${isGroupMember(id, roles.owner)}))`
}

/** The runners of projects and groups that the actor manages, newest first. */
export function managedRunners(db: Db, actor: Actor, filters: RunnerFilters, now: Date): Runners {
  // An administrator's own runners are those that they would manage as a member.
  const asMember = actor.user ? { ...actor, user: { ...actor.user, admin: false } } : actor
  return narrowed(runners(db), filters, now).where(isManagedBy(asMember))
}

/** The runner with this id, if the actor may see it: instance runners are visible to all users. */
export const visibleRunner = (db: Db, actor: Actor, id: number) =>
  runners(db)
    .select(isManagedBy(actor).as('managed'))
    .where('runners.id', '=', id)
    .where(sql<boolean>`(runners.runner_type = 'instance_type' or ${isManagedBy(actor)})`)
    .executeTakeFirst()

/** Is the runner `runners` one of a group among these? */
const isOfGroups = (groupIds: readonly number[]): RawBuilder<boolean> =>
  sql`exists (select from runner_groups own where own.runner_id = runners.id and own.namespace_id = any(${groupIds}))`

/** The runners that a project can use: its own, those of the groups above it, and those of the instance where it shares them. */
export function runnersOfProject(
  db: Db,
  project: { readonly id: number; readonly namespace_traversal_ids: readonly number[]; readonly shared_runners_enabled: boolean },
  filters: RunnerFilters,
  now: Date,
): Runners {
  const shared = project.shared_runners_enabled ? sql`runners.runner_type = 'instance_type' or` : sql``
  return narrowed(runners(db), filters, now).where(
    sql<boolean>`(${shared} ${isOfGroups(project.namespace_traversal_ids)}
      or exists (select from runner_projects own where own.runner_id = runners.id and own.project_id = ${project.id}))`,
  )
}

/** The runners that a group can use: its own, those of the groups above it, and those of the instance. */
export const runnersOfGroup = (
  db: Db,
  { traversal_ids }: { readonly traversal_ids: readonly number[] },
  filters: RunnerFilters,
  now: Date,
): Runners =>
  narrowed(runners(db), filters, now).where(sql<boolean>`(runners.runner_type = 'instance_type' or ${isOfGroups(traversal_ids)})`)

/** The runner with this id if it is the project's own. */
export const runnerOfProject = (db: Db, projectId: number, id: number) =>
  runners(db)
    .innerJoin('runner_projects', 'runner_projects.runner_id', 'runners.id')
    .where('runner_projects.project_id', '=', projectId)
    .where('runners.id', '=', id)
    .executeTakeFirst()
