/** Submodules: the page of the repository that an entry of a directory stands for. Pure. */
import { withoutEndingSlashes, withoutSlashes } from '../../../../platform/patterns/slashes.ts'
import { projectPath } from '../../../../spaces/projects/pages/place.ts'
import { pathBeside } from './path_beside.ts'

/** A commit of another repository, and the address of that, as `.gitmodules` has it. */
export interface Submodule {
  readonly url: string
  readonly commit: string
}

/** Where a submodule is, and where it is seen from. */
export interface Seen {
  readonly project: { readonly full_path: string }
  /** The address of this server, without a slash at its end. */
  readonly server: string
}

/** The page of a submodule: of a project here at its commit, elsewhere that of the repository. Undefined where no page is known. */
export function submodulePage({ url, commit }: Submodule, { project, server }: Seen): string | undefined {
  if (/^\.\.?\//.test(url)) {
    // As git reads it beside the address of the repository.
    const named = pathBeside(project.full_path, url)
    return named === undefined ? undefined : pageHere(named, commit)
  }
  const web = webAddressOf(url)
  if (web === undefined) return undefined
  if (web.origin === new URL(server).origin) return pageHere(decoded(web.pathname), commit)
  return `${web.origin}${withoutEndingSlashes(web.pathname).replace(/\.git$/, '')}`
}

/** The address in a browser of what git fetches: over SSH, pages have the same path. Names and passwords are left out. */
function webAddressOf(url: string): URL | undefined {
  // A word before a colon may be any scheme, so a host has an account before it, or a dot.
  const [, ofAccount, host = ofAccount, path] = /^(?:[\w.-]+@([\w.-]+)|([\w-]+(?:\.[\w-]+)+)):(?!\/\/)\/?(.+)$/.exec(url) ?? []
  const whole = host === undefined ? url : `ssh://${host}/${path}`
  if (!URL.canParse(whole)) return undefined
  const { protocol, hostname, host: withPort, pathname } = new URL(whole)
  if (protocol === 'http:' || protocol === 'https:') return new URL(pathname, `${protocol}//${withPort}`)
  if (protocol === 'ssh:' && hostname !== '') return new URL(`https://${hostname}${pathname}`)
  return undefined
}

function pageHere(path: string, commit: string): string | undefined {
  const full_path = withoutSlashes(path).replace(/\.git$/, '')
  if (!/^[\w.-]+(?:\/[\w.-]+)+$/.test(full_path)) return undefined
  return projectPath({ full_path }, `/-/tree/${commit}`)
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    // It names no project of ours then.
    return ''
  }
}
