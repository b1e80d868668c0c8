/** The dependency proxy of groups: images of another registry, kept after the first pull (dependency proxy at 14.0). */
import { bytes, endpoint, nothing, ranged } from '../../../platform/kernel/declaration/endpoint.ts'
import { text } from '../../../platform/kernel/declaration/types.ts'
import { Refusal } from '../../../platform/kernel/errors.ts'
import { inGroup } from '../../../spaces/groups/scope.ts'
import { pullScopes } from '../authentication/rights.ts'
import { registry } from '../distribution/dialect.ts'
import { RegistryRefusal } from '../distribution/refusals.ts'
import { isDigest, isTagName } from '../names.ts'
import { purge } from './cache.ts'
import { pullBlob, pullManifest } from './pulls.ts'
import { inProxied } from './scope.ts'

const reading = { dialect: registry, scope: inProxied, can: 'read_dependency_proxy', scopes: pullScopes, jobToken: true } as const

export const getProxiedManifest = endpoint({
  ...reading,
  route: 'GET /:group_path/dependency_proxy/containers/:image_name/manifests/:reference',
  summary: 'Get a manifest of an image of the registry behind, by a tag or its digest',
  params: { reference: text('Tag or digest of the manifest', { examples: ['latest'] }) },
  answers: bytes('application/vnd.oci.image.manifest.v1+json'),
  async run(ctx) {
    const { reference } = ctx.params
    if (!isDigest(reference) && !isTagName(reference)) throw new RegistryRefusal('MANIFEST_UNKNOWN', 'manifest unknown', { reference })
    const { payload, media_type, digest } = await pullManifest(ctx, ctx.proxied, reference)
    return {
      body: payload,
      headers: { 'content-type': media_type, 'docker-content-digest': digest, 'x-content-type-options': 'nosniff' },
      etag: `"${digest}"`,
    }
  },
})

export const getProxiedBlob = endpoint({
  ...reading,
  route: 'GET /:group_path/dependency_proxy/containers/:image_name/blobs/:digest',
  summary: 'Download a blob of an image of the registry behind',
  params: { digest: text('Digest of the blob', { examples: ['sha256:ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb'] }) },
  answers: ranged('application/octet-stream'),
  run: ctx => pullBlob(ctx, ctx.proxied, ctx.params.digest),
})

export const purgeDependencyProxy = endpoint({
  route: 'DELETE /groups/:id/dependency_proxy/cache',
  summary: 'Remove all images that a group keeps of the registry behind its dependency proxy',
  scope: inGroup,
  can: 'admin_group',
  answers: { ...nothing, status: 202 },
  errors: ['conflict'],
  async run({ db, group, deps, now }) {
    if (deps.config.dependencyProxyUrl === undefined) throw new Refusal('not_found', { message: '404 Not Found' })
    if (await purge(db, group.id, now)) return
    const message =
      'This request has already been made. It may take some time to purge the cache. You can run this at most once an hour for a given group'
    throw new Refusal('conflict', { message })
  },
})
