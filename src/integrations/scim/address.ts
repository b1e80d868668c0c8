/**
 * The addresses of SCIM: `/api/scim/v2/groups/<full path>/Users`, the path encoded or raw (decision 22). A route pattern
 * cannot match a path of several segments, so a raw path becomes one segment before routing.
 */

export const prefix = '/api/scim/v2'

const address = /^\/+api\/+scim\/+v2\/+groups\/([^?]*)(\?.*)?$/

/**
 * `/api/scim/v2/groups/a/b/Users/7` as `/api/scim/v2/groups/a%2Fb/Users/7`; undefined for every other address. If a
 * subgroup is itself called `Users`, the last occurrence of that name counts.
 */
export function encodeGroupPath(url: string): string | undefined {
  const [, path, query = ''] = address.exec(url) ?? []
  const parts = (path ?? '').split('/').filter(part => part !== '')
  // `Users` is the last segment, or the one before a user's id.
  const at = [parts.length - 1, parts.length - 2].find(index => parts[index] === 'Users')
  if (at === undefined || at < 2 || isOnePart(parts)) return undefined
  return `${prefix}/groups/${[parts.slice(0, at).join('%2F'), ...parts.slice(at)].join('/')}${query}`
}

/** The route pattern matches already: the only reading of `a/Users/Users` is the user `Users` of group `a`. */
const isOnePart = (parts: readonly string[]) => parts[1] === 'Users' && parts.length === 3
