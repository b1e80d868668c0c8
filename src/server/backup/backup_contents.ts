/** Writes rows, repositories and objects as a snapshot shows them, without what the archives have on which this one builds. */
import { openRowReader } from '../../platform/db/migrating/copy_rows.ts'
import { allRefs, defaultBranchOf, GitError, type ObjectId, objectInfo, type Repository, streamPack } from '../../platform/git/index.ts'
import { ObjectMissing } from '../../platform/object_store/store.ts'
import { initialBranch } from '../../spaces/projects/repository/store.ts'
import { countPlaces, type Place, placesIn } from '../repository_places.ts'
import type { Contents, RepositoryContents, RowPart, TableContents } from './archive/contents.ts'
import { type Manifest, partName, repositoryName, sha256Of, tableName } from './archive/format.ts'
import type { ArchiveWriter } from './archive/writer.ts'
import type { BackupDeps, Progress } from './backup.ts'
import { refsAtInstant, type Times } from './instant_refs.ts'
import { partsOfRows } from './row_parts.ts'

/** What the archive shows on which another one builds. */
export interface Previous {
  readonly contents: Contents
  /** Of its file or object. */
  readonly name: string
}

/** A backup that is being made. */
export interface Work {
  readonly deps: BackupDeps
  readonly writer: ArchiveWriter
  readonly progress: (progress: Progress) => void
  readonly times: Times
  readonly previous: Previous | undefined
}

/** Rows per statement of long lists. */
const PAGE = 500

/** The number of the archive that is being written among those that it builds on. */
const ownNumber = ({ previous }: Work): number => (previous ? previous.contents.links.length + 1 : 0)

/** Writes the rows of all tables. @returns where they are */
export async function writeRows(work: Work, tables: Manifest['tables']): Promise<Map<string, TableContents>> {
  const { deps, writer, progress, times, previous } = work
  const written = new Map<string, TableContents>()
  const reader = await openRowReader(deps.database.url, times.then)
  try {
    for (const [index, table] of tables.entries()) {
      progress({ doing: 'rows', done: index, total: tables.length })
      const { columns } = table
      const name = tableName(table)
      const before = previous?.contents.tables.get(name)
      // The same text means other rows where the columns are others.
      const isAlike = before?.columns.join() === columns.join()
      const known = new Map<string, RowPart>(isAlike ? before?.parts.map(part => [part[0], part]) : [])
      const parts: RowPart[] = []
      let added = 0
      for await (const text of partsOfRows(reader.read(table))) {
        const sha256 = sha256Of(text)
        const found = known.get(sha256)
        const part: RowPart = found ?? [sha256, ownNumber(work), ++added]
        if (!found) await writer.add(partName(`rows/${name}`, added), text)
        known.set(sha256, part)
        parts.push(part)
      }
      written.set(name, { columns, parts })
    }
  } finally {
    await reader.close()
  }
  return written
}

/** Writes what was added to each repository. @returns what they are, and the names of those that git cannot read */
export async function writeRepositories(work: Work): Promise<{ repositories: Map<string, RepositoryContents>; damaged: string[] }> {
  const { deps, progress, times } = work
  const repositories = new Map<string, RepositoryContents>()
  const damaged: string[] = []
  const total = await countPlaces(times.then)
  let done = 0
  for await (const places of placesIn(
    times.then,
    deps.storages.all().map(({ name }) => name),
  )) {
    for (const place of places) {
      const storage = deps.storages.get(place.storage)
      const repository = storage.repository(place.key)
      if (!(await storage.exists(repository))) continue
      const name = repositoryName(place.storage, place.key)
      const written = await writeRepository(work, place, repository, name)
      if (written) repositories.set(name, written)
      else damaged.push(name)
    }
    done += places.length
    progress({ doing: 'repositories', done: Math.min(done, total), total })
  }
  return { repositories, damaged }
}

/** @returns undefined where git cannot read it; where a pack broke off, nothing names it */
async function writeRepository(work: Work, place: Place, repository: Repository, name: string): Promise<RepositoryContents | undefined> {
  const { deps, writer, times } = work
  try {
    const refs = place.project === undefined ? await allRefs(repository) : await refsAtInstant(times, place.project, repository)
    const head = place.branch ?? (await defaultBranchOf(repository)) ?? (await initialBranch(times.then))
    const ids = new Set<ObjectId>(refs.values())
    const before = await beforeOf(work, repository, name)
    const added = [...ids].filter(id => !before.ids.has(id))
    if (added.length > 0) await writer.addParts(`${name}/pack`, streamPack(repository, added, [...before.ids]))
    return { head, refs: [...refs], packs: [...(ids.size > 0 ? before.packs : []), ...(added.length > 0 ? [ownNumber(work)] : [])] }
  } catch (error) {
    // A fault of one repository is named at the end; a fault of git or of the machine ends the backup.
    if (!(error instanceof GitError)) throw error
    deps.log.warn({ err: error, repository: name }, 'a repository could not be read')
    return undefined
  }
}

/** What earlier archives have of a repository: packs, and what its references were then, as far as that is still there. */
async function beforeOf(
  { previous }: Work,
  repository: Repository,
  name: string,
): Promise<{ readonly packs: readonly number[]; readonly ids: ReadonlySet<ObjectId> }> {
  const before = previous?.contents.repositories.get(name)
  const ids = [...new Set(before?.refs.map(([, id]) => id as ObjectId))]
  const found = await objectInfo(repository, ids)
  const left = new Set(ids.filter((_, index) => found[index]))
  // A repository of the same name that has nothing of it is another one.
  return { packs: before && left.size > 0 ? before.packs : [], ids: left }
}

/** Writes the objects that were added. @returns the archive of each, and the keys of those that were not as their rows say */
export async function writeObjects(work: Work, total: number): Promise<{ objects: Map<string, number>; missing: string[] }> {
  const { progress, times, previous } = work
  const objects = new Map<string, number>()
  const missing: string[] = []
  let done = 0
  for (let last = 0; ; ) {
    const page = await times.then
      .selectFrom('stored_objects')
      .select(['id', 'key', 'size', 'sha256'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    for (const { key, size, sha256 } of page) {
      progress({ doing: 'objects', done, total })
      done += 1
      // Bytes never change under their key.
      const known = previous?.contents.objects.get(key)
      const isWhole = known !== undefined || (await writeObject(work, key, { size, sha256 }))
      if (isWhole) objects.set(key, known ?? ownNumber(work))
      else missing.push(key)
    }
    if (page.length < PAGE) return { objects, missing }
    last = page.at(-1)!.id
  }
}

/** @returns false where the store does not have it as its row says */
async function writeObject(
  { deps, writer }: Work,
  key: string,
  known: { readonly size: number; readonly sha256: string },
): Promise<boolean> {
  const source = await deps.objects.read(key).catch(error => {
    if (error instanceof ObjectMissing) return undefined
    throw error
  })
  return source !== undefined && (await writer.addKnown(`objects/${key}`, known, source))
}
