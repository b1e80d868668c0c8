/** A link of a release as JSON (document 2 "Release link"). */
import Type from 'typebox'
import { entity } from '../../../platform/kernel/answer/entity.ts'
import type { Facts } from '../../../platform/kernel/context.ts'
import { OneOf } from '../../../platform/kernel/types.ts'
import { directAssetUrl, isExternal } from '../assets.ts'
import type { LinkRow } from './queries.ts'

export const linkTypes = ['other', 'runbook', 'image', 'package'] as const

export const linkSchema = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  url: Type.String(),
  direct_asset_url: Type.String(),
  external: Type.Boolean(),
  link_type: OneOf(linkTypes),
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
