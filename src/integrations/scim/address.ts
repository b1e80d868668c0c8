/**
 * The addresses of SCIM: `/api/scim/v2/groups/<full path>/Users`, the path encoded or raw (decision 22). A route pattern
 * holds no path of several parts, so a raw path becomes one part before routing.
 */

export const prefix = '/api/scim/v2'

const address = /^\/+api\/+scim\/+v2\/+groups\/([^?]*)(\?.*)?$/

/**
 * `/api/scim/v2/groups/a/b/Users/7` as `/api/scim/v2/groups/a%2Fb/Users/7`; undefined for every other address. Where a
 * group below another one is itself called `Users`, the last part of that name counts.
 */
export function encodeGroupPath(url: string): string | undefined {
  const [, path, query = ''] = address.exec(url) ?? []
  const parts = (path ?? '').split('/').filter(part => part !== '')
  // `Users` is the last part, or the one before a user's id.
  const at = [parts.length - 1, parts.length - 2].find(index => parts[index] === 'Users')
  if (at === undefined || at < 2 || isOnePart(parts)) return undefined
  return `${prefix}/groups/${[parts.slice(0, at).join('%2F'), ...parts.slice(at)].join('/')}${query}`
}

/** The pattern of the route fits already: the only reading of `a/Users/Users` is the user `Users` of group `a`. */
const isOnePart = (parts: readonly string[]) => parts[1] === 'Users' && parts.length === 3
