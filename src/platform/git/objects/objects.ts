/** Reading objects through the storage's long-lived readers: no process is started unless a blob is big. */
export type { ObjectInfo, ObjectType } from './object.ts'

import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CorruptObject, GitError, TooLarge } from '../errors.ts'
import { streamGit } from '../process/run.ts'
import { readLooseRef } from '../refs/loose-refs.ts'
import { isValidRefName } from '../refs/names.ts'
import type { Repository } from '../storage/repository.ts'
import { type Commit, parseCommit, parseTag, type TagObject } from './commit-object.ts'
import type { CatFileQuestion, ObjectContents, ObjectInfo } from './object.ts'
import { isObjectId, looksLikeObjectId, type ObjectId, objectId, zeroId } from './oid.ts'

/** Blobs up to this many bytes go through the shared reader; bigger ones get a process, so that nobody waits behind them. */
const sharedReaderLimit = 1024 * 1024

/** Describes objects by id, in order; undefined where there is none. */
export async function objectInfo(repository: Repository, ids: readonly ObjectId[]): Promise<(ObjectInfo | undefined)[]> {
  return askByIds(repository, 'info', ids)
}

/** Reads objects by id, in order; undefined where there is none. The caller knows that they are small. */
export async function readObjects(repository: Repository, ids: readonly ObjectId[]): Promise<(ObjectContents | undefined)[]> {
  return askByIds(repository, 'contents', ids)
}

async function askByIds(
  repository: Repository,
  want: CatFileQuestion['want'],
  ids: readonly ObjectId[],
): Promise<(ObjectContents | undefined)[]> {
  const answers = await ask(
    repository,
    ids.map(id => ({ want, name: objectId(id) })),
  )
  // git calls a damaged file "missing" too. Asked again, in case it was being written at that moment.
  for (const [index, id] of ids.entries()) {
    if (answers[index] !== undefined || !existsSync(join(repository.path, 'objects', id.slice(0, 2), id.slice(2)))) continue
    const [again] = await ask(repository, [{ want, name: id }])
    if (again === undefined) throw new CorruptObject(id)
    answers[index] = again
  }
  return answers
}

/** Reads commits by id, in order and in one exchange; undefined where there is no commit of that id. */
export async function readCommits(repository: Repository, ids: readonly ObjectId[]): Promise<(Commit | undefined)[]> {
  const objects = await readObjects(repository, ids)
  return objects.map(object => (object?.type === 'commit' ? parseCommit(object.id, object.data) : undefined))
}

/** One commit by id, or undefined. */
export async function readCommit(repository: Repository, id: ObjectId): Promise<Commit | undefined> {
  return (await readCommits(repository, [id]))[0]
}

/** Reads annotated tags by the id of the tag object; undefined for a lightweight tag's target. */
export async function readTags(repository: Repository, ids: readonly ObjectId[]): Promise<(TagObject | undefined)[]> {
  const objects = await readObjects(repository, ids)
  return objects.map(object => (object?.type === 'tag' ? parseTag(object.id, object.data) : undefined))
}

/** One annotated tag, or undefined. */
export async function readTag(repository: Repository, id: ObjectId): Promise<TagObject | undefined> {
  return (await readTags(repository, [id]))[0]
}

/** The bytes of a blob of at most `limit` bytes: `too_large` above, `not_found` if there is no such blob. */
export async function readBlob(repository: Repository, id: ObjectId, limit: number): Promise<Buffer> {
  const { size } = await blobInfo(repository, id)
  if (size > limit) throw new TooLarge('The blob', limit)
  if (size > sharedReaderLimit) {
    const chunks: Buffer[] = []
    for await (const chunk of blobProcess(repository, id)) chunks.push(chunk)
    return Buffer.concat(chunks)
  }
  return (await contentsOf(repository, id)).data
}

/** The size of a blob in bytes and its bytes as a stream, at constant memory. `not_found` if there is no such blob. */
export async function streamBlob(repository: Repository, id: ObjectId): Promise<{ size: number; bytes: AsyncIterable<Buffer> }> {
  const { size } = await blobInfo(repository, id)
  if (size > sharedReaderLimit) return { size, bytes: blobProcess(repository, id) }
  const { data } = await contentsOf(repository, id)
  return {
    size,
    bytes: (async function* () {
      yield data
    })(),
  }
}

function blobProcess(repository: Repository, id: ObjectId): AsyncGenerator<Buffer, void, void> {
  return streamGit(repository, { subcommand: 'cat-file', flags: ['blob'], values: [objectId(id)] })
}

async function blobInfo(repository: Repository, id: ObjectId): Promise<ObjectInfo> {
  const [info] = await objectInfo(repository, [id])
  if (info?.type !== 'blob') throw new GitError('not_found', 'There is no such blob')
  return info
}

async function contentsOf(repository: Repository, id: ObjectId): Promise<ObjectContents> {
  const [object] = await readObjects(repository, [id])
  if (object === undefined) throw new GitError('not_found', 'There is no such object')
  return object
}

/**
 * What full reference names point to (a tag object for an annotated tag); undefined where there is no such reference.
 * Names must be valid (`isValidRefName`): git would take other text as an expression.
 * @throws CorruptObject for a reference whose object is gone, which git calls "missing" too
 */
export async function readRefs(repository: Repository, names: readonly string[]): Promise<(ObjectId | undefined)[]> {
  const read = async (some: readonly string[]) => {
    const answers = await ask(
      repository,
      some.map(name => ({ want: 'info', name: plainRef(name) })),
    )
    return answers.map(answer => answer?.id)
  }
  const found = await read(names)
  for (const [index, name] of names.entries()) {
    if (found[index] !== undefined || !(await isStored(repository, name))) continue
    // Asked again, in case it was being made at that moment; and looked for again, in case it was being deleted.
    const [again] = await read([name])
    if (again === undefined && (await isStored(repository, name))) throw new CorruptObject(name)
    found[index] = again
  }
  return found
}

/** Is there a reference of this name, whatever it points to? */
const isStored = async (repository: Repository, name: string): Promise<boolean> => (await storedAmong(repository, [name])).has(name)

/** Those of the names that references have, whatever they point to. The list of packed ones is read once. */
export async function storedAmong({ path }: Repository, names: readonly string[]): Promise<ReadonlySet<string>> {
  const stored = new Set<string>()
  const left = new Set<string>()
  for (const name of names) {
    const loose = await stat(join(path, name)).catch(unlessAbsent)
    if (loose?.isFile()) stored.add(name)
    else left.add(name)
  }
  if (left.size === 0) return stored
  const packed = (await readFile(join(path, 'packed-refs'), 'utf8').catch(unlessAbsent)) ?? ''
  for (const line of packed.split('\n')) {
    const name = line.slice(line.indexOf(' ') + 1)
    if (left.has(name)) stored.add(name)
  }
  return stored
}

function unlessAbsent(error: unknown): undefined {
  const { code } = error as NodeJS.ErrnoException
  // `a/b` where `a` is a file, and names that no file can have.
  if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'ENAMETOOLONG') throw error
}

/**
 * The commit that a revision from outside names, or undefined. Taken in this order: a full id, `HEAD`, a full reference
 * name, a branch, a tag, a shortened id. Nothing else is a revision: expressions (`a..b`, `x^`, `x@{1}`, `:path`)
 * name nothing, since their characters cannot be in a reference.
 */
export async function resolveCommit(repository: Repository, revision: string): Promise<ObjectId | undefined> {
  return (await resolveCommits(repository, [revision]))[0]
}

/** `resolveCommit` for several revisions in one exchange; none if all are branches or tags whose commits were seen before. */
export async function resolveCommits(repository: Repository, revisions: readonly string[]): Promise<(ObjectId | undefined)[]> {
  const read = revisions.map(revision => idOfReference(repository, revision))
  if (revisions.length > 0 && read.every(id => id !== undefined && commits.has(id))) return read
  const found = await askForCommits(repository, revisions)
  for (const [index, id] of found.entries()) if (id !== undefined && id === read[index]) remember(id)
  return found
}

/** Ids of commits that references have named. What an id is of does not change. */
const commits = new Set<ObjectId>()
const MOST_COMMITS = 20_000

function remember(id: ObjectId): void {
  commits.add(id)
  const [oldest] = commits
  if (commits.size > MOST_COMMITS) commits.delete(oldest as ObjectId)
}

/** What the branch, or else the tag of this name is at, read from the files; undefined for any other revision, and where it takes git to say. */
function idOfReference(repository: Repository, revision: string): ObjectId | undefined {
  if (isObjectId(revision) || !existsSync(repository.path)) return undefined
  for (const name of candidatesFor(revision)) {
    const id = isValidRefName(name) ? readLooseRef(repository, name) : undefined
    if (id !== zeroId) return id
  }
  return undefined
}

async function askForCommits(repository: Repository, revisions: readonly string[]): Promise<(ObjectId | undefined)[]> {
  const candidates = revisions.map(candidatesFor)
  const answers = await ask(
    repository,
    candidates.flat().map(name => ({ want: 'info', name: `${name}^{commit}` })),
  )
  let at = 0
  return candidates.map(names => {
    const found = answers.slice(at, at + names.length).find(answer => answer !== undefined)
    at += names.length
    return found?.id
  })
}

function candidatesFor(revision: string): string[] {
  if (isObjectId(revision)) return [revision]
  if (revision === 'HEAD') return ['HEAD']
  if (!isPlainName(revision)) return []
  const names = revision.startsWith('refs/') ? [revision] : [`refs/heads/${revision}`, `refs/tags/${revision}`]
  // Last, since a branch may be named like a shortened id.
  return looksLikeObjectId(revision) ? [...names, revision.toLowerCase()] : names
}

function plainRef(name: string): string {
  if (!name.startsWith('refs/') || !isPlainName(name)) throw new GitError('invalid', 'Not a full reference name')
  return name
}

/**
 * Whether git will take this as a name and not as an expression. Stricter checks belong to creating a reference
 * (`isValidRefName`); these are the characters that have a meaning in revisions.
 */
function isPlainName(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  return name !== '' && !/[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{/.test(name) && !name.startsWith('-')
}

async function ask(repository: Repository, questions: readonly CatFileQuestion[]): Promise<(ObjectContents | undefined)[]> {
  return repository.readers.ask(repository, questions)
}
