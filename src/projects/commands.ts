/** Writes of projects. */
import { allows, type Role, roles, type Visibility } from '../access/abilities.ts'
import { isAdmin } from '../access/actor.ts'
import { uniqueViolation } from '../db/errors.ts'
import { transact } from '../db/transact.ts'
import { recordEvent } from '../events/events.ts'
import { fitsInside } from '../groups/commands.ts'
import { visibleGroup } from '../groups/queries.ts'
import type { Context } from '../kernel/context.ts'
import { conflict, type Failures, forbidden, invalid, missing, notFound } from '../kernel/errors.ts'
import type { ParamsOf } from '../kernel/types.ts'
import { addMember } from '../members/commands.ts'
import { failuresOf, pathFromName, pathProblems, projectNameProblems } from '../namespaces/paths.ts'
import { holdNamespace, movePath, takePath } from '../namespaces/routes.ts'
import { alignHead } from '../repository/head.ts'
import { initializeRepository } from '../repository/initialize.ts'
import { branchExists, readmeOfBranch } from '../repository/queries.ts'
import type { projectAttributes } from './params.ts'
import { type ProjectRow, projects } from './queries.ts'
import { setRepositoryFacts } from './repository_facts.ts'

export type ProjectAttributes = ParamsOf<typeof projectAttributes>

/** The parameters that are columns by other names, and the columns they set. */
function columnsOf(attributes: ProjectAttributes, ctx: Context) {
  const {
    issues_enabled,
    jobs_enabled,
    merge_requests_enabled,
    snippets_enabled,
    wiki_enabled,
    public_builds,
    tag_list,
    topics = tag_list,
    container_expiration_policy_attributes: _policy,
    mirror_user_id,
    repository_storage,
    ...rest
  } = attributes
  const level = (enabled: boolean | undefined) =>
    enabled === undefined ? undefined : enabled ? ('enabled' as const) : ('disabled' as const)
  const columns = {
    ...rest,
    // Contract: the switches and the levels mirror each other; the level wins where both are given (decision 46).
    issues_access_level: rest.issues_access_level ?? level(issues_enabled),
    builds_access_level: rest.builds_access_level ?? level(jobs_enabled),
    merge_requests_access_level: rest.merge_requests_access_level ?? level(merge_requests_enabled),
    snippets_access_level: rest.snippets_access_level ?? level(snippets_enabled),
    wiki_access_level: rest.wiki_access_level ?? level(wiki_enabled),
    public_jobs: rest.public_jobs ?? public_builds,
    topics: topics && [...new Set(topics)],
    // Contract: given by others than administrators they leave the value as it is (decision 48).
    ...(isAdmin(ctx.actor) ? { mirror_user_id, repository_storage } : {}),
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as Partial<typeof columns>
}

/** A partial policy keeps the keys it does not name; `name_regex_delete` is another name of `name_regex` (decision 46). */
function mergedPolicy(current: unknown, given: NonNullable<ProjectAttributes['container_expiration_policy_attributes']>): string {
  const { name_regex_delete, ...rest } = given
  return JSON.stringify({ ...(current as object), ...(name_regex_delete === undefined ? {} : { name_regex: name_regex_delete }), ...rest })
}

async function refuseReferences(ctx: Context, attributes: ProjectAttributes): Promise<void> {
  const failures: Failures = {}
  if (isAdmin(ctx.actor)) {
    if (attributes.repository_storage !== undefined && !ctx.deps.storages.has(attributes.repository_storage))
      failures.repository_storage = ['does not exist']
    if (attributes.mirror_user_id !== undefined) {
      const user = await ctx.db.selectFrom('users').select('id').where('id', '=', attributes.mirror_user_id).executeTakeFirst()
      if (!user) failures.mirror_user_id = ['does not exist']
    }
  }
  if (Object.keys(failures).length > 0) throw invalid(failures)
}

export interface NewProject extends ProjectAttributes {
  namespace_id?: number | undefined
  initialize_with_readme?: boolean | undefined
}

/** Creates a project in the caller's own namespace or in a group, with its first commit where a README is asked for. */
export async function createProject(ctx: Context, attributes: NewProject, ownerId?: number): Promise<ProjectRow> {
  const { db } = ctx
  const creator = ctx.actor.user
  if (!creator) throw forbidden()
  const { namespace_id, initialize_with_readme, default_branch, ...given } = attributes
  if (given.name === undefined && given.path === undefined) throw missing('name')
  const name = given.name ?? (given.path as string)
  const path = given.path ?? pathFromName(name)
  const failures = failuresOf({ name: projectNameProblems(name), path: pathProblems(path, 'below') })
  if (failures) throw invalid(failures)
  await refuseReferences(ctx, given)
  const namespace = await namespaceFor(ctx, namespace_id, ownerId ?? creator.id)
  const visibility = given.visibility ?? 'private'
  if (namespace.kind === 'group' && !fitsInside(visibility, namespace.visibility as Visibility))
    throw invalid({ visibility_level: [`${visibility} is not allowed in a ${namespace.visibility} group.`] })

  const policy = given.container_expiration_policy_attributes
  const { id } = await db
    .insertInto('projects')
    .values({
      ...columnsOf(given, ctx),
      ...(policy ? { container_expiration_policy: mergedPolicy(DEFAULT_POLICY, policy) } : {}),
      name,
      path,
      visibility,
      namespace_id: namespace.id,
      creator_id: creator.id,
      created_at: ctx.now,
      updated_at: ctx.now,
      last_activity_at: ctx.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(refuseTakenName)
  await takePath(db, { project_id: id }, namespace.id, { path, name })
  // A person's own project has them as a maintaining member, so that it shows in lists of members.
  if (namespace.kind === 'user')
    await addMember(ctx, { project_id: id }, { user_id: namespace.owner_id as number, access_level: roles.maintainer })
  await recordEvent(db, { kind: 'project.created', payload: { project_id: id }, actorId: creator.id, projectId: id })
  const project = await projects(db).where('projects.id', '=', id).executeTakeFirstOrThrow()
  if (!initialize_with_readme) return project
  await initializeRepository(ctx, project, default_branch)
  return projects(db).where('projects.id', '=', id).executeTakeFirstOrThrow()
}

const DEFAULT_POLICY = {
  cadence: '1d',
  enabled: false,
  keep_n: 10,
  older_than: '90d',
  name_regex: '.*',
  name_regex_keep: null,
  next_run_at: null,
}

/** A name that another project of the namespace has is a 409 (decision 13). */
function refuseTakenName(error: unknown): never {
  if (uniqueViolation(error) === 'projects_name_key') throw conflict('Name has already been taken')
  throw error
}

/** What a new project needs to know of where it will be. */
interface Home {
  readonly id: number
  readonly kind: string
  readonly owner_id: number | null
  readonly visibility: string
}

/** The namespace to create a project in, if this caller may; the personal one of `ownerId` unless another is named. */
async function namespaceFor(ctx: Context, namespaceId: number | undefined, ownerId: number): Promise<Home> {
  const { db, actor } = ctx
  const personal = await db
    .selectFrom('namespaces')
    .innerJoin('users', 'users.id', 'namespaces.owner_id')
    .select(['namespaces.id', 'namespaces.kind', 'namespaces.owner_id', 'namespaces.visibility', 'users.projects_limit'])
    .where(({ eb }) => (namespaceId === undefined ? eb('namespaces.owner_id', '=', ownerId) : eb('namespaces.id', '=', namespaceId)))
    .executeTakeFirst()
  if (personal) {
    if (personal.owner_id !== actor.user?.id && !isAdmin(actor)) throw forbidden()
    // External users work where they were invited; they have no projects of their own (public behaviour at 14.0).
    if (actor.user?.external && !isAdmin(actor)) throw forbidden('External users cannot create projects of their own')
    await refuseAboveLimit(ctx, personal)
    return personal
  }
  // Bots have no namespace of their own.
  if (namespaceId === undefined) throw forbidden()
  await holdNamespace(db, namespaceId)
  const group = await visibleGroup(db, actor, String(namespaceId))
  if (!group) throw notFound('Namespace')
  const subject = { on: 'group', role: group.role as Role, visibility: group.visibility as Visibility } as const
  const level = { noone: undefined, maintainer: roles.maintainer, developer: roles.developer }[group.project_creation_level]
  const enough = isAdmin(actor) || (level !== undefined && group.role >= level)
  if (!enough || allows(actor, 'create_project_in_group', subject) !== 'yes') throw forbidden()
  return group
}

async function refuseAboveLimit({ db }: Context, personal: { id: number; projects_limit: number }): Promise<void> {
  const { count } = await db
    .selectFrom('projects')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('namespace_id', '=', personal.id)
    .executeTakeFirstOrThrow()
  if (count >= personal.projects_limit)
    throw invalid({
      limit_reached: [`Your project limit is ${personal.projects_limit} projects! Please contact your administrator to increase it`],
    })
}

/**
 * Changes a project, in a transaction of its own: HEAD of the repository follows the default branch once that is
 * committed. Should the process end in between, the event's listener does it.
 */
export async function updateProject(ctx: Context, project: ProjectRow, attributes: ProjectAttributes): Promise<ProjectRow> {
  const updated = await transact(ctx.deps.database.db, db => changeProject({ ...ctx, db }, project, attributes))
  if (updated.default_branch !== project.default_branch) await alignHead(ctx.deps, { project_id: project.id })
  return updated
}

/** Renaming leaves the path alone; a new path moves the address (decision 45). */
async function changeProject(ctx: Context, project: ProjectRow, attributes: ProjectAttributes): Promise<ProjectRow> {
  const { db } = ctx
  await refuseReferences(ctx, attributes)
  const columns = columnsOf(attributes, ctx)
  const failures = failuresOf({
    name: columns.name === undefined ? [] : projectNameProblems(columns.name),
    path: columns.path === undefined ? [] : pathProblems(columns.path, 'below'),
  })
  if (failures) throw invalid(failures)
  if (columns.visibility !== undefined && project.namespace_kind === 'group') {
    const namespace = await db
      .selectFrom('namespaces')
      .select('visibility')
      .where('id', '=', project.namespace_id)
      .executeTakeFirstOrThrow()
    if (!fitsInside(columns.visibility, namespace.visibility as Visibility))
      throw invalid({ visibility_level: [`${columns.visibility} is not allowed in a ${namespace.visibility} group.`] })
  }
  if (columns.default_branch !== undefined && columns.default_branch !== project.default_branch) {
    if (!(await branchExists(ctx, project, columns.default_branch)))
      throw invalid({
        base: [`Could not set the default branch. Do you have a branch named '${columns.default_branch}' in your repository?`],
      })
    await setRepositoryFacts(db, project.id, { readme_path: await readmeOfBranch(ctx, project, columns.default_branch) })
  }
  const policy = attributes.container_expiration_policy_attributes
  await db
    .updateTable('projects')
    .set({
      ...columns,
      ...(policy ? { container_expiration_policy: mergedPolicy(project.container_expiration_policy, policy) } : {}),
      updated_at: ctx.now,
    })
    .where('id', '=', project.id)
    .execute()
    .catch(refuseTakenName)
  if (columns.path !== undefined || columns.name !== undefined) {
    const own = { path: columns.path ?? project.path, name: columns.name ?? project.name }
    await movePath(db, { project_id: project.id }, project.namespace_id, own)
  }
  const event = { payload: { project_id: project.id }, actorId: ctx.actor.user?.id, projectId: project.id }
  await recordEvent(db, { kind: 'project.updated', ...event })
  if (columns.default_branch !== undefined && columns.default_branch !== project.default_branch)
    await recordEvent(db, { kind: 'project.default_branch_changed', ...event })
  return projects(db).where('projects.id', '=', project.id).executeTakeFirstOrThrow()
}

/** Archives or unarchives; doing it again changes nothing. */
export async function setArchived(ctx: Context, project: ProjectRow, archived: boolean): Promise<ProjectRow> {
  if (project.archived !== archived)
    await ctx.db.updateTable('projects').set({ archived, updated_at: ctx.now }).where('id', '=', project.id).execute()
  return { ...project, archived }
}
