/** Parameters of links, alone and within a release. */
import Type from 'typebox'
import { Nullable, OneOf, text } from '../../../platform/kernel/declaration/types.ts'
import { linkTypes } from './entity.ts'

const filepath = (description: string) => Type.Optional(Nullable(Type.String({ maxLength: 128 }), { description }))

export const linkParams = {
  name: text('Unique in the release', { minLength: 1, maxLength: 255, examples: ['Handbook'] }),
  url: text('An http, https or ftp address, unique in the release', {
    minLength: 1,
    maxLength: 2048,
    examples: ['https://example.com/handbook.pdf'],
  }),
  filepath: filepath('Where it can be downloaded below the release, such as `/bin/linux`'),
  direct_asset_path: filepath('Another name of `filepath`'),
  link_type: Type.Optional(OneOf(linkTypes, { description: '`other` unless given' })),
}
