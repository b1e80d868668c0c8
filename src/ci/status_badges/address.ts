/** The well-known addresses of the badges of a branch: `/group/project/badges/feature/lamp/pipeline.svg`. */
import { isReservedAtTop } from '../../identity/paths/names.ts'

const image = /\/(pipeline|coverage)\.svg$/

/** The same with one segment for the path of the project and one for the branch; undefined for every other address. Pure. */
export function encodeBadgePath(given: string): string | undefined {
  const end = given.indexOf('?')
  const [address, query] = end < 0 ? [given, ''] : [given.slice(0, end), given.slice(end)]
  const kind = image.exec(address)?.[1]
  const at = address.indexOf('/badges/', 1)
  if (kind === undefined || at < 0) return undefined
  const ref = address.slice(at + '/badges/'.length, -`/${kind}.svg`.length)
  const parts = address
    .slice(0, at)
    .split('/')
    .filter(part => part !== '')
  if (ref === '' || parts.length < 2 || isReservedAtTop(parts[0] as string) || parts.includes('-')) return undefined
  return `/${parts.join('%2F')}/badges/${ref.replaceAll('/', '%2F')}/${kind}.svg${query}`
}
