/** The namespace of a new or moved project: a personal namespace or a group. */

import { lockNamespaceShared } from '../../../identity/paths/routes.ts'
import { allows, type Role, roles, type Visibility } from '../../../platform/access/abilities.ts'
import { type Actor, isAdmin } from '../../../platform/access/actor.ts'
import { uniqueViolation } from '../../../platform/db/errors.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { conflict, forbidden, invalid, notFound } from '../../../platform/kernel/errors.ts'
import { visibleGroup } from '../../groups/queries.ts'

/** The facts of the namespace that a new project needs. */
export interface TargetNamespace {
  readonly id: number
  readonly kind: string
  readonly owner_id: number | null
  readonly visibility: string
  readonly shared_runners_setting: string
  readonly lfs_enabled: boolean
}

/** The namespace to create a project in, if this caller may; by default the personal one of `ownerId`. */
export async function targetNamespace(ctx: Context, namespaceId: number | undefined, ownerId: number): Promise<TargetNamespace> {
  const { db, actor } = ctx
  const personal = await db
    .selectFrom('namespaces')
    .innerJoin('users', 'users.id', 'namespaces.owner_id')
    .select(['namespaces.id', 'namespaces.kind', 'namespaces.owner_id', 'namespaces.visibility', 'namespaces.shared_runners_setting'])
    .select(['users.projects_limit', 'namespaces.lfs_enabled'])
    .where(({ eb }) => (namespaceId === undefined ? eb('namespaces.owner_id', '=', ownerId) : eb('namespaces.id', '=', namespaceId)))
    .executeTakeFirst()
  if (personal) {
    if (personal.owner_id !== actor.user?.id && !isAdmin(actor)) throw forbidden()
    // External users work in places to which they were invited; they have no own projects (public behaviour at 14.0).
    if (actor.user?.external && !isAdmin(actor)) throw forbidden('External users cannot create projects of their own')
    await assertProjectsLimit(ctx, personal)
    return personal
  }
  // Bots have no personal namespace.
  if (namespaceId === undefined) throw forbidden()
  await lockNamespaceShared(db, namespaceId)
  const group = await visibleGroup(db, actor, String(namespaceId))
  if (!group) throw notFound('Namespace')
  if (!mayCreateProjectIn(actor, group)) throw forbidden()
  return group
}

/** May the actor create projects in a group: by their role, and by what the group asks for (`project_creation_level`)? Pure. */
export function mayCreateProjectIn(
  actor: Actor,
  group: { readonly role: number; readonly visibility: string; readonly project_creation_level: keyof typeof creators },
): boolean {
  const subject = { on: 'group', role: group.role as Role, visibility: group.visibility as Visibility } as const
  const level = creators[group.project_creation_level]
  const enough = isAdmin(actor) || (level !== undefined && group.role >= level)
  return enough && allows(actor, 'create_project_in_group', subject) === 'yes'
}

/** The lowest role that creates projects, by the setting of the group. */
const creators = { noone: undefined, maintainer: roles.maintainer, developer: roles.developer } as const

/** Locks the namespace until the transaction ends: concurrent creations are counted one after the other. */
async function assertProjectsLimit({ db }: Context, personal: { id: number; projects_limit: number }): Promise<void> {
  await db.selectFrom('namespaces').select('id').where('id', '=', personal.id).forNoKeyUpdate().execute()
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

/** 409 for a name that another project of the namespace has (decision 13). */
export function rethrowTakenName(error: unknown): never {
  if (uniqueViolation(error) === 'projects_name_key') throw conflict('Name has already been taken')
  throw error
}
