/** The names of images, as registries and container engines read them. */

const DOMAIN = String.raw`(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d{1,5})?\/)?`
const PART = String.raw`[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*`
const TAG = `(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?`
const DIGEST = `(?:@sha256:[0-9a-f]{64})?`
const shape = new RegExp(`^${DOMAIN}${PART}(?:/${PART})*${TAG}${DIGEST}$`)

/** The domain of images that only this machine has: they are never fetched. */
const LOCAL = 'localhost'

/** Where images without a domain come from. */
const HUB = 'docker.io'

/**
 * The whole name of an image, with its domain: engines read a word before a colon as a way to files of the machine (`dir:`, `oci-archive:`), but
 * never in a whole name.
 * @returns undefined for a text that names no image
 */
export function wholeImageName(name: string): string | undefined {
  if (name.length > 512 || !shape.test(name)) return undefined
  const slash = name.indexOf('/')
  const first = slash === -1 ? '' : name.slice(0, slash)
  const isDomain = /[.:A-Z]/.test(first) || first === LOCAL
  if (isDomain) return name
  return slash === -1 ? `${HUB}/library/${name}` : `${HUB}/${name}`
}

/** The domain of a whole name, with its port. */
export const domainOf = (whole: string): string => whole.slice(0, whole.indexOf('/'))

/** Is an image only on this machine? */
export const isLocalImage = (whole: string): boolean => domainOf(whole) === LOCAL

/** Is the registry on this machine, where it may be asked without TLS? */
export const isOnLoopback = (whole: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/.test(domainOf(whole))

/** Is a server reached on its own machine alone, at this address? */
export const isLoopbackUrl = (url: string): boolean => URL.canParse(url) && isOnLoopback(`${new URL(url).host}/`)

/**
 * The names by which jobs reach a service: those of `alias` (spaces or commas between them), and two made of the image's name, in which `/` is `__` or `-`.
 * Names that no host can have are left out.
 */
export function hostNamesOf(image: string, alias: string | null | undefined): string[] {
  const [untied = ''] = image.split('@', 1)
  const tag = untied.indexOf(':', untied.lastIndexOf('/') + 1)
  const bare = (tag < 0 ? untied : untied.slice(0, tag)).replace(/:\d+\//, '/')
  const all = [...(alias ?? '').split(/[\s,]+/), bare.replaceAll('/', '__'), bare.replaceAll('/', '-')]
  return [...new Set(all)].filter(name => /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,252}$/.test(name))
}
