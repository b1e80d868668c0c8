/** Names of environments, and the slugs and folders made from them. Pure. */
import { createHash } from 'node:crypto'

/** Maximum characters of a slug: it becomes part of host names and labels (decision 28). */
const SLUG_LENGTH = 24
const SUFFIX_LENGTH = 6

/** The characters of a name. It neither begins nor ends with `/`. */
export const NAME = '^(?!/)[A-Za-z0-9_/{}$. -]+(?<!/)$'
export const NAME_RULE =
  "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with '/'"

/** A hash of a text, in letters and digits. */
function suffixFor(text: string): string {
  const digest = createHash('sha256').update(text).digest('hex')
  return BigInt(`0x${digest}`).toString(36).slice(-SUFFIX_LENGTH)
}

/**
 * The slug of a name: `[a-z0-9-]`, first a letter, no dash at the end. A name that is no slug itself gets a hash as a suffix,
 * so that similar names have different slugs.
 * @param attempt another number gives another slug, for the rare case that this one is taken
 */
export function slugOf(name: string, attempt = 0): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^(?![a-z])/, 'env-')
    .replace(/-+/g, '-')
  if (plain === name && plain.length <= SLUG_LENGTH && !plain.endsWith('-') && attempt === 0) return plain
  const kept = plain.slice(0, SLUG_LENGTH - SUFFIX_LENGTH - 1).replace(/-$/, '')
  return `${kept}-${suffixFor(attempt === 0 ? name : `${name} ${attempt}`)}`
}

/** The folder of an environment: the part of the name before the first `/`. */
export const folderOf = (name: string): string | undefined => (name.includes('/') ? name.split('/')[0] : undefined)
