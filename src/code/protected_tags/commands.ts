/** Writes of protected tags. */

import { roles } from '../../platform/access/abilities.ts'
import { uniqueViolation } from '../../platform/db/errors.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { unprocessable } from '../../platform/kernel/errors.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { assertLevelsAreMembers } from '../protected_branches/commands.ts'
import type { Allowed } from '../protected_branches/level_changes.ts'
import { type ProtectedTagRow, protectedTagByName } from './queries.ts'

export interface NewTagProtection {
  readonly name: string
  /** Maintainers if neither this nor `allowed_to_create` is given. */
  readonly create_access_level?: number | undefined
  readonly allowed_to_create?: readonly Allowed[] | undefined
}

/** Protects a tag or a pattern; 422 if this name is protected already. */
export async function protectTag(
  ctx: Context,
  project: ProjectWithRole,
  { name, create_access_level, allowed_to_create = [] }: NewTagProtection,
): Promise<ProtectedTagRow> {
  const { db, now } = ctx
  const given: readonly Allowed[] =
    create_access_level === undefined ? allowed_to_create : [{ access_level: create_access_level }, ...allowed_to_create]
  const levels = (given.length === 0 ? [{ access_level: roles.maintainer }] : given).map(
    ({ user_id, group_id, access_level }: Allowed) => ({
      access_level: access_level ?? roles.maintainer,
      user_id: user_id ?? null,
      group_id: group_id ?? null,
    }),
  )
  await assertLevelsAreMembers(
    db,
    project,
    levels.map(level => ({ ...level, action: 'create' })),
  )
  try {
    const { id } = await db
      .insertInto('protected_tags')
      .values({ project_id: project.id, name, created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('protected_tag_access_levels')
      .values(levels.map(level => ({ protected_tag_id: id, ...level })))
      .execute()
  } catch (error) {
    // Contract: 422, unlike the 409 of branches (protected tags API, 14.0).
    if (uniqueViolation(error) !== undefined) throw unprocessable(['Name has already been taken'])
    throw error
  }
  const made = (await protectedTagByName(db, project.id, name)) as ProtectedTagRow
  const granted = levels.map(level => ({ ...level, action: 'create' }))
  await recordEvent(ctx, { kind: 'protected_tag.created', payload: { id: made.id, name, levels: granted }, projectId: project.id })
  return made
}

/** Removes a protection. */
export async function unprotectTag(ctx: Context, project: { readonly id: number }, tag: ProtectedTagRow): Promise<void> {
  await ctx.db.deleteFrom('protected_tags').where('id', '=', tag.id).returning('id').executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'protected_tag.deleted', payload: { id: tag.id, name: tag.name }, projectId: project.id })
}
