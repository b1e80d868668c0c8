import { within } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { protectedBranchByName } from './queries.ts'

/** `:name` is resolved to a protected branch or pattern of the project, or 404. */
export const inProtectedBranch = within(inProject, {
  name: 'inProtectedBranch',
  path: { name: text('URL-encoded name of a branch, or the pattern, as it was protected') },
  load: async ({ db, project }, { name }) => {
    const protectedBranch = await protectedBranchByName(db, project.id, name)
    if (!protectedBranch) throw notFound()
    return { protectedBranch }
  },
  modifiedAt: ({ protectedBranch }) => protectedBranch.created_at,
})
