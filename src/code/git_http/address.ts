/**
 * The URLs of git's HTTP transport, `/<full path>.git/info/refs` and two more, and those of LFS, at any depth, with or without `.git`. A
 * route parameter cannot match several segments, so the path is encoded as one segment before routing.
 */
import { type SideRepositoryKind, sideRepositoryKinds } from '../side_repositories/side_repository.ts'

/** First segments that are not projects: `/api/...` has files and artifacts whose paths may end like git's URLs. */
const reserved = new Set(['api', '-', 'oauth', 'users'])

/** Git's own services; LFS is for projects alone. */
const services = /^(?:info\/refs|git-(?:upload|receive)-pack)$/

const transport =
  /^([^?]+?)\/(info\/refs|git-upload-pack|git-receive-pack|info\/lfs\/(?:objects\/(?:batch|verify)|locks(?:\/verify|\/[^/?]+\/unlock)?)|gitlab-lfs\/objects\/[^/?]+(?:\/[^/?]+)?)\/?(\?.*)?$/

/**
 * `/group/project.git/info/refs` as `/group%2Fproject.git/info/refs`; an alias's URL is unchanged; undefined for all other URLs. Git's services
 * on what a kind of side repositories recognizes get the prefix of those endpoints.
 */
export function encodeRepositoryPath(address: string, kinds?: readonly Pick<SideRepositoryKind, 'recognizes'>[]): string | undefined {
  const [, path = '', action, query = ''] = transport.exec(address) ?? []
  const parts = path.split('/').filter(part => part !== '')
  if (action === undefined || parts.length === 0 || reserved.has(parts[0] as string)) return undefined
  const isSide =
    services.test(action) && (kinds ?? sideRepositoryKinds.value).some(kind => kind.recognizes(parts.join('/').replace(/\.git$/, '')))
  return `${isSide ? '/-/repositories' : ''}/${parts.join('%2F')}/${action}${query}`
}
