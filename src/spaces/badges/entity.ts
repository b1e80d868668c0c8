/** A badge as JSON, with its addresses as given and as rendered (badges APIs of projects and groups). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import { type Values, valuesFor, withValues } from './placeholders.ts'
import type { BadgeRow } from './queries.ts'

const addresses = {
  link_url: text('Address of the link, with placeholders'),
  image_url: text('Address of the image, with placeholders'),
  rendered_link_url: text('Address of the link'),
  rendered_image_url: text('Address of the image'),
}

/** A badge that is previewed and not stored. */
export type BadgeDraft = Pick<BadgeRow, 'link_url' | 'image_url' | 'shown_for'>

const presentAddresses = ({ link_url, image_url, shown_for }: BadgeDraft, loaded: Map<number, Values>) => {
  const values = (shown_for === null ? undefined : loaded.get(shown_for)) ?? {}
  return { link_url, image_url, rendered_link_url: withValues(link_url, values), rendered_image_url: withValues(image_url, values) }
}

export const Badge = entity({
  name: 'Badge',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    name: Nullable(text('Name of the badge; null where it has none')),
    ...addresses,
    kind: text('`project` or `group`'),
  }),
  load: valuesFor,
  present: (row: BadgeRow, loaded) => ({ id: row.id, name: row.name, ...presentAddresses(row, loaded), kind: row.kind }),
})

export const RenderedBadge = entity({
  name: 'RenderedBadge',
  schema: Type.Object(addresses),
  load: valuesFor,
  present: (row: BadgeDraft, loaded) => presentAddresses(row, loaded),
})
