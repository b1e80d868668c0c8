/** Writes of single files: commits with one action. */
import type { ActionRefused, FileAction } from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { createCommit, type NewCommit } from '../commits/commands.ts'
import { requirePath } from './find.ts'

/** Commits one action, and returns the response of the file endpoints. */
export async function writeFile(
  ctx: Context,
  project: ProjectWithRole,
  action: FileAction,
  given: Omit<NewCommit, 'actions'>,
): Promise<{ file_path: string; branch: string }> {
  requirePath(action.file_path)
  await createCommit(ctx, project, { ...given, actions: [action] }, words)
  return { file_path: action.file_path, branch: given.branch }
}

const words = ({ reason, message }: ActionRefused): string =>
  reason === 'file_changed' ? 'You are attempting to update a file that has changed since you started editing it.' : message
