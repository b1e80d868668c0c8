/**
 * What the disk of the server does not take: it is full, or cannot be written. A client must see that this is not its fault and may pass; an
 * administrator finds the file in the log. Nothing was changed: what a request has written before is taken back.
 */
import { isDiskFull } from '../../db/errors.ts'
import { GitError } from '../../git/index.ts'
import { Refusal } from '../errors.ts'

type Lack = 'no_room' | 'read_only'

/** By the codes of system calls (a quota counts as the disk of its user). */
const lacks: Readonly<Record<string, Lack>> = { ENOSPC: 'no_room', EDQUOT: 'no_room', EROFS: 'read_only' }

function lackIn(error: unknown): Lack | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof GitError && (error.kind === 'no_room' || error.kind === 'read_only')) return error.kind
  if (isDiskFull(error)) return 'no_room'
  const { code } = error as NodeJS.ErrnoException
  return (code === undefined ? undefined : lacks[code]) ?? lackIn(error.cause)
}

/** The refusal that a disk without room, or one that cannot be written, is for the caller; undefined for any other error. */
export function refusalByDisk(error: unknown): Refusal | undefined {
  switch (lackIn(error)) {
    case 'no_room':
      return new Refusal('insufficient_storage', { message: '507 Insufficient Storage - the disk of the server is full' })
    case 'read_only':
      return new Refusal('unavailable', { message: '503 Service Unavailable - the disk of the server cannot be written' })
    default:
      return undefined
  }
}
