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

/** People of a row that are shown each; the names of the others stand behind their number. */
const EACH = 3

/** The people of a row of a list with what they are to it (`Assigned to`): the first each, the others by their number. */
export function people(shown: readonly (readonly [role: string, person: Pictured])[]): Html {
  const named = shown.map(([role, person]) => ({ person, says: `${role} ${person.name}` }))
  const first = named.slice(0, named.length > EACH + 1 ? EACH : EACH + 1)
  const others = named
    .slice(first.length)
    .map(({ says }) => says)
    .join(', ')
  return html`${first.map(({ person, says }) => html`<span title="${says}">${avatar(person, 20)}<span class="sr-only">${says}</span></span>`)}${others !== '' && html`<span class="muted" title="${others}"><span aria-hidden="true">+${named.length - first.length}</span><span class="sr-only">${others}</span></span>`}`
}
