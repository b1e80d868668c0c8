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
