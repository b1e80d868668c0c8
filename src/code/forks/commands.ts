/** Writes of forks. The project is created immediately; a task copies its repository (copy.ts). */

import { sql } from 'kysely'
import { allows, type Visibility } from '../../platform/access/abilities.ts'
import type { Place } from '../../platform/access/places.ts'
import { applicationSettings } from '../../platform/application_settings/queries.ts'
import { allowedLevelBelow } from '../../platform/application_settings/restricted_levels.ts'
import type { Db } from '../../platform/db/connection.ts'
import { uniqueViolation } from '../../platform/db/errors.ts'
import { lockName } from '../../platform/db/statements/named_locks.ts'
import { recordEvent } from '../../platform/events/events.ts'
import { enqueue } from '../../platform/events/worker.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ParamsOf } from '../../platform/kernel/declaration/types.ts'
import { conflict, forbidden, invalid, notFound, notModified } from '../../platform/kernel/errors.ts'
import { fitsInside } from '../../spaces/groups/commands.ts'
import { ownNamespace } from '../../spaces/namespaces/queries.ts'
import { createProject, inheritAvatar, type ProjectAttributes } from '../../spaces/projects/commands.ts'
import { moveImport } from '../../spaces/projects/imports/states.ts'
import { projectLifecycle } from '../../spaces/projects/lifecycle/lifecycle.ts'
import { type ProjectRow, projects } from '../../spaces/projects/queries.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import type { forkParams } from './params.ts'

type ForkParams = ParamsOf<typeof forkParams>

/** The columns that a fork copies from its source, besides topics, description and shared runners. */
const inherited = [
  'issues_access_level',
  'repository_access_level',
  'merge_requests_access_level',
  'forking_access_level',
  'wiki_access_level',
  'builds_access_level',
  'snippets_access_level',
  'analytics_access_level',
  'operations_access_level',
  'pages_access_level',
  'container_registry_access_level',
  'requirements_access_level',
  'ci_config_path',
  'lfs_enabled',
  'suggestion_commit_message',
  'external_authorization_classification_label',
] as const satisfies readonly (keyof ProjectRow)[]

/**
 * Forks a project into a namespace where the caller may create projects.
 * @throws Refusal 404 for a namespace that the caller may not use, 409 for a name or path that is taken (decision 13), 400
 *   for a visibility wider than the source's or the namespace's
 */
export async function forkProject(ctx: Context, source: ProjectWithRole, params: ForkParams): Promise<ProjectRow> {
  const { db } = ctx
  requireCodeAccess(ctx, source)
  const namespaceId = await targetOf(ctx, source, params)
  const visibility = await visibilityOf(ctx, source, namespaceId, params.visibility)
  const taken = Object.fromEntries(inherited.map(column => [column, source[column]])) as ProjectAttributes
  const { id } = await createProject(ctx, {
    ...taken,
    // A fork uses shared runners if its source does and its new group allows it.
    shared_runners_enabled: source.shared_runners_enabled ? undefined : false,
    name: params.name ?? source.name,
    path: params.path ?? source.path,
    description: params.description ?? source.description,
    topics: source.topics,
    visibility,
    namespace_id: namespaceId,
  })
  await inheritAvatar(db, { from: source.id, to: id })
  await db.insertInto('project_forks').values({ project_id: id, source_id: source.id, created_at: ctx.now }).execute()
  await moveImport(db, id, 'schedule')
  await enqueue(db, 'copy_fork', { project_id: id, source_id: source.id })
  return projects(db).where('projects.id', '=', id).executeTakeFirstOrThrow()
}

/** Only users who may read the code may fork. */
function requireCodeAccess({ actor }: Context, source: ProjectWithRole): void {
  if (allows(actor, 'read_code', projectSubject(source)) !== 'yes') throw notFound('Project')
}

/** The namespace in the parameters; undefined for the caller's own. */
async function targetOf({ db, actor }: Context, source: ProjectRow, params: ForkParams): Promise<number | undefined> {
  const named = params.namespace_id?.toString() ?? params.namespace_path ?? params.namespace
  const target = named === undefined ? undefined : await ownNamespace(db, actor, named)
  if (named !== undefined && !target) throw notFound('Target Namespace')
  const [top] = source.namespace_traversal_ids
  if (top !== undefined && target?.traversal_ids[0] !== top && (await keepsForksInside(db, top))) throw notFound('Target Namespace')
  return target?.id
}

/** Does the top-level group forbid forks outside of it? */
async function keepsForksInside(db: Db, groupId: number): Promise<boolean> {
  const group = await db.selectFrom('namespaces').select('prevent_forking_outside_group').where('id', '=', groupId).executeTakeFirst()
  return group?.prevent_forking_outside_group === true
}

/**
 * 403 where a transfer moves a fork out of a top-level group that forbids forks outside of it. After the move, in its transaction.
 * @param from the top-level namespace that the project or group was in
 */
export async function assertForksStayInside(db: Db, moved: Place, from: number | undefined): Promise<void> {
  if (from === undefined) return
  const isMoved =
    'project_id' in moved ? sql`fork.id = ${moved.project_id}` : sql`home.traversal_ids @> array[${moved.namespace_id}::bigint]`
  const { rows } = await sql`
    select from project_forks
      join projects fork on fork.id = project_forks.project_id join namespaces home on home.id = fork.namespace_id
      join projects source on source.id = project_forks.source_id join namespaces source_home on source_home.id = source.namespace_id
      join namespaces top on top.id = source_home.traversal_ids[1]
     where ${isMoved} and top.id = ${from} and top.prevent_forking_outside_group and home.traversal_ids[1] <> top.id
     limit 1`.execute(db)
  if (rows.length > 0) throw forbidden('Forks of projects of this group stay within it')
}

/** The visibility of the fork: never wider than the source's or the group's, and one that the actor may give. */
async function visibilityOf(
  { db, actor }: Context,
  source: ProjectRow,
  namespaceId: number | undefined,
  wanted: Visibility | undefined,
): Promise<Visibility> {
  const most = source.visibility as Visibility
  if (wanted !== undefined && !fitsInside(wanted, most))
    throw invalid({ visibility_level: [`${wanted} is not allowed since the fork source project has lower visibility.`] })
  const group = namespaceId === undefined ? undefined : await groupVisibility(db, namespaceId)
  // A requested visibility that exceeds the group's is refused when the project is created.
  if (wanted !== undefined) return wanted
  const widest = group !== undefined && !fitsInside(most, group) ? group : most
  return allowedLevelBelow(actor, await applicationSettings(db), widest)
}

async function groupVisibility(db: Db, id: number): Promise<Visibility | undefined> {
  const namespace = await db.selectFrom('namespaces').select(['kind', 'visibility']).where('id', '=', id).executeTakeFirst()
  return namespace?.kind === 'group' ? (namespace.visibility as Visibility) : undefined
}

/**
 * Makes an existing project a fork of another one.
 * @throws Refusal 409 if it is a fork already, 400 if that would form a cycle
 */
export async function linkFork(ctx: Context, project: ProjectRow, source: ProjectWithRole): Promise<ProjectRow> {
  const { db } = ctx
  const verdict = allows(ctx.actor, 'fork_project', projectSubject(source))
  if (verdict !== 'yes') throw notFound('Source Project')
  requireCodeAccess(ctx, source)
  await assertNoCycle(db, project.id, source.id)
  await db
    .insertInto('project_forks')
    .values({ project_id: project.id, source_id: source.id, created_at: ctx.now })
    .execute()
    .catch(error => {
      if (uniqueViolation(error) === 'project_forks_pkey') throw conflict('Project already forked')
      throw error
    })
  await recordEvent(ctx, { kind: 'fork_relation.created', payload: { id: source.id, name: source.full_path }, projectId: project.id })
  return projects(db).where('projects.id', '=', project.id).executeTakeFirstOrThrow()
}

/** Serializes the creation of links, so that two of them cannot form a cycle together. */
async function assertNoCycle(db: Db, projectId: number, sourceId: number): Promise<void> {
  await lockName(db, 'links of forks')
  const { rows } = await sql`
    with recursive above (id) as (
      values (${sourceId}::bigint)
      union
      select source_id from project_forks join above on above.id = project_forks.project_id
    )
    select from above where id = ${projectId}`.execute(db)
  if (rows.length > 0) throw invalid({ forked_from_id: ['is the project itself or one of its forks'] })
}

/** Removes the fork relation of a project. @throws Refusal 304 if it is not a fork */
export async function unlinkFork(ctx: Context, project: ProjectRow): Promise<void> {
  const source = await ctx.db.deleteFrom('project_forks').where('project_id', '=', project.id).returning('source_id').executeTakeFirst()
  if (!source) throw notModified()
  await recordEvent(ctx, { kind: 'fork_relation.deleted', payload: { id: source.source_id }, projectId: project.id })
  await projectLifecycle.value.onForkUnlinked(ctx, project.id)
}

/** Contract: when the visibility of a project is reduced, its forks lose the relation to it (public behaviour since 12.6). */
export async function releaseForks(db: Db, sourceId: number): Promise<void> {
  await db.deleteFrom('project_forks').where('source_id', '=', sourceId).execute()
}
