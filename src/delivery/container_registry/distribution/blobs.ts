/** Blobs of the registry: downloads, uploads in one or several requests, mounts (OCI distribution specification 1.1). */
import { Readable } from 'node:stream'
import { objectAnswer, rangedAnswer } from '../../../platform/kernel/answer/object.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { type ByteAnswer, bytes, endpoint, ranged } from '../../../platform/kernel/declaration/endpoint.ts'
import { optional, text } from '../../../platform/kernel/declaration/types.ts'
import type { Refusal } from '../../../platform/kernel/errors.ts'
import { mayUseImages, pullScopes, pushScopes } from '../authentication/rights.ts'
import { ensureRepository, keepBlob, mountBlob, unlinkBlob } from '../blobs.ts'
import { assertDeletable } from '../manifests.ts'
import { isDigest } from '../names.ts'
import { repositoryNamed } from '../queries.ts'
import { appendToUpload, type Chunk, cancelUpload, completeUpload, rangeOf, startUpload, type UploadRow } from '../uploads.ts'
import { registry } from './dialect.ts'
import { RegistryRefusal } from './refusals.ts'
import { findImage, inImage, inImageBlob, inImageUpload, isGranted, unknownBlob } from './scope.ts'

const reading = { dialect: registry, scopes: pullScopes, jobToken: true } as const
const writing = { dialect: registry, scopes: pushScopes, jobToken: true } as const

/** Of the letter a. */
const aDigest = 'sha256:ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb'

/** An answer without a body. */
const headersAlone = (status: number, headers: Record<string, string>): ByteAnswer => ({ body: '', status, headers })

/** @throws Refusal 400 for what is no digest */
function assertDigest(digest: string): void {
  if (!isDigest(digest)) throw new RegistryRefusal('DIGEST_INVALID', 'invalid digest', { digest })
}

export const getImageBlob = endpoint({
  ...reading,
  route: 'GET /:image_name/blobs/:digest',
  summary: 'Download a blob of an image, in whole or in part',
  scope: inImageBlob,
  can: 'read_container_image',
  answers: ranged('application/octet-stream'),
  async run(ctx) {
    const { blob, repository, request, actor, image, project } = ctx
    const options = { mediaType: 'application/octet-stream', headers: { 'docker-content-digest': blob.digest } }
    if (request.method !== 'HEAD') return objectAnswer(ctx, blob, options)
    const mayPush = isGranted(actor, 'repository', image, 'push') && mayUseImages(actor, project, 'push')
    if (mayPush && !(await keepBlob(ctx, repository.id, blob))) throw unknownBlob(blob.digest)
    return rangedAnswer(ctx, { size: blob.size, version: blob.sha256, read: async () => Readable.from([]) }, options)
  },
})

export const deleteImageBlob = endpoint({
  ...writing,
  route: 'DELETE /:image_name/blobs/:digest',
  summary: 'Take a blob that no manifest names out of a repository',
  scope: inImageBlob,
  can: 'destroy_container_image',
  answers: bytes('application/json', 202),
  errors: ['method_not_allowed'],
  async run(ctx) {
    await assertDeletable(ctx, ctx.repository)
    await unlinkBlob(ctx, ctx.repository.id, ctx.blob)
    return headersAlone(202, { 'docker-content-digest': ctx.blob.digest })
  },
})

const locationOf = (image: string, { id }: UploadRow): string => `/v2/${image}/blobs/uploads/${id}`

/** The answer about an upload that goes on. */
const uploadAnswer = (status: number, image: string, upload: UploadRow): ByteAnswer =>
  headersAlone(status, {
    location: locationOf(image, upload),
    range: rangeOf(upload.size),
    'docker-upload-uuid': upload.id,
  })

const blobAnswer = (image: string, digest: string): ByteAnswer =>
  headersAlone(201, { location: `/v2/${image}/blobs/${digest}`, 'docker-content-digest': digest })

/** What a request brings of a blob, as its headers say it. @throws Refusal 400 or 416 where they contradict each other */
function chunkOf({ request, body }: Context & { readonly body: Readable }): Chunk {
  const { 'content-length': length, 'content-range': range } = request.headers
  const size = length === undefined ? undefined : Number(length)
  if (range === undefined) return { body, size, start: undefined }
  const [, first, last] = /^(?:bytes[ =])?(\d{1,15})-(\d{1,15})(?:\/\S*)?$/.exec(range) ?? []
  if (first === undefined || last === undefined || Number(last) < Number(first))
    throw new RegistryRefusal('RANGE_INVALID', 'invalid content range', { range })
  const said = Number(last) - Number(first) + 1
  if (size !== undefined && size !== said)
    throw new RegistryRefusal('SIZE_INVALID', 'provided length did not match content length', { range })
  return { body, size: said, start: Number(first) }
}

/** The refusals of a request that brings bytes. */
const receiving = ['range_not_satisfiable', 'too_large'] as const

export const startImageUpload = endpoint({
  ...writing,
  route: 'POST /:image_name/blobs/uploads',
  summary: 'Begin to upload a blob, upload it in one request, or mount it from another repository',
  scope: inImage,
  can: 'create_container_image',
  rawBody: true,
  writes: 'own',
  params: {
    digest: optional(text('The body is the whole blob and has this digest')),
    mount: optional(text('Digest of a blob of another repository, which is linked in place of an upload')),
    from: optional(text('Name of the image whose repository has the blob to mount')),
  },
  answers: bytes('application/json', 202, 201),
  errors: ['too_large'],
  async run(ctx) {
    const { project, name, image, params } = ctx
    if (params.digest !== undefined) assertDigest(params.digest)
    if (params.mount !== undefined) assertDigest(params.mount)
    const repository = await ensureRepository(ctx, project.id, name)
    if (params.mount !== undefined && (await mounted(ctx, repository.id, params.mount, params.from))) return blobAnswer(image, params.mount)
    const upload = await startUpload(ctx, repository.id)
    if (params.digest === undefined) return uploadAnswer(202, image, upload)
    await completeUpload(ctx, await appendToUpload(ctx, project, upload, chunkOf(ctx), locationOf(image, upload)), params.digest)
    return blobAnswer(image, params.digest)
  },
})

/** Links a blob of another repository, if the caller may pull from that. */
async function mounted(ctx: Context, repositoryId: number, digest: string, from: string | undefined): Promise<boolean> {
  if (from === undefined || !isGranted(ctx.actor, 'repository', from, 'pull')) return false
  const source = await findImage(ctx, from).catch((error: Refusal) => {
    // The specification: where nothing can be mounted, an upload begins.
    if (error.kind === 'not_found') return undefined
    throw error
  })
  if (!source || !mayUseImages(ctx.actor, source.project, 'pull')) return false
  const repository = await repositoryNamed(ctx.db, source.project.id, source.name)
  return repository !== undefined && mountBlob(ctx, repositoryId, repository.id, digest)
}

export const getImageUpload = endpoint({
  ...writing,
  route: 'GET /:image_name/blobs/uploads/:upload_id',
  summary: 'Get how much of a blob has come',
  scope: inImageUpload,
  can: 'create_container_image',
  answers: bytes('application/json', 204),
  run: ({ image, upload }) => uploadAnswer(204, image, upload),
})

export const continueImageUpload = endpoint({
  ...writing,
  route: 'PATCH /:image_name/blobs/uploads/:upload_id',
  summary: 'Upload the next bytes of a blob',
  scope: inImageUpload,
  can: 'create_container_image',
  rawBody: true,
  writes: 'own',
  answers: bytes('application/json', 202),
  errors: receiving,
  async run(ctx) {
    const { image, upload, project } = ctx
    return uploadAnswer(202, image, await appendToUpload(ctx, project, upload, chunkOf(ctx), locationOf(image, upload)))
  },
})

export const completeImageUpload = endpoint({
  ...writing,
  route: 'PUT /:image_name/blobs/uploads/:upload_id',
  summary: 'End the upload of a blob, with the last bytes of it where there are more',
  scope: inImageUpload,
  can: 'create_container_image',
  rawBody: true,
  writes: 'own',
  params: { digest: text('Digest of the whole blob', { examples: [aDigest] }) },
  answers: bytes('application/json', 201),
  errors: receiving,
  async run(ctx) {
    const { image, upload, project, params } = ctx
    assertDigest(params.digest)
    const chunk = chunkOf(ctx)
    const whole = chunk.size === 0 ? upload : await appendToUpload(ctx, project, upload, chunk, locationOf(image, upload))
    await completeUpload(ctx, whole, params.digest)
    return blobAnswer(image, params.digest)
  },
})

export const cancelImageUpload = endpoint({
  ...writing,
  route: 'DELETE /:image_name/blobs/uploads/:upload_id',
  summary: 'End an upload without a blob',
  scope: inImageUpload,
  can: 'create_container_image',
  answers: bytes('application/json', 204),
  async run(ctx) {
    await cancelUpload(ctx, ctx.upload)
    return headersAlone(204, { 'docker-upload-uuid': ctx.upload.id })
  },
})
