/** The well-known addresses of feeds: `/group/project.atom`, `/group/project/-/commits/main?format=atom`. */
import { encodeProjectPath } from '../../spaces/projects/pages/scope.ts'

const FORMAT = /([?&])format=atom(&|$)/

/** `?format=atom` says the same as `.atom` at the end of the path. */
function withEnding(given: string): string | undefined {
  const [path = '', query = ''] = given.split('?', 2)
  if (path.endsWith('.atom')) return given
  if (!FORMAT.test(`?${query}`)) return undefined
  const rest = `?${query}`.replace(FORMAT, '$1').replace(/[?&]$/, '')
  return `${path}.atom${rest}`
}

const commits = /^(\/[^?]+?\/-\/)commits\/([^?]+)\.atom(\?.*)?$/
const list = /^\/[^?]+?\/-\/(?:issues|merge_requests|tags|releases)\.atom(\?.*)?$/
const place = /^\/([^?]+)\.atom(\?.*)?$/

/**
 * The address as the router knows it: one segment for the path of a project or group, and one prefix for the commits of a revision. Undefined for
 * every other address. Pure.
 */
export function encodeFeedPath(given: string): string | undefined {
  const address = withEnding(given)
  if (address === undefined) return undefined
  const [, before, revision, query = ''] = commits.exec(address) ?? []
  if (before !== undefined) return encodeProjectPath(`${before}commits.atom/${revision}${query}`)
  if (list.test(address)) return encodeProjectPath(address)
  const [, path = '', rest = ''] = place.exec(address) ?? []
  const parts = path.split('/').filter(part => part !== '')
  // Pages of the instance, and addresses below the page of a place, are no places.
  if (parts.length === 0 || parts.includes('-') || ['api', 'dashboard', 'assets', 'uploads'].includes(parts[0] as string)) return undefined
  const own = parts[0] === 'groups' && parts.length > 1 ? parts.slice(1) : parts
  return `/${own.join('%2F')}.atom${rest}`
}
