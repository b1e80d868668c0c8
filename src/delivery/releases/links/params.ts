/** Parameters of links, alone and within a release. */
import Type from 'typebox'
import { Nullable, OneOf } from '../../../platform/kernel/types.ts'
import { linkTypes } from './entity.ts'

const filepath = (description: string) => Type.Optional(Nullable(Type.String({ maxLength: 128 }), { description }))

export const linkParams = {
  name: Type.String({ minLength: 1, maxLength: 255, description: 'Unique in the release', examples: ['Handbook'] }),
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: 'An http, https or ftp address, unique in the release',
    examples: ['https://example.com/handbook.pdf'],
  }),
  filepath: filepath('Where it can be downloaded below the release, such as `/bin/linux`'),
  direct_asset_path: filepath('Another name of `filepath`'),
  link_type: Type.Optional(OneOf(linkTypes, { description: '`other` unless given' })),
}
