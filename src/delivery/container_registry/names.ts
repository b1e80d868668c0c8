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
