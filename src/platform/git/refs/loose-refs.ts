/**
 * References as files, read and moved without a process, by the locking protocol of git (its documentation of the `files` backend). To move
 * `refs/heads/x`, a process creates `refs/heads/x.lock`, which only one can do, checks the current value, and renames the lock to the
 * reference. To delete one, it also holds `packed-refs.lock`. So pushes, housekeeping and this file can work in one repository.
 *
 * Only the plain case is handled here. A held lock, a symbolic reference, conflicting names, a reflog, a lost race: all of these are left
 * to `git update-ref`, which waits, or reports the error.
 *
 * A lock is a hard link to a file in `objects` that is complete and on disk before; it is held for a few synchronous calls. A process that
 * is killed in this moment leaves a lock with two names, which locks of git never have: `isAbandoned` recognises it by that.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, lstatSync, mkdirSync, readFileSync, renameSync, statSync, unlinkSync } from 'node:fs'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeDurably } from '../objects/loose-objects.ts'
import { isObjectId, type ObjectId, zeroId } from '../objects/oid.ts'
import { movesWithoutGit } from '../process/run.ts'
import type { Repository } from '../storage/repository.ts'

/** One move of a full reference name. `old` all zeros: it must not exist; `new` all zeros: delete it. */
export interface RefMove {
  readonly ref: string
  readonly old: ObjectId
  readonly new: ObjectId
}

type Place = Pick<Repository, 'path'>

/** Bytes of `packed-refs` that are searched here; git searches larger files without reading all of them. */
const MOST_PACKED = 256 * 1024

/**
 * The value of the reference with this full, valid name; all zeros if there is none. Undefined if git has to be asked: it is symbolic, a
 * directory is in its place, or `packed-refs` is too large.
 */
export function readLooseRef(place: Place, ref: string): ObjectId | undefined {
  const loose = textOf(join(place.path, ref))
  if (loose === 'unreadable') return undefined
  if (loose !== undefined) return onlyId(loose.slice(0, -1))
  // Read last: packing writes the entry before it deletes the file.
  const packed = packedRefs(place)
  const end = packed?.indexOf(` ${bytesOf(ref)}\n`)
  return packed === undefined || end === undefined ? undefined : end < 0 ? zeroId : onlyId(packed.slice(end - zeroId.length, end))
}

const onlyId = (text: string): ObjectId | undefined => (isObjectId(text) ? text : undefined)

/** A name in the encoding in which files are read here, one character per byte. */
const bytesOf = (name: string): string => Buffer.from(name).toString('latin1')

/** The bytes of a file; undefined if there is none of this name. Synchronous: these are a few bytes, mostly in the page cache. */
function textOf(path: string): string | 'unreadable' | undefined {
  try {
    return existsSync(path) ? readFileSync(path, 'latin1') : undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : 'unreadable'
  }
}

/** The lines of `packed-refs`, each with a line end on both sides; undefined if there are too many. */
function packedRefs({ path }: Place): string | undefined {
  const file = join(path, 'packed-refs')
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  const text = size === 0 ? '' : size > MOST_PACKED ? 'unreadable' : textOf(file)
  return text === 'unreadable' ? undefined : `\n${text ?? ''}`
}

/**
 * Moves references, all or none, each by compare-and-swap; true when it is done and on disk. False if nothing has been done, because git is
 * needed for it or has to report the error. The new objects must exist. Names are valid, and each occurs once.
 */
export async function moveLooseRefs(place: Place, moves: readonly RefMove[]): Promise<boolean> {
  // Only git writes reflogs, should they be enabled.
  if (existsSync(join(place.path, 'logs'))) return false
  const files = await Promise.all(moves.map(move => prepare(place, move.new === zeroId ? '' : `${move.new}\n`)))
  const replaced = await Promise.all(moves.filter(({ old }) => old !== zeroId).map(({ ref }) => openIfExists(join(place.path, ref))))
  try {
    return swap(place, moves, files)
  } finally {
    await Promise.all([...files.map(file => unlink(file)), ...replaced.map(file => file?.close())])
  }
}

/**
 * Keeps a file open that is about to be unlinked. Its blocks are freed when it is closed, which can take a disk milliseconds in which the
 * unlink would block (2 ms a rename on a disk that discards freed blocks immediately). Undefined if there is none.
 */
const openIfExists = (path: string): Promise<FileHandle | undefined> => open(path).catch(() => undefined)

/** A file with the new value of a reference, on disk. `git prune` removes it if this process ends before it does. */
async function prepare({ path }: Place, text: string): Promise<string> {
  const file = join(path, 'objects', `tmp_ref_${randomBytes(8).toString('hex')}`)
  await writeDurably(await open(file, 'wx', 0o666), Buffer.from(text))
  return file
}

/** Synchronous, so that locks are held for microseconds and no other work of this process interleaves. */
function swap(place: Place, moves: readonly RefMove[], files: readonly string[]): boolean {
  const held = new Set<string>()
  const hold = (file: string, name: string): boolean => {
    const lock = lockOf(place, name)
    const isMine = tryLink(file, lock) || (isAbandoned(lock) && tryUnlink(lock) && tryLink(file, lock))
    if (isMine) held.add(lock)
    return isMine
  }
  try {
    if (!moves.every(({ ref }, index) => hold(files[index] as string, ref))) return false
    if (moves.some(isDeletion) && !hold(files[0] as string, 'packed-refs')) return false
    if (!moves.every(move => mayMove(place, move))) return false
    movesWithoutGit.made += 1
    for (const { ref } of moves.filter(move => !isDeletion(move))) {
      renameSync(lockOf(place, ref), join(place.path, ref))
      // From now on another process may hold a lock of this name.
      held.delete(lockOf(place, ref))
    }
    // Deletions come last, so that their objects stay reachable.
    for (const { ref } of moves.filter(isDeletion)) unlinkSync(join(place.path, ref))
    return true
  } finally {
    for (const lock of held) unlinkSync(lock)
  }
}

const isDeletion = (move: RefMove): boolean => move.new === zeroId

const lockOf = ({ path }: Place, ref: string): string => join(path, `${ref}.lock`)

/** Creates a lock and its directory; false if the lock is held, or a reference is in the way. */
function tryLink(file: string, lock: string): boolean {
  try {
    if (!existsSync(dirname(lock))) mkdirSync(dirname(lock), { recursive: true })
    linkSync(file, lock)
    return true
  } catch {
    return false
  }
}

function tryUnlink(path: string): boolean {
  try {
    unlinkSync(path)
    return true
  } catch {
    return false
  }
}

/** No git of ours runs for so long, in milliseconds (process/subcommands.ts). */
const LONGEST_GIT = 65 * 60 * 1000

/** A git that another process of the instance started before this one began may hold a lock for so long, in milliseconds. */
const LONGEST_OF_OTHERS = 60 * 1000

/**
 * Was the lock left by a process that ended while it held it? Ingot's locks have two names, and this process holds none while it checks one:
 * of an earlier process it is, if it is older than this one. One of git's own has one name, and is held for a moment.
 */
function isAbandoned(lock: string): boolean {
  const found = statSync(lock, { throwIfNoEntry: false })
  if (found === undefined) return false
  const age = Date.now() - found.ctimeMs
  return age > LONGEST_GIT || (found.ctimeMs < performance.timeOrigin && (found.nlink > 1 || age > LONGEST_OF_OTHERS))
}

/** Has the lock of the reference been held for `ms` milliseconds and more? */
export function isLockedFor(place: Place, ref: string, ms: number): boolean {
  const found = statSync(lockOf(place, ref), { throwIfNoEntry: false })
  return found !== undefined && Date.now() - found.ctimeMs >= ms
}

/** The first of these references whose lock, or else that of all packed ones, has been held for `ms` milliseconds and more. */
export const lockedFor = (place: Place, refs: readonly string[], ms: number): string | undefined =>
  [...refs, 'packed-refs'].find(ref => isLockedFor(place, ref, ms))

/** Removes the locks that killed processes have left on these references; git would wait for them in vain. */
export function releaseLocks(place: Place, refs: readonly string[]): void {
  for (const lock of [...refs, 'packed-refs'].map(ref => lockOf(place, ref))) if (isAbandoned(lock)) tryUnlink(lock)
}

/** Has the locked reference the expected value, as a plain file without obstacles? */
function mayMove(place: Place, { ref, old, new: target }: RefMove): boolean {
  if (readLooseRef(place, ref) !== old) return false
  const file = lstatSync(join(place.path, ref), { throwIfNoEntry: false })
  if (file && !file.isFile()) return false
  if (old !== zeroId && target !== zeroId) return true
  const packed = packedRefs(place)
  const hasPacked = (text: string) => packed === undefined || packed.includes(` ${bytesOf(text)}`)
  // A deletion from `packed-refs` rewrites that file: an older value in it would reappear.
  if (target === zeroId) return file !== undefined && !hasPacked(`${ref}\n`)
  return !hasPacked(`${ref}/`) && !directoriesOf(ref).some(name => hasPacked(`${name}\n`))
}

/** The names that cannot coexist with this reference: `refs/heads/a` for `refs/heads/a/b`. */
function directoriesOf(ref: string): string[] {
  const parts = ref.split('/')
  return parts.slice(2, -1).map((_, index) => parts.slice(0, index + 3).join('/'))
}
