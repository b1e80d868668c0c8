import { within } from '../../../platform/kernel/declaration/scope.ts'
import { integer } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { inRelease } from '../scope.ts'
import { linkById } from './queries.ts'

/** `:link_id` becomes a link of the release, or 404. */
export const inReleaseLink = within(inRelease, {
  name: 'inReleaseLink',
  path: { link_id: integer('ID of a link') },
  async load({ db, release }, { link_id }) {
    const link = await linkById(db, release.id, link_id)
    if (!link) throw notFound('Link')
    return { link }
  },
  modifiedAt: ({ link }) => link.updated_at,
})
