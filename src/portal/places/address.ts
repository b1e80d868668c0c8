/** Addresses that are a full path and nothing else: `/group/sub/project`, `/group`, `/username`. */
import { isReservedAtTop } from '../../identity/paths/names.ts'
import type { Dialect } from '../../platform/kernel/declaration/dialect.ts'
import { pages } from '../../platform/pages/dialect.ts'

/** `/group/sub/project?x` as `/group%2Fsub%2Fproject?x`; undefined for every other address. Pure. */
export function encodePlacePath(given: string): string | undefined {
  const [path = '', query] = given.split('?', 2)
  // A path that is encoded already belongs to the address of something in it.
  if (/%2f/i.test(path)) return undefined
  const parts = path.split('/').filter(part => part !== '')
  const [first] = parts
  if (first === undefined || parts.length < 2 || isReservedAtTop(first) || parts.includes('-')) return undefined
  return `/${parts.join('%2F')}${query === undefined ? '' : `?${query}`}`
}

/** The pages of places. Stands last in the list of endpoints: other addresses with several segments are taken first. */
export const placePages: Dialect = { ...pages, name: 'place_pages', rewrite: encodePlacePath }
