/** The well-known addresses of the badges of a branch: `/group/project/badges/feature/lamp/pipeline.svg`. */
import { isReservedAtTop } from '../../identity/paths/names.ts'

const address = /^([^?]+?)\/badges\/([^?]+)\/(pipeline|coverage)\.svg(\?.*)?$/

/** The same with one segment for the path of the project and one for the branch; undefined for every other address. Pure. */
export function encodeBadgePath(given: string): string | undefined {
  const [, path = '', ref, kind, query = ''] = address.exec(given) ?? []
  const parts = path.split('/').filter(part => part !== '')
  if (ref === undefined || parts.length < 2 || isReservedAtTop(parts[0] as string) || parts.includes('-')) return undefined
  return `/${parts.join('%2F')}/badges/${ref.replaceAll('/', '%2F')}/${kind}.svg${query}`
}
