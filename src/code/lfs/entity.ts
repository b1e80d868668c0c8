/** The response to a batch request: the actions for each object (Git LFS API, "Batch"). */
import Type, { type Static } from 'typebox'
import { plain } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { described, flag, integer, optional, text } from '../../platform/kernel/declaration/types.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import type { LfsPointer } from './commands.ts'
import { endOfLfsToken, type LfsOperation, lfsHeader, lfsHolderOf, signLfsToken } from './tokens.ts'

const Action = Type.Object({
  href: text('Address of the transfer'),
  header: optional(
    described('Headers to send with the transfer', Type.Object({ Authorization: text('Header that authorizes the transfer') })),
  ),
  expires_in: optional(integer('Seconds until it expires')),
})

const schema = Type.Object({
  transfer: text('Kind of transfer, `basic`'),
  hash_algo: text('Hash algorithm of the objects, `sha256`'),
  objects: described(
    'Objects',
    Type.Array(
      Type.Object({
        oid: text('SHA-256 of the object, hexadecimal'),
        size: integer('Size in bytes'),
        authenticated: optional(flag('Whether the transfer needs no further credentials')),
        actions: optional(
          described(
            'Transfers to make; absent where none is needed',
            Type.Object({
              download: optional(described('The download', Action)),
              upload: optional(described('The upload', Action)),
              verify: optional(described('The request that confirms an upload', Action)),
            }),
          ),
        ),
        error: optional(
          described(
            'Why the object cannot be transferred; absent where it can',
            Type.Object({ code: integer('Status as in HTTP'), message: text('What is wrong') }),
          ),
        ),
      }),
    ),
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
  const until = endOfLfsToken(ctx.actor, ctx.now)
  const means = caller && {
    header: lfsHeader(caller.name, signLfsToken(ctx.deps.secrets, { holder: caller.holder, projectId: project.id, operation, until })),
    expires_in: until - Math.floor(ctx.now.getTime() / 1000),
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
