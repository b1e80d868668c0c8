/** A link of a release as JSON (document 2 "Release link"). */
import Type from 'typebox'
import { entity } from '../../../platform/kernel/answer/entity.ts'
import type { Facts } from '../../../platform/kernel/context.ts'
import { flag, integer, OneOf, text } from '../../../platform/kernel/declaration/types.ts'
import { directAssetUrl, isExternal } from '../assets.ts'
import type { LinkRow } from './queries.ts'

export const linkTypes = ['other', 'runbook', 'image', 'package'] as const

export const linkSchema = Type.Object({
  id: integer('ID, unique on the instance'),
  name: text('Name of the link'),
  url: text('Address of the file'),
  direct_asset_url: text('Permanent address below the release'),
  external: flag('Whether the address is outside of this instance'),
  link_type: OneOf(linkTypes, { description: '`other`, `runbook`, `image` or `package`' }),
})

export const presentLink = (row: LinkRow, { url }: Pick<Facts, 'url'>) => ({
  id: row.id,
  name: row.name,
  url: row.url,
  direct_asset_url: directAssetUrl(url, row),
  external: isExternal(row.url, url),
  link_type: row.link_type,
})

export const ReleaseLink = entity({
  name: 'ReleaseLink',
  schema: linkSchema,
  present: (row: LinkRow, _loaded: undefined, facts) => presentLink(row, facts),
})
