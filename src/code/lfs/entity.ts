/** The response to a batch request: the actions for each object (Git LFS API, "Batch"). */
import Type, { type Static } from 'typebox'
import { plain } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import type { LfsPointer } from './commands.ts'
import { LFS_TOKEN_LIFETIME, type LfsOperation, lfsHeader, lfsHolderOf, signLfsToken } from './tokens.ts'

const Action = Type.Object({
  href: Type.String(),
  header: Type.Optional(Type.Object({ Authorization: Type.String() })),
  expires_in: Type.Optional(Type.Integer()),
})

const schema = Type.Object({
  transfer: Type.String(),
  hash_algo: Type.String(),
  objects: Type.Array(
    Type.Object({
      oid: Type.String(),
      size: Type.Integer(),
      authenticated: Type.Optional(Type.Boolean()),
      actions: Type.Optional(
        Type.Object({ download: Type.Optional(Action), upload: Type.Optional(Action), verify: Type.Optional(Action) }),
      ),
      error: Type.Optional(Type.Object({ code: Type.Integer(), message: Type.String() })),
    }),
  ),
})

export const LfsBatch = plain('LfsBatch', schema)

/**
 * The actions for these objects.
 * @param sizes the sizes of objects that the project has, by oid
 */
export function batchOf(
  ctx: Context,
  project: ProjectWithRole,
  operation: LfsOperation,
  pointers: readonly LfsPointer[],
  sizes: ReadonlyMap<string, number>,
): Static<typeof schema> {
  const base = `${ctx.url}/${project.full_path}.git`
  const caller = lfsHolderOf(ctx.actor)
  const means = caller && {
    header: lfsHeader(caller.name, signLfsToken(ctx.deps.secrets, { holder: caller.holder, projectId: project.id, operation }, ctx.now)),
    expires_in: LFS_TOKEN_LIFETIME,
  }
  const signed = caller ? { authenticated: true } : {}
  const at = (path: string) => ({ href: `${base}/${path}`, ...means })
  const objects = pointers.map(({ oid, size }) => {
    if (operation === 'download') {
      const known = sizes.get(oid)
      return known === undefined
        ? { oid, size, error: { code: 404, message: "Object does not exist on the server or you don't have permissions to access it" } }
        : { oid, size: known, ...signed, actions: { download: at(`gitlab-lfs/objects/${oid}`) } }
    }
    // Objects that the project has need no upload: no actions.
    if (sizes.has(oid)) return { oid, size }
    return { oid, size, ...signed, actions: { upload: at(`gitlab-lfs/objects/${oid}/${size}`), verify: at('info/lfs/objects/verify') } }
  })
  return { transfer: 'basic', hash_algo: 'sha256', objects }
}
