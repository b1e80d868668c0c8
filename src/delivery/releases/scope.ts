import { within } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { releaseOfTag } from './queries.ts'

/** `:tag_name` becomes the release for this tag, or 404. */
export const inRelease = within(inProject, {
  name: 'inRelease',
  path: { tag_name: text('URL-encoded name of the tag of a release') },
  async load({ db, project }, { tag_name }) {
    const release = await releaseOfTag(db, project.id, tag_name)
    if (!release) throw notFound('Release')
    return { release }
  },
  modifiedAt: ({ release }) => release.updated_at,
})
