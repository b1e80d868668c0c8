/**
 * What comes of the rights of the one who proposed commits of one project to another. They are asked again each time that commits are brought over:
 * those of a private project would otherwise go on to a fork of someone who has left it.
 */
import { allows } from '../../../platform/access/abilities.ts'
import { actingAs } from '../../../platform/access/credentials/credentials.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { visibleProject } from '../../../spaces/projects/queries.ts'
import { projectSubject } from '../../../spaces/projects/scope.ts'
import type { MergeRequestRow } from '../queries.ts'

/** May the author of a merge request read the code of the project that it comes from now? Always where that is the target itself. */
export async function mayFollowSource(
  { db }: Pick<Context, 'db'>,
  { author_id, project_id, source_project_id }: Pick<MergeRequestRow, 'author_id' | 'project_id' | 'source_project_id'>,
): Promise<boolean> {
  if (source_project_id === project_id) return true
  const author = source_project_id === null ? undefined : await actingAs(db, author_id)
  const source = author && (await visibleProject(db, author, String(source_project_id)))
  return source !== undefined && allows(author!, 'read_code', projectSubject(source)) === 'yes'
}
