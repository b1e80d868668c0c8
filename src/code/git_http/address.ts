/**
 * The addresses of git's HTTP transport: `/<full path>.git/info/refs` and two more, and those of LFS, at any depth,
 * with or without `.git`. A route pattern holds no path of several parts, so the path becomes one part before routing.
 */

/** Below these no project lives: `/api/...` has files and artifacts whose paths may end like git's addresses. */
const reserved = new Set(['api', '-', 'oauth', 'users'])

const transport =
  /^([^?]+?)\/(info\/refs|git-upload-pack|git-receive-pack|info\/lfs\/(?:objects\/(?:batch|verify)|locks(?:\/verify|\/[^/?]+\/unlock)?)|gitlab-lfs\/objects\/[^/?]+(?:\/[^/?]+)?)\/?(\?.*)?$/

/** `/group/project.git/info/refs` as `/group%2Fproject.git/info/refs`, an alias's `/alias.git/info/refs` as it is; undefined for every other address. */
export function encodeRepositoryPath(address: string): string | undefined {
  const [, path = '', action, query = ''] = transport.exec(address) ?? []
  const parts = path.split('/').filter(part => part !== '')
  if (action === undefined || parts.length === 0 || reserved.has(parts[0] as string)) return undefined
  return `/${parts.join('%2F')}/${action}${query}`
}
