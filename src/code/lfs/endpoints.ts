/** Git LFS: the batch API, and its transfers (the Git LFS API). */
import Type from 'typebox'
import { objectAnswer } from '../../platform/kernel/answer/object.ts'
import { endpoint, nothing, one, ranged } from '../../platform/kernel/declaration/endpoint.ts'
import { described, integer, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { assertRoomForFiles } from '../../spaces/storage_limits/limits.ts'
import { pushing } from '../protected_branches/collaboration.ts'
import { receiveLfsObject } from './commands.ts'
import { lfs } from './dialect.ts'
import { batchOf, LfsBatch } from './entity.ts'
import { lfsSizesIn } from './queries.ts'
import { downloadScopes, inLfs, inLfsObject, inLfsUpload, requirePushAccess, uploadScopes } from './scope.ts'

const anOid = '4355a46b19d348dc2f57c046f8ef63d4538ebb936000f3c9ee954a27460dd865'
const oid = text('SHA-256 of the object, hexadecimal', { pattern: '^[0-9a-f]{64}$', examples: [anOid] })
const size = integer('Size in bytes', { minimum: 0, examples: [1] })
const Pointer = Type.Object({ oid, size })

export const lfsBatch = endpoint({
  route: 'POST /:repository_path/info/lfs/objects/batch',
  summary: 'Get the transfers to download or upload LFS objects',
  dialect: lfs,
  scope: inLfs,
  can: 'read_code',
  anonymous: true,
  scopes: downloadScopes,
  jobToken: true,
  params: {
    operation: OneOf(['download', 'upload'], { description: '`download` or `upload`', examples: ['download'] }),
    objects: described('Objects to transfer', Type.Array(Pointer, { maxItems: 1_000, examples: [[{ oid: anOid, size: 1 }]] })),
    transfers: Type.Optional(Type.Array(Type.String(), { description: 'Transfers that the client supports; only `basic` is used' })),
    hash_algo: optional(OneOf(['sha256'], { description: 'Hash algorithm of the objects, `sha256`' })),
  },
  answers: one(LfsBatch, 200),
  async run(ctx) {
    const { db, project, params } = ctx
    if (params.operation === 'upload') await requirePushAccess(ctx, project)
    const sizes = await lfsSizesIn(
      db,
      project.id,
      params.objects.map(object => object.oid),
    )
    const news = params.objects.filter(({ oid }) => !sizes.has(oid))
    if (params.operation === 'upload' && news.length > 0)
      await assertRoomForFiles(
        ctx.deps,
        project,
        news.reduce((sum, { size }) => sum + size, 0),
      )
    return batchOf(ctx, project, params.operation, params.objects, sizes)
  },
})

export const downloadLfsObject = endpoint({
  route: 'GET /:repository_path/gitlab-lfs/objects/:oid',
  summary: 'Download an LFS object',
  dialect: lfs,
  scope: inLfsObject,
  can: 'read_code',
  scopes: downloadScopes,
  jobToken: true,
  answers: ranged('application/octet-stream'),
  run: ctx => objectAnswer(ctx, ctx.object, { mediaType: 'application/octet-stream', disposition: 'attachment' }),
})

export const uploadLfsObject = endpoint({
  route: 'PUT /:repository_path/gitlab-lfs/objects/:oid/:size',
  summary: 'Upload an LFS object',
  dialect: lfs,
  scope: pushing(inLfsUpload),
  can: 'push_to_branch',
  scopes: uploadScopes,
  rawBody: true,
  writes: 'own',
  answers: { ...nothing, status: 200 },
  errors: ['unprocessable', 'too_large'],
  async run(ctx) {
    await requirePushAccess(ctx, ctx.project)
    await receiveLfsObject(ctx, ctx.project, ctx.pointer, ctx.body)
  },
})

export const verifyLfsObject = endpoint({
  route: 'POST /:repository_path/info/lfs/objects/verify',
  summary: 'Verify that an uploaded LFS object has arrived',
  dialect: lfs,
  scope: inLfs,
  can: 'read_code',
  scopes: downloadScopes,
  params: { oid, size },
  answers: { ...nothing, status: 200 },
  async run({ db, project, params }) {
    const sizes = await lfsSizesIn(db, project.id, [params.oid])
    if (sizes.get(params.oid) !== params.size) throw notFound('Object')
  },
})
