import type { Context } from '../../../platform/kernel/context.ts'
import { within } from '../../../platform/kernel/declaration/scope.ts'
import { integer } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { inReleasePage } from '../pages/scope.ts'
import type { ReleaseRow } from '../queries.ts'
import { inRelease } from '../scope.ts'
import { linkById } from './queries.ts'

const path = { link_id: integer('ID of a link') }

async function load({ db, release }: Pick<Context, 'db'> & { readonly release: ReleaseRow }, { link_id }: { readonly link_id: number }) {
  const link = await linkById(db, release.id, link_id)
  if (!link) throw notFound('Link')
  return { link }
}

/** `:link_id` becomes a link of the release, or 404. */
export const inReleaseLink = within(inRelease, { name: 'inReleaseLink', path, load, modifiedAt: ({ link }) => link.updated_at })

/** The same below the page of the project. */
export const inReleaseLinkPage = within(inReleasePage, { name: 'inReleaseLinkPage', path, load })
