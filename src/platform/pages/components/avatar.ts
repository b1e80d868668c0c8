import { type Html, html } from '../html.ts'

/** Whose picture it is: an account, a project or a group. */
export interface Pictured {
  readonly name: string
  /** A path of this server; null where there is no picture. */
  readonly avatar_url: string | null
}

/** The picture of an account or a place, or its first letter. `size` in pixels. The name stands beside it, so it is decoration. */
export function avatar({ name, avatar_url }: Pictured, size: 20 | 32 | 48 | 160 = 20, shape: 'round' | 'square' = 'round'): Html {
  const classes = `avatar size-${size}${shape === 'square' ? ' square' : ''}`
  if (avatar_url === null) return html`<span class="${classes}" aria-hidden="true">${[...name.trim()][0] ?? '?'}</span>`
  return html`<img class="${classes}" src="${avatar_url}" alt="" width="${size}" height="${size}" loading="lazy">`
}
