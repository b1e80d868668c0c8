/**
 * References as files, read and moved without a process, by the protocol that git itself keeps to (its documentation of the `files` format):
 * whoever moves `refs/heads/x` first makes `refs/heads/x.lock`, which one alone can, looks where the reference is, and renames the lock to the
 * reference; whoever deletes one also holds `packed-refs.lock`. So pushes, housekeeping and this file may meet in one repository.
 *
 * Only what is plain is done here. A lock that somebody holds, a reference of references, names in each other's way, a reflog, a lost race:
 * all that is left to `git update-ref`, which waits, or says what is wrong.
 *
 * A lock is a second name of a file that lies in `objects` and is complete and on the disk before; it is held for a few calls without
 * waiting in between. A process that is killed in just this moment leaves a lock with two names, which git's own never have: that is
 * how `releaseLocks` knows it.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, lstatSync, mkdirSync, readFileSync, renameSync, statSync, unlinkSync } from 'node:fs'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeDurably } from '../objects/loose-objects.ts'
import { isObjectId, type ObjectId, zeroId } from '../objects/oid.ts'
import type { Repository } from '../repository.ts'
import type { RefMove } from './update.ts'

type Place = Pick<Repository, 'path'>

/** Bytes of `packed-refs` that are looked through here; git searches larger ones without reading them. */
const MOST_PACKED = 256 * 1024

/**
 * Where a reference of this full, valid name points; all zeros where there is none. Undefined where git has to be asked: it names another
 * one, a directory is in its place, or there are very many packed ones.
 */
export function readLooseRef(place: Place, ref: string): ObjectId | undefined {
  const loose = textOf(join(place.path, ref))
  if (loose === 'unreadable') return undefined
  if (loose !== undefined) return onlyId(loose.slice(0, -1))
  // Looked at last: what is packed is written there before its file goes.
  const packed = packedRefs(place)
  const end = packed?.indexOf(` ${bytesOf(ref)}\n`)
  return packed === undefined || end === undefined ? undefined : end < 0 ? zeroId : onlyId(packed.slice(end - zeroId.length, end))
}

const onlyId = (text: string): ObjectId | undefined => (isObjectId(text) ? text : undefined)

/** A name as files are read here, a character for a byte. */
const bytesOf = (name: string): string => Buffer.from(name).toString('latin1')

/** The bytes of a file; undefined where there is none of this name. Not awaited: these are a few bytes, and mostly kept in memory. */
function textOf(path: string): string | 'unreadable' | undefined {
  try {
    return existsSync(path) ? readFileSync(path, 'latin1') : undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : 'unreadable'
  }
}

/** The lines of `packed-refs`, each with a line end on both sides; undefined where there are too many. */
function packedRefs({ path }: Place): string | undefined {
  const file = join(path, 'packed-refs')
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  const text = size === 0 ? '' : size > MOST_PACKED ? 'unreadable' : textOf(file)
  return text === 'unreadable' ? undefined : `\n${text ?? ''}`
}

/**
 * Moves references, all or none, each by compare-and-swap; true when it is done and on the disk. False where nothing has been done, since
 * git is needed for it or has to say why not. What they are moved to must exist. Names are valid, and each is there once.
 */
export async function moveLooseRefs(place: Place, moves: readonly RefMove[]): Promise<boolean> {
  // Nobody but git writes reflogs, should somebody have turned them on.
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
 * A file that is about to lose its name, kept open: its blocks are freed when it is closed, which takes a disk milliseconds in which
 * whoever took the name away would wait (2 ms a rename on one that discards freed blocks at once). Undefined where there is none.
 */
const openIfExists = (path: string): Promise<FileHandle | undefined> => open(path).catch(() => undefined)

/** A file with what a reference will say, on the disk. `git prune` removes it should this process end before it does. */
async function prepare({ path }: Place, text: string): Promise<string> {
  const file = join(path, 'objects', `tmp_ref_${randomBytes(8).toString('hex')}`)
  await writeDurably(await open(file, 'wx', 0o666), Buffer.from(text))
  return file
}

/** Nothing here waits, so that locks are held for microseconds and no other work of this process comes between. */
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
    for (const { ref } of moves.filter(move => !isDeletion(move))) {
      renameSync(lockOf(place, ref), join(place.path, ref))
      // From now on this is the name of somebody else's lock.
      held.delete(lockOf(place, ref))
    }
    // What is deleted goes last, so that what it reaches is never without a name.
    for (const { ref } of moves.filter(isDeletion)) unlinkSync(join(place.path, ref))
    return true
  } finally {
    for (const lock of held) unlinkSync(lock)
  }
}

const isDeletion = (move: RefMove): boolean => move.new === zeroId

const lockOf = ({ path }: Place, ref: string): string => join(path, `${ref}.lock`)

/** Makes a lock, and the directory that it is in; false where somebody has it, or a reference is in the way. */
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

/**
 * Was the lock left by an Ingot that ended while it held it? One of ours has two names, and this process holds none while it looks at
 * one, so it is of a process before this one: of a storage there is one at a time.
 */
function isAbandoned(lock: string): boolean {
  const found = statSync(lock, { throwIfNoEntry: false })
  return found !== undefined && found.nlink > 1 && found.ctimeMs < performance.timeOrigin
}

/** Takes away what a killed process of ours has left of the locks on these references, for git would wait for it in vain. */
export function releaseLocks(place: Place, refs: readonly string[]): void {
  for (const lock of [...refs, 'packed-refs'].map(ref => lockOf(place, ref))) if (isAbandoned(lock)) tryUnlink(lock)
}

/** Is it where it is expected, as a plain file, and nothing in its way? It is locked. */
function mayMove(place: Place, { ref, old, new: target }: RefMove): boolean {
  if (readLooseRef(place, ref) !== old) return false
  const file = lstatSync(join(place.path, ref), { throwIfNoEntry: false })
  if (file && !file.isFile()) return false
  if (old !== zeroId && target !== zeroId) return true
  const packed = packedRefs(place)
  const hasPacked = (text: string) => packed === undefined || packed.includes(` ${bytesOf(text)}`)
  // A deletion from `packed-refs` writes that file anew: there, an older value would come to light.
  if (target === zeroId) return file !== undefined && !hasPacked(`${ref}\n`)
  return !hasPacked(`${ref}/`) && !directoriesOf(ref).some(name => hasPacked(`${name}\n`))
}

/** The names that no reference may have beside this one: `refs/heads/a` of `refs/heads/a/b`. */
function directoriesOf(ref: string): string[] {
  const parts = ref.split('/')
  return parts.slice(2, -1).map((_, index) => parts.slice(0, index + 3).join('/'))
}
