/** Releases of protected tags: a user who may not create the tag may not change what it releases either. */
import { tagRights } from '../../code/protected_tags/rights.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { forbidden } from '../../platform/kernel/errors.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'

/**
 * To be asked by each write of a release, and of what belongs to it: links and evidence.
 * @throws Refusal 403 if the tag is protected against the actor
 */
export async function assertMayRelease(
  ctx: Context,
  project: ProjectWithRole,
  tag: string,
  action: 'create' | 'update' | 'delete',
): Promise<void> {
  const rights = await tagRights(ctx, project)
  if (rights.isProtected(tag) && !rights.mayCreate(tag)) throw forbidden(`You are not allowed to ${action} this tag as it is protected.`)
}
