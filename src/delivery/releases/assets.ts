/** The assets of a release: the sources of its tag, and links. Pure. */
import type { LinkRow } from './links/queries.ts'

/** The project that addresses are made from. */
interface Home {
  readonly path: string
  readonly full_path: string
}

const formats = ['zip', 'tar.gz', 'tar.bz2', 'tar'] as const

/** The page of a release. */
export const releaseUrl = (url: string, { full_path }: Pick<Home, 'full_path'>, tag: string): string =>
  `${url}/${full_path}/-/releases/${encodeURIComponent(tag)}`

/** Where the archives of a tag can be downloaded. */
export function sourcesOf(url: string, { path, full_path }: Home, tag: string) {
  const name = `${path}-${tag.replaceAll('/', '-')}`
  return formats.map(format => ({
    format,
    url: `${url}/${full_path}/-/archive/${encodeURIComponent(tag)}/${encodeURIComponent(`${name}.${format}`)}`,
  }))
}

/** Is an address outside of the server that the client knows as `url`? */
export function isExternal(address: string, url: string): boolean {
  if (!URL.canParse(address)) return true
  const [there, here] = [new URL(address), new URL(url)]
  return there.protocol !== here.protocol || there.host !== here.host
}

/** The permanent download address of a link, whatever its target. */
export const directAssetUrl = (url: string, link: Pick<LinkRow, 'url' | 'filepath' | 'tag' | 'full_path'>): string =>
  link.filepath === null ? link.url : `${releaseUrl(url, link, link.tag)}/downloads${link.filepath}`
