/** Addresses of pages about repositories. Pure. */
import { projectPath } from '../../spaces/projects/pages/place.ts'

type Placed = { readonly full_path: string }

/** A path as it stands in an address: each segment is encoded, slashes stay. */
export const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

/** Segments of a path that are looked at for the name of a reference. More of them are the path of a file. */
const MOST_SEGMENTS = 64

/** `feature/x/src/main.ts` may begin with the branch `feature`, `feature/x` and so on: each of them, with what is left as a path. */
export function beginningsOf(named: string): { readonly ref: string; readonly path: string }[] {
  const segments = named.split('/').filter(segment => segment !== '')
  return segments.slice(0, MOST_SEGMENTS).map((_, index) => ({
    ref: segments.slice(0, index + 1).join('/'),
    path: segments.slice(index + 1).join('/'),
  }))
}

/** The page of `kind` for a path of a revision: `/g/p/-/blob/main/src/a.ts`. */
export const revisionPage = (
  project: Placed,
  kind:
    | 'tree'
    | 'last_commits'
    | 'blob'
    | 'blame'
    | 'raw'
    | 'commits'
    | 'edit'
    | 'new'
    | 'upload'
    | 'replace'
    | 'rename'
    | 'delete'
    | 'find_file'
    | 'network'
    | 'diff_lines',
  ref: string,
  path = '',
): string => projectPath(project, `/-/${kind}/${encodePath(ref)}${path === '' ? '' : `/${encodePath(path)}`}`)

export const commitPage = (project: Placed, id: string): string => projectPath(project, `/-/commit/${id}`)

/** The comparison of two revisions: what the second has and the first lacks. */
export const comparePage = (project: Placed, from: string, to: string): string =>
  projectPath(project, `/-/compare/${encodePath(from)}...${encodePath(to)}`)

/** The download of the files of a revision. */
export const archivePath = (project: Placed, ref: string, format: 'zip' | 'tar.gz'): string =>
  projectPath(
    project,
    `/-/archive/${encodeURIComponent(ref)}/${encodeURIComponent(`${project.full_path.split('/').at(-1)}-${ref.replaceAll('/', '-')}.${format}`)}`,
  )

/** Can an address name this path? Bytes that are no UTF-8 have become this sign in it. */
export const isNameable = (path: string): boolean => !path.includes('\ufffd')
