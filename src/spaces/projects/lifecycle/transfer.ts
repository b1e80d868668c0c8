/** Moving a project to another namespace. */
import { moveRoute } from '../../../identity/paths/routes.ts'
import { roles, type Visibility } from '../../../platform/access/abilities.ts'
import { recordEvent } from '../../../platform/events/events.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { badRequest, notFound } from '../../../platform/kernel/errors.ts'
import { fitsInside } from '../../groups/commands.ts'
import { isNumericId } from '../../groups/queries.ts'
import { ensureMember } from '../../members/commands.ts'
import { namedRights } from '../../members/named_rights.ts'
import { lockedProject, type ProjectRow, projects } from '../queries.ts'
import { projectLifecycle } from './lifecycle.ts'
import { rethrowTakenName, targetNamespace } from './target_namespace.ts'

/**
 * Moves a project to a namespace where the caller may create projects; its old paths redirect to it. In a less visible group it gets the
 * visibility of the group (public behaviour).
 * @param namespace id or full path
 * @throws notFound there is no such namespace for this caller; badRequest the project is there already; conflict name or path are taken
 * there
 */
export async function transferProject(ctx: Context, { id }: Pick<ProjectRow, 'id'>, namespace: string): Promise<ProjectRow> {
  const { db } = ctx
  const home = await targetNamespace(ctx, await namespaceId(ctx, namespace), 0)
  const project = await lockedProject(db, id)
  if (home.id === project.namespace_id) throw badRequest('Project is already in this namespace')
  const [visibility, limit] = [project.visibility as Visibility, home.visibility as Visibility]
  // Before members of the new place have access: what they were given by name while they had it earlier has ended.
  await namedRights.value.dropLost(db, { place: { project_id: project.id } })
  await db
    .updateTable('projects')
    .set({
      namespace_id: home.id,
      visibility: home.kind === 'group' && !fitsInside(visibility, limit) ? limit : visibility,
      // Contract: shared runners end where the new group does not allow them (public behaviour).
      ...(home.shared_runners_setting === 'disabled_and_unoverridable' ? { shared_runners_enabled: false } : {}),
      updated_at: ctx.now,
    })
    .where('id', '=', project.id)
    .execute()
    .catch(rethrowTakenName)
  await moveRoute(db, { project_id: project.id }, home.id, project)
  // As for a new project: the owner of the namespace becomes a member.
  if (home.kind === 'user')
    await ensureMember(ctx, { project_id: project.id }, { user_id: home.owner_id as number, access_level: roles.maintainer })
  await projectLifecycle.value.onTransferred(ctx, { project_id: project.id }, project.namespace_traversal_ids?.[0])
  await recordEvent(ctx, {
    kind: 'project.updated',
    payload: { project_id: project.id, transferred_from: project.full_path },
    actorId: ctx.actor.user?.id,
    projectId: project.id,
  })
  return projects(db).where('projects.id', '=', project.id).executeTakeFirstOrThrow()
}

/** The id of a namespace by id or full path. `namespaceFor` checks whether the caller may see it. */
async function namespaceId({ db }: Context, namespace: string): Promise<number> {
  if (isNumericId(namespace)) return Number(namespace)
  const route = await db
    .selectFrom('routes')
    .select('namespace_id')
    .where(({ eb, fn, val }) => eb(fn('lower', ['path']), '=', fn('lower', [val(namespace)])))
    .executeTakeFirst()
  if (!route?.namespace_id) throw notFound('Namespace')
  return route.namespace_id
}
