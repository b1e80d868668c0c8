/** Names of environments and what is made from them: slugs and folders. Pure. */
import { createHash } from 'node:crypto'

/** Characters of a slug: it becomes part of a host's name and of labels elsewhere (decision 28). */
const SLUG_LENGTH = 24
const SUFFIX_LENGTH = 6

/** What a name may be made of. It neither begins nor ends with `/`. */
export const NAME = '^(?!/)[A-Za-z0-9_/{}$. -]+(?<!/)$'
export const NAME_RULE =
  "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with '/'"

/** Letters and digits that stand for a text, always the same ones. */
function suffixFor(text: string): string {
  const digest = createHash('sha256').update(text).digest('hex')
  return BigInt(`0x${digest}`).toString(36).slice(-SUFFIX_LENGTH)
}

/**
 * The slug of a name: `[a-z0-9-]`, first a letter, no dash at the end. A name that is no slug by itself gets some characters made from
 * it, so that names which look alike have different ones.
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

/** The folder that a name puts an environment in: what stands before the first `/`. */
export const folderOf = (name: string): string | undefined => (name.includes('/') ? name.split('/')[0] : undefined)
