import { within } from '../../../platform/kernel/declaration/scope.ts'
import { text } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { inProjectPage } from '../../../spaces/projects/pages/scope.ts'
import { releaseOfTag } from '../queries.ts'

/** `:tag_name` below the page of a project becomes the release for this tag, or 404. */
export const inReleasePage = within(inProjectPage, {
  name: 'inReleasePage',
  path: { tag_name: text('URL-encoded name of the tag of a release') },
  async load({ db, project }, { tag_name }) {
    const release = await releaseOfTag(db, project.id, tag_name)
    if (!release) throw notFound('Release')
    return { release }
  },
})
