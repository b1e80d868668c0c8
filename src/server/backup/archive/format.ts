/**
 * What an archive has, in this order: a tar archive compressed with Zstandard, and encrypted where there is a passphrase (frames.ts). Each
 * entry carries the SHA-256 of its bytes as a record of its header, and the last one says how many there were, with a digest over all of them.
 *
 *     manifest.json                          what follows, and the migrations of its database
 *     keys/secret.key, keys/…                the files of the data directory that nothing can be read without
 *     rows/public.users/000001               some rows of a table in the text form of COPY
 *     sequences.json
 *     repositories/default/@hashed/7/pack/000001     the parts of a pack
 *     objects/ab/ab12…                       an object of the object store
 *     end.json
 *
 * After it stands what the archive shows (contents.ts): references, and where rows, packs and objects are. An archive that builds on another
 * one has those that are not in that one or those before it; its manifest and its contents name it by its digest. One that was merged of several
 * (merging.ts) has the same entries in the order of these.
 */
import { createHash } from 'node:crypto'
import type { CopiedTable } from '../../../platform/db/migrating/copy_rows.ts'
import type { RepositoryKey } from '../../../platform/git/index.ts'

/** The form of archives that this program writes, and the only one that it reads. */
export const FORMAT = 2

/** Bytes of a part of something whose size is not known before. */
export const PART = 4 * 1024 * 1024

/** The record of an entry's header (pax) with its digest: the one that every tar program skips without a word. */
export const DIGEST_RECORD = 'comment'

/** The first entry. */
export interface Manifest {
  readonly format: number
  /** Chance, so that no two archives are the same. */
  readonly id: string
  /** The archive that it builds on: its id, and the digest of its last entry. Null for a whole one. */
  readonly previous: { readonly id: string; readonly sha256: string } | null
  /** Of the program that wrote it. */
  readonly ingot: string
  /** The instant that the archive shows. */
  readonly created_at: string
  readonly migrations: readonly string[]
  /** The newest migration of the queue's own tables. */
  readonly queue: number
  readonly tables: readonly CopiedTable[]
  readonly objects: { readonly count: number; readonly bytes: number }
}

/** The last entry. */
export interface End {
  /** Before this one. */
  readonly entries: number
  /** Over the lines of all of them (`lineOf`). */
  readonly sha256: string
  /** Keys of objects that a row names and that could not be read as the row says. */
  readonly missing_objects: readonly string[]
  /** Repositories that git could not read; nothing of them can be restored. */
  readonly damaged_repositories: readonly string[]
}

/** An entry as it counts to the digest of the last one. */
export const lineOf = (name: string, size: number, sha256: string): string => `${name} ${size} ${sha256}\n`

/** A digest of lines, taken as they come. */
export function linesDigest() {
  const hash = createHash('sha256')
  let entries = 0
  return {
    add(line: string): void {
      hash.update(line)
      entries += 1
    },
    get entries() {
      return entries
    },
    total: () => hash.digest('hex'),
  }
}

export const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** The name of a repository in an archive, before what belongs to it: `repositories/default/@hashed/7.wiki`. */
export const repositoryName = (storage: string, { folder = '@hashed', id, suffix }: RepositoryKey): string =>
  `repositories/${storage}/${folder}/${id}${suffix === undefined ? '' : `.${suffix}`}`

/** The storage and key that a name of this form has; undefined for other names. */
export function repositoryOf(name: string): { readonly storage: string; readonly key: RepositoryKey } | undefined {
  const [, storage, folder, id, suffix] = name.match(/^repositories\/([^/]+)\/(@hashed|@groups|@snippets)\/(\d+)(?:\.(wiki))?$/) ?? []
  if (storage === undefined) return undefined
  const key = { folder, id: Number(id), ...(suffix !== undefined && { suffix }) } as RepositoryKey
  return { storage, key }
}

/** The name of a part that is the `number`th of its kind in an archive, counted from 1. */
export const partName = (name: string, number: number): string => `${name}/${String(number).padStart(6, '0')}`

/** The name of a table in an archive: `public.users`. */
export const tableName = ({ schema, name }: Pick<CopiedTable, 'schema' | 'name'>): string => `${schema}.${name}`
