/** Writes of locks. */
import { allows } from '../../../platform/access/abilities.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { forbidden, Refusal } from '../../../platform/kernel/errors.ts'
import { type ProjectWithRole, projectSubject } from '../../../spaces/projects/scope.ts'
import { lockJson } from './entity.ts'
import { type LockRow, locksOf } from './queries.ts'

/** Locks a file for the caller. @throws Refusal 409 with the existing lock */
export async function lockFile({ db, actor, now }: Context, project: { readonly id: number }, path: string): Promise<LockRow> {
  // A deploy key or token has no user as the owner of a lock.
  if (!actor.user) throw forbidden('a lock belongs to a person')
  const made = await db
    .insertInto('lfs_locks')
    .values({ project_id: project.id, user_id: actor.user.id, path, locked_at: now })
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  const lock = await locksOf(db, project.id).where('path', '=', path).executeTakeFirstOrThrow()
  if (!made) throw new Refusal('conflict', { lock: lockJson(lock), message: 'already locked' })
  return lock
}

/** Deletes a lock: one's own, or with `force`, as a maintainer, any. */
export async function unlockFile(ctx: Context, project: ProjectWithRole, lock: LockRow, force: boolean): Promise<LockRow> {
  if (lock.user_id !== ctx.actor.user?.id) {
    if (!force) throw forbidden(`${lock.path} is locked by ${lock.owner_name}`)
    if (allows(ctx.actor, 'admin_project', projectSubject(project)) !== 'yes')
      throw forbidden('You must have maintainer access to force delete a lock')
  }
  await ctx.db.deleteFrom('lfs_locks').where('id', '=', lock.id).returning('id').executeTakeFirstOrThrow()
  return lock
}
