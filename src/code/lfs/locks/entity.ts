/** Locks as JSON (Git LFS API, "File Locking"). */
import Type from 'typebox'
import { entity } from '../../../platform/kernel/answer/entity.ts'
import { DateTime, described, optional, text } from '../../../platform/kernel/declaration/types.ts'
import type { LockRow } from './queries.ts'

export const Lock = Type.Object(
  {
    // Contract: a string, as in the protocol.
    id: text('ID, unique on the instance'),
    path: text('Path of the locked file'),
    locked_at: DateTime('When the lock was taken'),
    owner: described('The user who holds the lock', Type.Object({ name: text('Name of the user') })),
  },
  { description: 'A lock: of a refusal, the one that is in the way' },
)

/** A lock, as in every response. */
export const lockJson = (row: LockRow) => ({
  id: String(row.id),
  path: row.path,
  locked_at: row.locked_at,
  owner: { name: row.owner_name },
})

interface LockPage {
  readonly locks: readonly LockRow[]
  /** The cursor of the next page. */
  readonly next: number | undefined
}

const cursor = ({ next }: LockPage) => (next === undefined ? {} : { next_cursor: String(next) })
const next_cursor = optional(text('Cursor of the next page; absent on the last one'))

export const LfsLock = entity({
  name: 'LfsLock',
  schema: Type.Object({ lock: described('The lock', Lock) }),
  present: (row: LockRow) => ({ lock: lockJson(row) }),
})

export const LfsLocks = entity({
  name: 'LfsLocks',
  schema: Type.Object({ locks: described('The locks', Type.Array(Lock)), next_cursor }),
  present: (page: LockPage) => ({ locks: page.locks.map(lockJson), ...cursor(page) }),
})

/** Locks grouped by whether the caller owns them. */
export const LfsLocksToVerify = entity({
  name: 'LfsLocksToVerify',
  schema: Type.Object({
    ours: described('Locks of the caller', Type.Array(Lock)),
    theirs: described('Locks of other users', Type.Array(Lock)),
    next_cursor,
  }),
  present: (page: LockPage, _loaded: undefined, { actor }) => {
    const isOwn = (row: LockRow) => row.user_id === actor.user?.id
    return {
      ours: page.locks.filter(isOwn).map(lockJson),
      theirs: page.locks.filter(row => !isOwn(row)).map(lockJson),
      ...cursor(page),
    }
  },
})
