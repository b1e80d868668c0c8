/** Manifests of the registry, and what refers to them (OCI distribution specification 1.1). */

import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import { bytes, endpoint } from '../../../platform/kernel/declaration/endpoint.ts'
import { optional, text } from '../../../platform/kernel/declaration/types.ts'
import { Refusal } from '../../../platform/kernel/errors.ts'
import { readRawBody } from '../../../platform/kernel/request/wire.ts'
import { pullScopes, pushScopes } from '../authentication/rights.ts'
import { ensureRepository } from '../blobs.ts'
import { keepManifest, MANIFEST_LIMIT, removeManifest, removeTags } from '../manifests.ts'
import { isDigest, isTagName } from '../names.ts'
import { registry } from './dialect.ts'
import { RegistryRefusal } from './refusals.ts'
import { inImage, inImageManifest } from './scope.ts'

const reading = { dialect: registry, scopes: pullScopes, jobToken: true } as const
const writing = { dialect: registry, scopes: pushScopes, jobToken: true } as const

export const getImageManifest = endpoint({
  ...reading,
  route: 'GET /:image_name/manifests/:reference',
  summary: 'Get a manifest by a tag or its digest',
  scope: inImageManifest,
  can: 'read_container_image',
  answers: bytes('application/vnd.oci.image.manifest.v1+json'),
  run: ({ manifest }) => ({
    body: manifest.payload,
    headers: {
      'content-type': manifest.media_type,
      'docker-content-digest': manifest.digest,
      'x-content-type-options': 'nosniff',
    },
    etag: `"${manifest.digest}"`,
  }),
})

export const putImageManifest = endpoint({
  ...writing,
  route: 'PUT /:image_name/manifests/:reference',
  summary: 'Push a manifest under a tag or its digest',
  scope: inImage,
  can: 'create_container_image',
  rawBody: true,
  params: {
    reference: text('Tag or digest of the manifest', { examples: ['latest'] }),
    tag: optional(text('With a digest: a tag that names the manifest from now on; may come several times')),
  },
  answers: bytes('application/json', 201),
  errors: ['too_large'],
  async run(ctx) {
    const { project, name, image, params, request, body } = ctx
    const { reference } = params
    if (!isDigest(reference) && !isTagName(reference))
      throw reference.includes(':') ? new RegistryRefusal('DIGEST_INVALID', 'invalid digest', { digest: reference }) : invalidTag(reference)
    const tags = isDigest(reference) ? tagsBeside(request) : []
    const payload = await payloadOf(body)
    const repository = await ensureRepository(ctx, project.id, name)
    const mediaType = request.headers['content-type']?.split(';')[0]?.trim() || undefined
    const { digest, subject } = await keepManifest(ctx, repository, { payload, mediaType, reference, tags })
    return {
      body: '',
      status: 201,
      headers: {
        location: `/v2/${image}/manifests/${digest}`,
        'docker-content-digest': digest,
        ...(subject !== undefined && { 'oci-subject': subject }),
        ...(tags.length > 0 && { 'oci-tag': tags.join(', ') }),
      },
    }
  },
})

const invalidTag = (tag: string) => new RegistryRefusal('TAG_INVALID', 'invalid tag', { tag })

/** Tags that one request may give to a manifest. */
const MOST_TAGS = 100

/** The tags that come beside a digest. @throws Refusal 400 for what no tag can be called */
function tagsBeside({ address }: { readonly address: string }): string[] {
  const tags = [...new Set(new URLSearchParams(address.split('?')[1] ?? '').getAll('tag'))]
  const bad = tags.find(tag => !isTagName(tag))
  if (bad !== undefined) throw invalidTag(bad)
  if (tags.length > MOST_TAGS) throw new RegistryRefusal('TAG_INVALID', `a request has ${MOST_TAGS} tags at most`)
  return tags
}

/** The body of a request that brings a manifest. @throws Refusal 413 where it is too long */
function payloadOf(body: Readable): Promise<Buffer> {
  return readRawBody(body, MANIFEST_LIMIT).catch(error => {
    if (!(error instanceof Refusal && error.kind === 'too_large')) throw error
    throw new RegistryRefusal('MANIFEST_INVALID', `a manifest has ${MANIFEST_LIMIT} bytes at most`, undefined, 'too_large')
  })
}

export const deleteImageManifest = endpoint({
  ...writing,
  route: 'DELETE /:image_name/manifests/:reference',
  summary: 'Delete a tag, or a manifest with its tags',
  scope: inImageManifest,
  can: 'destroy_container_image',
  answers: bytes('application/json', 202),
  async run(ctx) {
    const { repository, manifest, isTag } = ctx
    if (isTag) await removeTags(ctx, repository, [ctx.reference])
    else await removeManifest(ctx, repository, manifest)
    return { body: '', status: 202 }
  },
})

/** Manifests in one list of those that refer to another one. */
const REFERRERS = 100

export const listImageReferrers = endpoint({
  ...reading,
  route: 'GET /:image_name/referrers/:digest',
  summary: 'List the manifests that are about another one, as an index',
  scope: inImage,
  can: 'read_container_image',
  params: {
    digest: text('Digest of the manifest that they are about; it need not be there', { examples: [`sha256:${'ab'.repeat(32)}`] }),
    artifactType: optional(text('Only those of this type')),
    last: optional(text('Digest of the last manifest of the page before')),
  },
  answers: bytes('application/vnd.oci.image.index.v1+json'),
  async run({ db, repository, params, image }) {
    const { digest, artifactType, last } = params
    if (!isDigest(digest)) throw new RegistryRefusal('DIGEST_INVALID', 'invalid digest', { digest })
    let query = db
      .selectFrom('container_manifests')
      .select(['digest', 'media_type', 'size', 'artifact_type', 'annotations'])
      .where('repository_id', '=', repository?.id ?? 0)
      .where('subject_digest', '=', digest)
      .orderBy('id')
      .limit(REFERRERS + 1)
    if (artifactType !== undefined) query = query.where('artifact_type', '=', artifactType)
    if (last !== undefined)
      query = query.where(
        sql<boolean>`id > (select id from container_manifests where repository_id = ${repository?.id ?? 0} and digest = ${last})`,
      )
    const rows = await query.execute()
    const page = rows.slice(0, REFERRERS)
    const index = {
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.index.v1+json',
      manifests: page.map(row => ({
        mediaType: row.media_type,
        size: row.size,
        digest: row.digest,
        ...(row.artifact_type !== null && { artifactType: row.artifact_type }),
        ...(row.annotations !== null && { annotations: row.annotations }),
      })),
    }
    const more = new URLSearchParams({ ...(artifactType !== undefined && { artifactType }), last: page.at(-1)?.digest ?? '' })
    return {
      body: JSON.stringify(index),
      headers: {
        ...(artifactType !== undefined && { 'oci-filters-applied': 'artifactType' }),
        ...(rows.length > REFERRERS && { link: `</v2/${image}/referrers/${digest}?${more}>; rel="next"` }),
      },
    }
  },
})
