import Type from 'typebox'
import { notFound } from '../kernel/errors.ts'
import { within } from '../kernel/scope.ts'
import { inProject } from '../projects/scope.ts'
import { protectedBranchByName } from './queries.ts'

/** `:name` becomes a protected branch, or pattern, of the project, or 404. */
export const inProtectedBranch = within(inProject, {
  name: 'inProtectedBranch',
  path: { name: Type.String({ description: 'URL-encoded name of a branch, or the pattern, as it was protected' }) },
  load: async ({ db, project }, { name }) => {
    const protectedBranch = await protectedBranchByName(db, project.id, name)
    if (!protectedBranch) throw notFound()
    return { protectedBranch }
  },
})
