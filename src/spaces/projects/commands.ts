/** Writes of projects. */

import { copyAvatar, storeAvatar } from '../../identity/avatars/commands.ts'
import { failuresOf, pathFromName, pathProblems, projectNameProblems } from '../../identity/paths/names.ts'
import { createRoute, lockNamespaceShared, moveRoute } from '../../identity/paths/routes.ts'
import { roles, type Visibility } from '../../platform/access/abilities.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import { type ApplicationSettingsRow, applicationSettings } from '../../platform/application_settings/queries.ts'
import { allowedLevel, assertLevelAllowed } from '../../platform/application_settings/restricted_levels.ts'
import type { Db } from '../../platform/db/connection.ts'
import { transact } from '../../platform/db/transact.ts'
import { changesExcept } from '../../platform/events/audit/changes.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ParamsOf } from '../../platform/kernel/declaration/types.ts'
import { type Failures, forbidden, invalid, missing } from '../../platform/kernel/errors.ts'
import { loggedUrl } from '../../platform/outbound/shown_url.ts'
import { fitsInside } from '../groups/commands.ts'
import { sharedRunnersOfProject } from '../groups/shared_runners.ts'
import { addMember } from '../members/commands.ts'
import { copyPushRule } from '../push_rules/queries.ts'
import { addRunnersTokens } from '../runners_tokens/commands.ts'
import { checkedPolicy, defaultPolicy, type ExpirationPolicy, policyChanges } from './attributes/expiration_policy.ts'
import type { projectAttributes } from './attributes/params.ts'
import { readImportUrl, scheduleImport, storeImportUrl } from './imports/commands.ts'
import { projectLifecycle } from './lifecycle/lifecycle.ts'
import { rethrowTakenName, targetNamespace } from './lifecycle/target_namespace.ts'
import { lockedProject, type ProjectRow, projects } from './queries.ts'

export type ProjectAttributes = ParamsOf<typeof projectAttributes>

/** The parameters whose columns have other names, and the columns they set. */
function columnsOf(attributes: ProjectAttributes, ctx: Context, before?: ProjectRow) {
  const {
    issues_enabled,
    jobs_enabled,
    merge_requests_enabled,
    snippets_enabled,
    wiki_enabled,
    container_registry_enabled,
    public_builds,
    tag_list,
    topics = tag_list,
    container_expiration_policy_attributes: _policy,
    mirror_user_id,
    repository_storage,
    repository_size_limit,
    avatar: _avatar,
    import_url: _importUrl,
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
    container_registry_access_level: rest.container_registry_access_level ?? level(container_registry_enabled),
    public_jobs: rest.public_jobs ?? public_builds,
    topics: topics && [...new Set(topics)],
    // Contract: users other than administrators leave the value unchanged (decision 48).
    ...(isAdmin(ctx.actor) ? { mirror_user_id, repository_storage, repository_size_limit } : {}),
    ...pullingUser(ctx, attributes, before),
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as Partial<typeof columns>
}

/** What decides where a project pulls from, and what is done with the rights of the user who pulls. */
const pulling = ['import_url', 'mirror_overwrites_diverged_branches', 'only_mirror_protected_branches', 'mirror_trigger_builds'] as const

/**
 * A user who lets the project pull, or changes how, is the one who pulls: nobody pulls by the rights of another user. Administrators may name one.
 */
function pullingUser(
  { actor }: Context,
  attributes: ProjectAttributes,
  before?: Pick<ProjectRow, 'mirror' | (typeof pulling)[number]>,
): { mirror_user_id?: number | undefined } {
  if (isAdmin(actor) && attributes.mirror_user_id !== undefined) return {}
  const isChanged = pulling.some(name => attributes[name] !== undefined && attributes[name] !== before?.[name])
  return (attributes.mirror ?? before?.mirror) && (isChanged || !before?.mirror) ? { mirror_user_id: actor.user?.id } : {}
}

const storedPolicy = (policy: ExpirationPolicy): string => JSON.stringify(policy)

async function assertReferences(ctx: Context, attributes: ProjectAttributes): Promise<void> {
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
  template_name?: string | undefined
}

/** The default visibility of a new project: the instance's setting, limited by the visibility of the group, and by what the actor may give. */
function standardVisibility(
  actor: Context['actor'],
  settings: ApplicationSettingsRow,
  namespace: { readonly kind: string; readonly visibility: string },
): Visibility {
  const standard = allowedLevel(actor, settings, settings.default_project_visibility as Visibility)
  const outer = namespace.visibility as Visibility
  return namespace.kind === 'group' && !fitsInside(standard, outer) ? outer : standard
}

/** Creates a project in the caller's own namespace or in a group, with a first commit if a README is requested. */
export async function createProject(ctx: Context, attributes: NewProject, ownerId?: number): Promise<ProjectRow> {
  const { db } = ctx
  const creator = ctx.actor.user
  if (!creator) throw forbidden()
  const { namespace_id, initialize_with_readme, template_name, default_branch, ...given } = attributes
  if (given.name === undefined && given.path === undefined) throw missing('name')
  const name = given.name ?? (given.path as string)
  const path = given.path ?? pathFromName(name)
  const failures = failuresOf({
    name: projectNameProblems(name),
    path: pathProblems(path, 'below'),
    initialize_with_readme: initialize_with_readme && given.import_url ? ['cannot be given together with import_url'] : [],
    template_name: template_name && given.import_url ? ['cannot be given together with import_url'] : [],
  })
  if (failures) throw invalid(failures)
  await assertReferences(ctx, given)
  const namespace = await targetNamespace(ctx, namespace_id, ownerId ?? creator.id)
  const settings = await applicationSettings(db)
  const visibility = given.visibility ?? standardVisibility(ctx.actor, settings, namespace)
  assertLevelAllowed(ctx.actor, settings, visibility)
  if (namespace.kind === 'group' && !fitsInside(visibility, namespace.visibility as Visibility))
    throw invalid({ visibility_level: [`${visibility} is not allowed in a ${namespace.visibility} group.`] })

  const policy = given.container_expiration_policy_attributes
  const { id } = await db
    .insertInto('projects')
    .values({
      ...columnsOf(given, ctx),
      ...(policy ? { container_expiration_policy: storedPolicy(checkedPolicy(defaultPolicy, policy, ctx.now)) } : {}),
      shared_runners_enabled: sharedRunnersOfProject(namespace, given.shared_runners_enabled) ?? settings.shared_runners_enabled,
      ci_config_path: given.ci_config_path ?? (settings.default_ci_config_path || null),
      lfs_enabled: given.lfs_enabled ?? namespace.lfs_enabled,
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
    .catch(rethrowTakenName)
  await createRoute(db, { project_id: id }, namespace.id, { path, name })
  if (given.avatar)
    await db
      .updateTable('projects')
      .set(await avatarColumn(ctx, id, given.avatar))
      .where('id', '=', id)
      .execute()
  if (given.import_url) await scheduleImport(ctx, id, given.import_url)
  if (given.mirror) await projectLifecycle.value.onMirrorSet(ctx, id)
  await addRunnersTokens(ctx, 'project_id', [id])
  await copyPushRule(db, id)
  // The owner of a personal project is a member with level Maintainer, so that lists of members show them.
  if (namespace.kind === 'user')
    await addMember(ctx, { project_id: id }, { user_id: namespace.owner_id as number, access_level: roles.maintainer })
  await recordEvent(ctx, { kind: 'project.created', payload: { project_id: id, visibility }, actorId: creator.id, projectId: id })
  const project = await projects(db).where('projects.id', '=', id).executeTakeFirstOrThrow()
  if (!initialize_with_readme && !template_name) return project
  await projectLifecycle.value.onCreatedWithReadme(ctx, project, default_branch, template_name || undefined)
  return projects(db).where('projects.id', '=', id).executeTakeFirstOrThrow()
}

/** Stores a new avatar, or removes the old one; nothing if none is given. */
const avatarColumn = async (ctx: Context, id: number, avatar: ProjectAttributes['avatar']) =>
  avatar === undefined ? {} : { avatar_url: await storeAvatar(ctx, { project_id: id }, avatar) }

/** Copies the avatar of another project. */
export async function inheritAvatar(db: Db, { from, to }: { from: number; to: number }): Promise<void> {
  const avatar_url = await copyAvatar(db, { from, to })
  if (avatar_url) await setAvatar(db, to, avatar_url)
}

/**
 * Updates a project in its own transaction: HEAD of the repository follows the default branch after the commit. If the process ends in
 * between, the listener of the event does it.
 */
export async function updateProject(ctx: Context, project: ProjectRow, attributes: ProjectAttributes): Promise<ProjectRow> {
  const updated = await transact(ctx.deps.database.db, db => changeProject({ ...ctx, db }, project, attributes))
  if (updated.default_branch !== project.default_branch)
    await projectLifecycle.value.onDefaultBranchChanged(ctx.deps, { project_id: project.id })
  return updated
}

/** A fork shows what its source holds: it is never more visible than that. 400 otherwise. */
async function assertWithinSource(db: Db, projectId: number, wanted: Visibility): Promise<void> {
  const source = await db
    .selectFrom('project_forks')
    .innerJoin('projects as sources', 'sources.id', 'project_forks.source_id')
    .select('sources.visibility')
    .where('project_forks.project_id', '=', projectId)
    .executeTakeFirst()
  if (source && !fitsInside(wanted, source.visibility as Visibility))
    throw invalid({ visibility_level: [`${wanted} is not allowed since the fork source project has lower visibility.`] })
}

/** What the group of a project forbids to it: 400. */
async function assertFitsGroup(
  db: Db,
  groupId: number,
  { visibility, shared_runners_enabled }: Pick<ProjectAttributes, 'visibility' | 'shared_runners_enabled'>,
): Promise<void> {
  await lockNamespaceShared(db, groupId)
  const namespace = await db
    .selectFrom('namespaces')
    .select(['visibility', 'shared_runners_setting'])
    .where('id', '=', groupId)
    .executeTakeFirstOrThrow()
  if (visibility !== undefined && !fitsInside(visibility, namespace.visibility as Visibility))
    throw invalid({ visibility_level: [`${visibility} is not allowed in a ${namespace.visibility} group.`] })
  sharedRunnersOfProject(namespace, shared_runners_enabled)
}

/** Attributes whose changes have no effect on security. A new path has its own entry. */
const cosmetic = ['description', 'topics', 'path']

/**
 * Where the project is imported or pulls from. Only an empty repository can be imported into. The address as it is shown, without credentials, leaves
 * the stored one as it is: clients write back what they have read.
 * @returns what the audit log has of the change: another password in the same address is one, too
 */
async function changeSource(
  ctx: Context,
  project: ProjectRow,
  { mirror, import_url }: ProjectAttributes,
): Promise<Record<string, { readonly from: unknown; readonly to: unknown }>> {
  const isKnown = import_url === project.import_url && (project.mirror || !project.empty_repo)
  const isNew = import_url !== undefined && import_url !== '' && !isKnown
  if (isNew && project.empty_repo) await scheduleImport(ctx, project.id, import_url)
  else if (isNew) await storeImportUrl(ctx, project.id, import_url)
  const pulls = mirror ?? project.mirror
  if (pulls && (isNew || !project.mirror)) await projectLifecycle.value.onMirrorSet(ctx, project.id)
  return isNew ? { import_url: { from: project.import_url && loggedUrl(project.import_url), to: loggedUrl(import_url) } } : {}
}

/** Stores the address of a picture that is stored. */
export async function setAvatar(db: Db, id: number, avatar_url: string): Promise<void> {
  await db.updateTable('projects').set({ avatar_url }).where('id', '=', id).execute()
}

/** Changes a project in the transaction `ctx.db`. A new name leaves the path alone; a new path moves the address (decision 45). */
export async function changeProject(
  ctx: Context,
  { id, namespace_id }: Pick<ProjectRow, 'id' | 'namespace_id'>,
  attributes: ProjectAttributes,
): Promise<ProjectRow> {
  const { db } = ctx
  const { visibility, shared_runners_enabled, name, path } = attributes
  // The place first, as all that changes projects of a group does: two changes would otherwise wait for each other.
  if ([visibility, shared_runners_enabled, name, path].some(given => given !== undefined)) await lockNamespaceShared(db, namespace_id)
  // It may be elsewhere, or called otherwise, since the request has read it.
  const project = await lockedProject(db, id)
  await assertReferences(ctx, attributes)
  if (attributes.import_url) readImportUrl(attributes.import_url)
  const columns = columnsOf(attributes, ctx, project)
  const failures = failuresOf({
    name: columns.name === undefined ? [] : projectNameProblems(columns.name),
    path: columns.path === undefined ? [] : pathProblems(columns.path, 'below'),
  })
  if (failures) throw invalid(failures)
  if (project.namespace_kind === 'group' && (columns.visibility !== undefined || columns.shared_runners_enabled !== undefined))
    await assertFitsGroup(db, project.namespace_id, columns)
  if (columns.visibility !== undefined && columns.visibility !== project.visibility) {
    assertLevelAllowed(ctx.actor, await applicationSettings(db), columns.visibility)
    await assertWithinSource(db, project.id, columns.visibility)
  }
  if (columns.default_branch !== undefined && columns.default_branch !== project.default_branch)
    await projectLifecycle.value.onDefaultBranchChange(ctx, project, columns.default_branch)
  const policyBefore = project.container_expiration_policy as unknown as ExpirationPolicy
  const policyGiven = attributes.container_expiration_policy_attributes
  const policy = policyGiven && checkedPolicy(policyBefore, policyGiven, ctx.now)
  await db
    .updateTable('projects')
    .set({
      ...columns,
      ...(policy ? { container_expiration_policy: storedPolicy(policy) } : {}),
      ...(await avatarColumn(ctx, project.id, attributes.avatar)),
      updated_at: ctx.now,
    })
    .where('id', '=', project.id)
    .execute()
    .catch(rethrowTakenName)
  if (columns.visibility !== undefined && !fitsInside(project.visibility as Visibility, columns.visibility))
    await projectLifecycle.value.onVisibilityNarrowed(db, project.id)
  const source = await changeSource(ctx, project, attributes)
  if (columns.path !== undefined || columns.name !== undefined) {
    const own = { path: columns.path ?? project.path, name: columns.name ?? project.name }
    await moveRoute(db, { project_id: project.id }, project.namespace_id, own)
  }
  const event = { actorId: ctx.actor.user?.id, projectId: project.id }
  const renamed = columns.path !== undefined && columns.path !== project.path ? { renamed_from: project.full_path } : {}
  const changes = { ...changesExcept(project, columns, cosmetic), ...source, ...(policy && policyChanges(policyBefore, policy)) }
  await recordEvent(ctx, { kind: 'project.updated', payload: { project_id: project.id, ...renamed, changes }, ...event })
  if (columns.default_branch !== undefined && columns.default_branch !== project.default_branch)
    await recordEvent(db, { kind: 'project.default_branch_changed', payload: { project_id: project.id }, ...event })
  return projects(db).where('projects.id', '=', project.id).executeTakeFirstOrThrow()
}

/** Limits the job tokens of other projects to those on the project's allowlist, or lifts the limit; idempotent. */
export async function setInboundJobTokenScope(ctx: Context, project: ProjectRow, enabled: boolean): Promise<void> {
  const from = project.ci_inbound_job_token_scope_enabled
  if (from === enabled) return
  await ctx.db
    .updateTable('projects')
    .set({ ci_inbound_job_token_scope_enabled: enabled, updated_at: ctx.now })
    .where('id', '=', project.id)
    .execute()
  await recordEvent(ctx, {
    kind: 'project.updated',
    payload: { project_id: project.id, changes: { ci_inbound_job_token_scope_enabled: { from, to: enabled } } },
    actorId: ctx.actor.user?.id,
    projectId: project.id,
  })
}

/** Archives or unarchives; idempotent. */
export async function setArchived(ctx: Context, project: ProjectRow, archived: boolean): Promise<ProjectRow> {
  if (project.archived !== archived) {
    await ctx.db.updateTable('projects').set({ archived, updated_at: ctx.now }).where('id', '=', project.id).execute()
    const changes = { archived: { from: project.archived, to: archived } }
    await recordEvent(ctx, {
      kind: 'project.updated',
      payload: { project_id: project.id, changes },
      actorId: ctx.actor.user?.id,
      projectId: project.id,
    })
  }
  return { ...project, archived }
}
