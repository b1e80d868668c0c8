/** File locks, whose holders alone should change the file (Git LFS API, "File Locking"). */
import Type from 'typebox'
import { endpoint, one } from '../../../platform/kernel/declaration/endpoint.ts'
import { flag, integer, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { lfs } from '../dialect.ts'
import { downloadScopes, inLfs, requirePushAccess, uploadScopes } from '../scope.ts'
import { lockFile, unlockFile } from './commands.ts'
import { LfsLock, LfsLocks, LfsLocksToVerify } from './entity.ts'
import { lockPage } from './queries.ts'
import { inLfsLock } from './scope.ts'

const pageParams = {
  cursor: optional(integer('`next_cursor` of the page before', { minimum: 0 })),
  limit: optional(integer('Locks on a page; default 100', { minimum: 1, maximum: 1_000 })),
}
const ref = Type.Optional(
  Type.Object({ name: text('Full name of the reference') }, { description: 'Accepted: a lock applies to every branch' }),
)

export const listLfsLocks = endpoint({
  route: 'GET /:repository_path/info/lfs/locks',
  summary: 'List the locks of a repository',
  dialect: lfs,
  scope: inLfs,
  can: 'read_code',
  scopes: downloadScopes,
  params: {
    path: optional(text('Exact path of a file', { maxLength: 4_096 })),
    id: optional(integer('ID of a lock')),
    refspec: optional(text('Accepted: a lock applies to every branch')),
    ...pageParams,
  },
  answers: one(LfsLocks),
  run: ({ db, project, params }) => lockPage(db, project.id, params),
})

export const createLfsLock = endpoint({
  route: 'POST /:repository_path/info/lfs/locks',
  summary: 'Lock a file',
  dialect: lfs,
  scope: inLfs,
  can: 'push_code',
  scopes: uploadScopes,
  params: { path: text('Path of the locked file', { minLength: 1, maxLength: 4_096, examples: ['images/logo.psd'] }), ref },
  answers: one(LfsLock),
  errors: ['conflict'],
  async run(ctx) {
    await requirePushAccess(ctx, ctx.project)
    return lockFile(ctx, ctx.project, ctx.params.path)
  },
})

export const verifyLfsLocks = endpoint({
  route: 'POST /:repository_path/info/lfs/locks/verify',
  summary: 'List one’s own and other locks of a repository, before a push',
  dialect: lfs,
  scope: inLfs,
  can: 'push_code',
  scopes: uploadScopes,
  params: { ref, ...pageParams },
  answers: one(LfsLocksToVerify, 200),
  async run(ctx) {
    await requirePushAccess(ctx, ctx.project)
    return lockPage(ctx.db, ctx.project.id, ctx.params)
  },
})

export const unlockLfsLock = endpoint({
  route: 'POST /:repository_path/info/lfs/locks/:lock_id/unlock',
  summary: 'Unlock a file',
  dialect: lfs,
  scope: inLfsLock,
  can: 'push_code',
  scopes: uploadScopes,
  params: { force: optional(flag('Also another user’s; for maintainers')), ref },
  answers: one(LfsLock, 200),
  async run(ctx) {
    await requirePushAccess(ctx, ctx.project)
    return unlockFile(ctx, ctx.project, ctx.lock, ctx.params.force ?? false)
  },
})
