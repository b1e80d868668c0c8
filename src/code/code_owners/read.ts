/** The CODEOWNERS file of a branch, from git. */

import {
  decodeText,
  entriesAt,
  ImmutableCache,
  LINK_MODE,
  listChangedFiles,
  type ObjectId,
  type Repository,
  readBlob,
  TooLarge,
} from '../../platform/git/index.ts'
import { type OwnedPaths, type OwnerSection, ownersOfPaths, parseOwners } from './file.ts'

/** Contract: the first of these that exists counts; the names are case-sensitive (code owners). */
const PLACES = ['CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS']

/** Upper bound of the file in bytes. The file of a large project has some hundred lines; a larger one than this names no owners. */
const LARGEST = 1024 * 1024

/** Upper bound of a file that is kept: parsed, it takes some dozens of times its size. */
const LARGEST_KEPT = 64 * 1024

interface OwnersFile {
  readonly sections: readonly OwnerSection[]
  readonly size: number
}

/** The files of the branches that are merged into all day. */
const files = new ImmutableCache<OwnersFile>(50, ({ size }) => size <= LARGEST_KEPT)

/** The id of the file that counts at a commit; null where there is none. At most three exchanges. */
export async function ownersFileAt(repository: Repository, commit: ObjectId): Promise<ObjectId | null> {
  const entries = await entriesAt(repository, commit, PLACES)
  return entries.find(entry => entry?.type === 'blob' && entry.mode !== LINK_MODE)?.id ?? null
}

/** The entries of a file that own what differs between two commits; of a renamed file both names count. One process. */
export async function ownersOfChanges(repository: Repository, file: ObjectId, base: ObjectId, head: ObjectId): Promise<OwnedPaths[]> {
  const { sections } = await files.get(file, () => readOwners(repository, file))
  if (sections.length === 0) return []
  const changed = await listChangedFiles(repository, base, head)
  return ownersOfPaths(sections, [...new Set(changed.flatMap(({ file: { old_path, new_path } }) => [old_path, new_path]))])
}

/** Steps for the owners of one path, where many are asked for. */
const STEPS_PER_PATH = 1_000_000

/**
 * Those who own each of these paths, by a file: names of users and groups with their `@`, and email addresses, in the order of its entries. A path that
 * takes too long has none. At most one exchange.
 */
export async function ownersOfEach(
  repository: Repository,
  file: ObjectId,
  paths: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { sections } = await files.get(file, () => readOwners(repository, file))
  const found = new Map<string, readonly string[]>()
  for (const path of new Set(paths)) {
    const owned = await ownersOfPaths(sections, [path], STEPS_PER_PATH, [])
    found.set(path, [...new Set(owned.flatMap(entry => [...entry.paths.map(name => `@${name}`), ...entry.emails]))])
  }
  return found
}

async function readOwners(repository: Repository, file: ObjectId): Promise<OwnersFile> {
  try {
    const bytes = await readBlob(repository, file, LARGEST)
    return { sections: parseOwners(decodeText(bytes)), size: bytes.length }
  } catch (error) {
    if (error instanceof TooLarge) return { sections: [], size: 0 }
    throw error
  }
}
