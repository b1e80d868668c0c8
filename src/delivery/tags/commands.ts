/** Writes of tags that affect their releases. */
import { deleteTag } from '../../code/repository/tags/commands.ts'
import type { TagRow } from '../../code/repository/tags/queries.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { dropRelease } from '../releases/commands.ts'
import { releaseOfTag } from '../releases/queries.ts'

/** Deletes a tag with its release. Must not be called inside a transaction. */
export async function removeTag(ctx: Context, project: ProjectWithRole, tag: TagRow): Promise<void> {
  await deleteTag(ctx, project, tag)
  // Contract: a release is deleted with its tag (tags API).
  const release = await releaseOfTag(ctx.db, project.id, tag.name)
  if (release) await transact(ctx.deps.database.db, db => dropRelease(db, ctx, release))
}
