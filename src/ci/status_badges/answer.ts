/** A badge as an answer, and what its address may say of its looks. */
import Type from 'typebox'
import { etagOf } from '../../platform/kernel/answer/object.ts'
import type { ByteAnswer } from '../../platform/kernel/declaration/endpoint.ts'
import { OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { type StatusBadge, statusSvg } from './svg.ts'

export const SVG = 'image/svg+xml'

/** Parameters of every badge. */
export const looks = {
  style: optional(OneOf(['flat', 'flat-square'], { description: 'Round or square corners' })),
  key_text: optional(text('What the left half says', { maxLength: 64 })),
  key_width: optional(Type.Integer({ minimum: 1, maximum: 512, description: 'How wide the left half is, in px' })),
}

type Looks = {
  readonly style?: StatusBadge['style'] | undefined
  readonly key_text?: string | undefined
  readonly key_width?: number | undefined
}

/** The image. Caches must ask again each time, with its `ETag`. */
export function badgeAnswer({ style, key_text, key_width }: Looks, shown: Pick<StatusBadge, 'key' | 'value' | 'color'>): ByteAnswer {
  const key = key_text?.replace(/\p{Cc}/gu, ' ') || shown.key
  const body = statusSvg({ ...shown, key, keyWidth: key_width, ...(style && { style }) })
  return {
    body,
    etag: etagOf(body),
    headers: {
      'cache-control': 'no-cache, private',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    },
  }
}
