/** Repositories as single files in the form of `git bundle`: references, an empty line, and a pack. */
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { GitError, GitProcessError } from '../errors.ts'
import { readRefs } from '../objects/objects.ts'
import { isObjectId, type ObjectId, objectId, zeroId } from '../objects/oid.ts'
import { streamGit } from '../process/run.ts'
import { isValidRefName } from '../refs/names.ts'
import { updateRefs } from '../refs/update.ts'
import { indexPack } from './packed_copy.ts'
import type { Repository } from './repository.ts'
import { defaultBranchOf, toleratedFaults } from './storage.ts'

/** Most bytes before the pack: about a hundred thousand references. */
const MOST_HEADER = 8 * 1024 * 1024

/** Others get a turn of the process after so many references. */
const LINES_PER_TURN = 5_000

/** References that are moved by one process. */
const BATCH = 5_000

/** A bundle that cannot be read, in words for the user who brought it. */
export class BundleUnreadable extends Error {
  override name = 'BundleUnreadable'
}

/** The references of a bundle, and where its pack begins. */
export interface BundleHeader {
  readonly refs: ReadonlyMap<string, ObjectId>
  /** In bytes. */
  readonly packAt: number
}

/**
 * A repository as a bundle, made while it is read: branches, tags, the heads of merge requests, and the commits that are kept for them. Undefined for a
 * repository without references.
 */
export async function streamBundle(repository: Repository, signal?: AbortSignal): Promise<AsyncGenerator<Buffer, void, void> | undefined> {
  const head = await defaultBranchOf(repository)
  const [tip] = head === undefined ? [] : await readRefs(repository, [`refs/heads/${head}`])
  const listed = streamGit(repository, { subcommand: 'for-each-ref', flags: ['--count=1', '--format=%(refname)'], values: bundled })
  let isEmpty = true
  for await (const _line of listed) isEmpty = false
  if (isEmpty) return undefined
  return streamGit(repository, {
    subcommand: 'bundle',
    flags: [
      ...['create', '--quiet', '-', '--branches', '--tags', '--glob=refs/merge-requests/*', '--glob=refs/keep-around/*'],
      ...(tip === undefined ? [] : ['HEAD']),
    ],
    signal,
  })
}

const bundled = ['refs/heads/', 'refs/tags/', 'refs/merge-requests/', 'refs/keep-around/']

/** Reads what a bundle says of itself. @throws BundleUnreadable */
export async function readBundleHeader(path: string): Promise<BundleHeader> {
  const file = await open(path, 'r')
  try {
    return await parseHeader(await headerOf(file))
  } finally {
    await file.close()
  }
}

async function headerOf(file: FileHandle): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  let last = -1
  for (;;) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64 * 1024), 0, 64 * 1024, bytes)
    const chunk = buffer.subarray(0, bytesRead)
    if (bytesRead === 0) throw new BundleUnreadable('it is no git bundle')
    // The empty line may begin in the chunk before.
    const end = last === 0x0a && chunk[0] === 0x0a ? 0 : chunk.indexOf('\n\n') + 1
    if (end > 0 || (last === 0x0a && chunk[0] === 0x0a)) return Buffer.concat([...chunks, chunk.subarray(0, end + 1)])
    chunks.push(chunk)
    bytes += bytesRead
    last = chunk.at(-1) as number
    if (bytes > MOST_HEADER) throw new BundleUnreadable('it has too many references')
  }
}

async function parseHeader(header: Buffer): Promise<BundleHeader> {
  const refs = new Map<string, ObjectId>()
  let count = 0
  for (let at = 0; at < header.length - 1; ) {
    const end = header.indexOf(0x0a, at)
    readHeaderLine(header.toString('utf8', at, end), count, refs)
    at = end + 1
    count += 1
    if (count % LINES_PER_TURN === 0) await turn()
  }
  return { refs, packAt: header.length }
}

/** Reads one line of a header, the first of which names the form. @throws BundleUnreadable */
function readHeaderLine(line: string, at: number, refs: Map<string, ObjectId>): void {
  if (at === 0) {
    if (line !== '# v2 git bundle' && line !== '# v3 git bundle') throw new BundleUnreadable('it is no git bundle')
    return
  }
  if (line.startsWith('@')) {
    if (line !== '@object-format=sha1') throw new BundleUnreadable('it has a form that is not known')
    return
  }
  if (line.startsWith('-')) throw new BundleUnreadable('it holds a part of a repository only')
  const [id = '', name = ''] = [line.slice(0, 40), line.slice(41)]
  if (line[40] !== ' ' || !isObjectId(id)) throw new BundleUnreadable('it is no git bundle')
  if (name !== 'HEAD' && !isValidRefName(name))
    throw new BundleUnreadable(`it has a reference with a bad name: ${JSON.stringify(name.slice(0, 200))}`)
  if (refs.has(name)) throw new BundleUnreadable(`it has a reference twice: ${name.slice(0, 200)}`)
  refs.set(name, objectId(id))
}

/**
 * Puts the objects of a bundle into a new repository, checks them and what they lead to, and sets these references.
 * @param refs full names and commits; those of the bundle that are wanted
 * @throws BundleUnreadable
 */
export async function unbundle(
  repository: Repository,
  path: string,
  { packAt }: BundleHeader,
  refs: ReadonlyMap<string, ObjectId>,
): Promise<void> {
  try {
    await indexPack(repository, createReadStream(path, { start: packAt }), {
      flags: [`--strict=${toleratedFaults.map(kind => `${kind}=warn`).join(',')}`],
    })
    const moves = [...refs].map(([ref, id]) => ({ ref, old: zeroId, new: id }))
    for (let at = 0; at < moves.length; at += BATCH) await updateRefs(repository, moves.slice(at, at + BATCH))
  } catch (error) {
    if (error instanceof BundleUnreadable || !(error instanceof GitError) || (error instanceof GitProcessError && error.kind === 'aborted'))
      throw error
    throw new BundleUnreadable('its objects are damaged, or some are missing', { cause: error })
  }
}
