/** Names of images, tags and digests (OCI distribution specification 1.1), and what part of a name is the path of a project. Pure. */

const component = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*'
const imageName = new RegExp(`^${component}(?:/${component})*$`)
const tagName = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/
const digest = /^(?:sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/

/** Names that an image may have below the path of its project: `group/project/one/two` (container registry at 14.0). */
const MOST_BELOW = 2
const MOST_CHARACTERS = 255

/** Is it the name of an image, with the path of its project? */
export const isImageName = (name: string): boolean => name.length <= MOST_CHARACTERS && imageName.test(name)

/** Is it a name that a tag can have? */
export const isTagName = (name: string): boolean => tagName.test(name)

/** Is it a digest of an algorithm that the registry knows? */
export const isDigest = (text: string): boolean => digest.test(text)

/** The algorithm of a digest. */
export const algorithmOf = (digest: string): 'sha256' | 'sha512' => (digest.startsWith('sha512:') ? 'sha512' : 'sha256')

/** The hexadecimal part of a digest. */
export const hexOf = (digest: string): string => digest.slice(digest.indexOf(':') + 1)

/** The paths that the project of an image may have, as its name says it. A project has no project below it, so one of them fits at most. */
export function projectPathsOf(imageName: string): string[] {
  const parts = imageName.split('/')
  const lengths = Array.from({ length: MOST_BELOW + 1 }, (_, below) => parts.length - below).filter(length => length >= 2)
  return lengths.map(length => parts.slice(0, length).join('/'))
}

/** The name of an image as clients know it. */
export const imageNameOf = ({ project_path, name }: { readonly project_path: string; readonly name: string }): string =>
  [project_path.toLowerCase(), name].filter(part => part !== '').join('/')

/** What stands between the path of a group and the name of an image that is pulled through it (dependency proxy at 14.0). */
const PROXY = '/dependency_proxy/containers/'

/** The name under which clients pull an image through a group. */
export const proxiedName = (group: string, image: string): string => `${group}${PROXY}${image}`

/** The path of the group and the name of the image behind; undefined for the name of any other image. */
export function proxyPartsOf(name: string): { readonly group: string; readonly image: string } | undefined {
  const at = name.indexOf(PROXY)
  return at <= 0 ? undefined : { group: name.slice(0, at), image: name.slice(at + PROXY.length) }
}
