/**
 * Objects that lie in files of their own, read and written without a process: `objects/ab/cdef…` holds, deflated, `type SP size NUL` and the
 * contents. Whatever is not there, or not as expected, is left to git, which also looks into packs and knows what to complain of.
 */

import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { deflate, inflateSync } from 'node:zlib'
import type { Repository } from '../storage/repository.ts'
import type { ObjectContents, ObjectType } from './object.ts'
import type { ObjectId } from './oid.ts'

type Place = Pick<Repository, 'path'>

/** Bytes of a file that is read here, and of what it may hold: others wait meanwhile. */
const MOST_BYTES = { stored: 32 * 1024, inflated: 1024 * 1024 }

const deflated = promisify(deflate)

/** What an object is stored as: the id is a digest of it. */
const storedForm = (type: ObjectType, data: Buffer): Buffer => Buffer.concat([Buffer.from(`${type} ${data.length}\0`, 'latin1'), data])

/** The id that git gives to an object. */
export const idOf = (type: ObjectType, data: Buffer): ObjectId => createHash('sha1').update(storedForm(type, data)).digest('hex')

const pathOf = ({ path }: Place, id: ObjectId): string => join(path, 'objects', id.slice(0, 2), id.slice(2))

/**
 * A small object that lies in a file of its own; undefined for any other, there or not. Not awaited: reading a file that has just been
 * written takes microseconds.
 */
export function readLoose(place: Place, id: ObjectId): ObjectContents | undefined {
  const path = pathOf(place, id)
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found?.isFile() || found.size > MOST_BYTES.stored) return undefined
  try {
    const stored = inflateSync(readFileSync(path), { maxOutputLength: MOST_BYTES.inflated })
    const end = stored.indexOf(0)
    const [, type, size] = /^(blob|tree|commit|tag) (\d+)$/.exec(stored.toString('latin1', 0, Math.max(end, 0))) ?? []
    const data = stored.subarray(end + 1)
    return data.length === Number(size) ? { id, type: type as ObjectType, size: data.length, data } : undefined
  } catch {
    // Packed in this moment, too large, or damaged: git says which.
    return undefined
  }
}

/**
 * Writes an object as git does with `core.fsync=committed`: into a file beside, to the disk, then under its name in one step, so that
 * nobody ever reads half of it. One that is there already is replaced by the same bytes, and counts as new for housekeeping. What a crash
 * leaves under the name of a temporary file is removed by `git prune`.
 */
export async function writeLoose(place: Place, type: ObjectType, data: Buffer): Promise<ObjectId> {
  const id = idOf(type, data)
  const path = pathOf(place, id)
  const temporary = join(place.path, 'objects', `tmp_obj_${randomBytes(8).toString('hex')}`)
  await writeDurably(await open(temporary, 'wx', 0o444), await deflated(storedForm(type, data)))
  try {
    await rename(temporary, path).catch(async error => {
      if (error.code !== 'ENOENT') throw error
      await mkdir(dirname(path), { recursive: true })
      await rename(temporary, path)
    })
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  return id
}

/** Writes all of a file, and waits until the disk has it. */
export async function writeDurably(file: FileHandle, bytes: Buffer): Promise<void> {
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}
