import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../../config.ts'

/** An address in this server, whatever host that is; what a URL's parser needs to read a path. */
const here = 'http://here.invalid'

/**
 * The path (with query) of this server that `text` names, or `otherwise` when it leads anywhere else: another host
 * (`//host`, `/\host`, `https:...`, in any spelling that a browser would understand), or nowhere.
 */
export function localPath(text: string | undefined, otherwise = '/'): string {
  if (!text?.startsWith('/') || !URL.canParse(text, here)) return otherwise
  const url = new URL(text, here)
  // `/.//host` is a path here and becomes `//host` when it is written out.
  if (url.origin !== here || url.pathname.startsWith('//')) return otherwise
  return url.pathname + url.search + url.hash
}

/** The path of the page that a request comes from; undefined where that is none of ours. */
export function referringPath(
  { referer, host: asked }: Readonly<IncomingHttpHeaders>,
  { externalUrl }: Pick<Config, 'externalUrl'>,
): string | undefined {
  if (referer === undefined || !URL.canParse(referer)) return undefined
  const { host, pathname, search } = new URL(referer)
  return [asked, externalUrl && new URL(externalUrl).host].includes(host) ? localPath(pathname + search) : undefined
}
