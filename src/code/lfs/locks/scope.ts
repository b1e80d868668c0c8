import { within } from '../../../platform/kernel/declaration/scope.ts'
import { integer } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { inLfs } from '../scope.ts'
import { locksOf } from './queries.ts'

/** `:lock_id` is resolved to a lock of the project, or 404. */
export const inLfsLock = within(inLfs, {
  name: 'inLfsLock',
  path: { lock_id: integer('ID of a lock') },
  async load({ db, project }, { lock_id }) {
    const lock = await locksOf(db, project.id).where('lfs_locks.id', '=', lock_id).executeTakeFirst()
    if (!lock) throw notFound('Lock')
    return { lock }
  },
})
