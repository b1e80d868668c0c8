/** Scopes of LFS, below the path of a repository whose project has LFS enabled. */

import { hasScope, isAnonymous } from '../../platform/access/actor.ts'
import type { TokenScope } from '../../platform/access/credentials/token_scopes.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer, text } from '../../platform/kernel/declaration/types.ts'
import { insufficientScope, notFound, Refusal, unauthenticated } from '../../platform/kernel/errors.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { inGitRepository } from '../git_http/scope.ts'
import { mayPushSomewhere } from '../protected_branches/collaboration.ts'
import { lfsObjectIn } from './queries.ts'

/** The token scopes besides `api` that permit downloads, and uploads: those of git itself. */
export const downloadScopes: readonly TokenScope[] = ['read_repository', 'write_repository']
export const uploadScopes: readonly TokenScope[] = ['write_repository']

const refusal = () => new Refusal('forbidden', { message: 'Access forbidden. Check your access level.' })

/** `:repository_path` is resolved to a project with LFS; 403 if it is disabled for it; its group says what it begins with (public behaviour at 14.0). */
export const inLfs = within(inGitRepository, {
  name: 'inLfs',
  path: {},
  async load({ project, actor }) {
    if (actor.lfs && actor.lfs.projectId !== project.id) throw notFound('Project')
    if (!project.lfs_enabled) throw refusal()
    return {}
  },
})

const oid = text('SHA-256 of the bytes, hex', { pattern: '^[0-9a-f]{64}$' })

/** `:oid` is resolved to an object of the project, or 404. */
export const inLfsObject = within(inLfs, {
  name: 'inLfsObject',
  path: { oid },
  async load({ db, project }, { oid }) {
    const object = await lfsObjectIn(db, project.id, oid)
    if (!object) throw notFound('Object')
    return { object }
  },
})

/** `:oid` and `:size` of an object that is being uploaded. */
export const inLfsUpload = within(inLfs, {
  name: 'inLfsUpload',
  path: { oid, size: integer('In bytes', { minimum: 0 }) },
  load: async (_ctx, pointer) => ({ pointer }),
})

/** 403, or 401 for anonymous callers, unless the caller may push, which uploads and locks require. */
export async function requirePushAccess(ctx: Context, project: ProjectWithRole): Promise<void> {
  const { actor } = ctx
  const wanted: readonly TokenScope[] = ['api', ...uploadScopes]
  if (!hasScope(actor, wanted)) throw insufficientScope(wanted.join(' '))
  if (actor.lfs?.operation === 'download' || actor.credential?.kind === 'job_token') throw refusal()
  if (await mayPushSomewhere(ctx, project)) return
  throw isAnonymous(actor) ? unauthenticated() : refusal()
}
