import { within } from '../../../platform/kernel/declaration/scope.ts'
import { text } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { inRepository } from '../scope.ts'
import { peelTag, type TagRow } from './queries.ts'

/** `:tag_name` is resolved to a tag of the repository, or 404. */
export const inTag = within(inRepository, {
  name: 'inTag',
  path: { tag_name: text('URL-encoded name of a tag') },
  async load({ project, repository }, { tag_name }) {
    const found = repository && (await peelTag(repository, tag_name))
    if (!repository || !found) throw notFound('Tag')
    const tag: TagRow = { ...found, project, repository }
    return { tag, repository }
  },
})
