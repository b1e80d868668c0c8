/** Deletes groups: the request hides them from all users, and the worker removes their rows and repositories. */
import { sql } from 'kysely'
import { lockNamespace, releasePaths } from '../../../identity/paths/routes.ts'
import { removeBotsOf } from '../../../identity/users/bots.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import { transact } from '../../../platform/db/transact.ts'
import { recordEvent } from '../../../platform/events/events.ts'
import { enqueue } from '../../../platform/events/worker.ts'
import { type Context, type Deps, systemContext } from '../../../platform/kernel/context.ts'
import { removeMembersOf } from '../../members/commands.ts'
import { namedRights } from '../../members/named_rights.ts'
import { hideProjectsOf, removeProject } from '../../projects/lifecycle/removal.ts'
import { removeScimTokensOf } from '../../scim_tokens/commands.ts'
import { removeSharesOf } from '../../shares/commands.ts'
import type { GroupRow } from '../queries.ts'

/** Projects that are removed in one transaction. */
const BATCH = 50

/** Deletes a group with every group and project below it. A dozen statements, however large the tree is. */
export async function removeGroup(ctx: Context, group: Pick<GroupRow, 'id' | 'full_path'>): Promise<void> {
  const { db } = ctx
  // The group itself is locked first: a transaction that adds something below it holds that lock, and ends before the tree is listed.
  const locked = await lockNamespace(db, group.id)
  // A concurrent request was faster.
  if (!locked || locked.deleting) return
  const { traversal_ids, ...was } = await db
    .selectFrom('namespaces')
    .select(['name', 'path', 'traversal_ids', 'created_at', 'updated_at'])
    .where('id', '=', group.id)
    .executeTakeFirstOrThrow()
  const tree = await namespacesBelow(db, group.id).orderBy('id').forUpdate().execute()
  const ids = tree.map(row => row.id)
  const places = { namespaceIds: ids, projectIds: await hideProjectsOf(db, ids) }
  await db.updateTable('namespaces').set({ deleting: true, visibility: 'private' }).where('id', '=', anyOf(ids)).execute()
  // References to the tree are removed now, as the foreign keys would do with the rows.
  await releasePaths(db, places)
  await removeMembersOf(db, places)
  await removeSharesOf(db, group.id, places)
  await removeScimTokensOf(db, ids)
  const bots = await removeBotsOf(ctx, places)
  await recordEvent(ctx, {
    kind: 'group.deleted',
    payload: { group_id: group.id, full_path: group.full_path, group_ids: ids, was: { ...was, above: traversal_ids.slice(0, -1) } },
    // A bot that deletes its own group is deleted with it.
    actorId: ctx.actor.user && bots.includes(ctx.actor.user.id) ? undefined : ctx.actor.user?.id,
  })
  await enqueue(db, 'remove_group', { group_id: group.id })
}

/** The ids of a group and its subgroups. */
const namespacesBelow = (db: Db, id: number) =>
  db
    .selectFrom('namespaces')
    .select('id')
    .where(sql<boolean>`traversal_ids @> ${[id]}`)

/** Removes what `removeGroup` has left: the projects in batches, then the groups. Continues where it was interrupted. */
export async function finishGroupRemoval(deps: Deps, { group_id }: { group_id: number }): Promise<void> {
  const { db } = deps.database
  while (await transact(db, tx => removeSomeProjects(deps, tx, group_id)));
  await transact(db, async tx => {
    const tree = await namespacesBelow(tx, group_id).where('deleting', '=', true).orderBy('id').forUpdate().execute()
    const ids = tree.map(row => row.id)
    // A request that was allowed before the group was hidden may have added one since.
    await removeBotsOf(systemContext(deps, tx), { namespaceIds: ids, projectIds: [] })
    await namedRights.value.beforeDeletion(tx, { groupIds: ids })
    await tx.deleteFrom('namespaces').where('id', '=', anyOf(ids)).execute()
  })
}

/** @returns whether there may be more */
async function removeSomeProjects(deps: Deps, db: Db, groupId: number): Promise<boolean> {
  const projects = await db
    .selectFrom('projects')
    .select(['id', 'repository_storage'])
    .where('namespace_id', 'in', namespacesBelow(db, groupId))
    .where('deleting', '=', true)
    .orderBy('id')
    .limit(BATCH)
    .forUpdate()
    .execute()
  const ctx = systemContext(deps, db)
  for (const project of projects) await removeProject(ctx, project)
  return projects.length === BATCH
}
