import { within } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { protectedTagByName } from './queries.ts'

/** `:name` is resolved to a protected tag or pattern of the project, or 404. */
export const inProtectedTag = within(inProject, {
  name: 'inProtectedTag',
  path: { name: text('URL-encoded name of a tag, or the pattern, as it was protected') },
  load: async ({ db, project }, { name }) => {
    const protectedTag = await protectedTagByName(db, project.id, name)
    if (!protectedTag) throw notFound()
    return { protectedTag }
  },
  modifiedAt: ({ protectedTag }) => protectedTag.created_at,
})
