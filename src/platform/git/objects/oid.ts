import { GitError } from '../errors.ts'

/** A full object id: 40 lower-case hex digits. */
export type ObjectId = string

/** "No object": the old side of a creation, the new side of a deletion. */
export const zeroId: ObjectId = '0'.repeat(40)

/** The id of the tree without entries; git knows it in every repository. */
export const emptyTreeId: ObjectId = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

const fullId = /^[0-9a-f]{40}$/
const hexName = /^[0-9a-fA-F]{4,40}$/

/** Whether the text is a full object id. */
export function isObjectId(text: string): boolean {
  return fullId.test(text)
}

/** Whether the text can be a full or shortened object id (4 to 40 hex digits, git's own minimum). */
export function looksLikeObjectId(text: string): boolean {
  return hexName.test(text)
}

/** The id itself; `invalid` for anything else, so that nothing but hex digits reaches git as an id. */
export function objectId(text: string): ObjectId {
  if (!isObjectId(text)) throw new GitError('invalid', 'Not a full object id')
  return text
}
