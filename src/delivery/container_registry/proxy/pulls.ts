/** Pulls through the proxy of a group: from what it keeps, else from the registry behind it, whose answer is then kept. */
import { PassThrough, Readable } from 'node:stream'
import { objectAnswer, rangedAnswer } from '../../../platform/kernel/answer/object.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../../platform/kernel/declaration/endpoint.ts'
import { OutboundFailed } from '../../../platform/outbound/exchange.ts'
import type { Download } from '../../../platform/outbound/transfer.ts'
import { RegistryRefusal } from '../distribution/refusals.ts'
import { MANIFEST_LIMIT } from '../manifests.ts'
import { hexOf, isDigest } from '../names.ts'
import {
  digestOfBytes,
  type KeptManifest,
  keepBlob,
  keepManifest,
  keptBlob,
  keptManifest,
  mostKept,
  noteBlobRead,
  noteManifestRead,
} from './cache.ts'
import { ask, isUnreachable, manifestTypes, type Upstream } from './upstream.ts'

/** An image as a group pulls it. */
export interface Proxied {
  readonly groupId: number
  /** The name of the image in the registry behind. */
  readonly image: string
  readonly upstream: Upstream
}

/** Bytes of a blob (the platform's limit at 14.0). */
const BLOB_LIMIT = 5 * 1024 ** 3

const unavailable = () => new RegistryRefusal('UNAVAILABLE', 'the registry behind the dependency proxy does not answer')

/** What a status of the registry behind means here. */
function refusalFor(status: number, unknown: RegistryRefusal): RegistryRefusal {
  if (status === 429) return new RegistryRefusal('TOOMANYREQUESTS', 'the registry behind the dependency proxy has had too many requests')
  return [401, 403, 404].includes(status) ? unknown : unavailable()
}

/**
 * A manifest by a tag or its digest. A tag is asked for again at each pull, without its manifest; where the registry behind does not answer, or
 * has had too many requests, the kept one counts.
 * @throws Refusal 404, 429 or 503
 */
export async function pullManifest({ deps }: Pick<Context, 'deps'>, of: Proxied, reference: string): Promise<KeptManifest> {
  const { groupId, image, upstream } = of
  const kept = await keptManifest(deps.database.db, groupId, image, reference)
  if (kept && (isDigest(reference) || (await isCurrent(of, reference, kept)))) {
    await noteManifestRead(deps, groupId, image, reference)
    return kept
  }
  const unknown = new RegistryRefusal('MANIFEST_UNKNOWN', 'manifest unknown', { reference })
  const fetched = await fetchManifest(upstream, image, reference, unknown).catch(error => {
    if (kept && (isUnreachable(error) || (error instanceof RegistryRefusal && error.kind !== 'not_found'))) return kept
    throw isUnreachable(error) ? unavailable() : error
  })
  if (fetched !== kept) await keepManifest(deps, groupId, { image, reference }, fetched)
  return fetched
}

/** Does the registry behind still have this manifest under the tag, or not say? */
async function isCurrent({ upstream, image }: Proxied, tag: string, { digest }: KeptManifest): Promise<boolean> {
  try {
    const head = await ask(upstream, { method: 'HEAD', image, path: `manifests/${tag}`, accept: manifestTypes.join(', ') })
    head.close()
    if (head.status === 200) return head.headers['docker-content-digest'] === digest
    return head.status === 429 || head.status >= 500
  } catch (error) {
    if (isUnreachable(error)) return true
    throw error
  }
}

async function fetchManifest(upstream: Upstream, image: string, reference: string, unknown: RegistryRefusal): Promise<KeptManifest> {
  const answer = await ask(upstream, { method: 'GET', image, path: `manifests/${reference}`, accept: manifestTypes.join(', ') })
  try {
    if (answer.status !== 200) throw refusalFor(answer.status, unknown)
    const payload = await beginning(answer.body, MANIFEST_LIMIT)
    const digest = digestOfBytes(payload)
    const said = isDigest(reference) ? reference : answer.headers['docker-content-digest']
    if (said !== undefined && said !== digest) throw new OutboundFailed('The manifest is not the one with this digest')
    const media_type = answer.headers['content-type']?.split(';')[0]?.trim() ?? ''
    if (!(manifestTypes as readonly string[]).includes(media_type)) throw new OutboundFailed('The registry sent no manifest')
    return { digest, media_type, payload }
  } finally {
    answer.close()
  }
}

async function beginning(body: Readable, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > limit) throw new OutboundFailed('The manifest is too large')
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof OutboundFailed ? error : new OutboundFailed('The connection ended early', { cause: error })
  }
  return Buffer.concat(chunks)
}

const mediaType = 'application/octet-stream'

/** A blob by its digest. @throws Refusal 400, 404, 429 or 503 */
export async function pullBlob(ctx: Context, of: Proxied, digest: string): Promise<ByteAnswer> {
  const { deps, request } = ctx
  // The store checks bytes by SHA-256 alone.
  if (!isDigest(digest) || !digest.startsWith('sha256:')) throw new RegistryRefusal('DIGEST_INVALID', 'invalid digest', { digest })
  const options = { mediaType, headers: { 'docker-content-digest': digest } }
  const kept = await keptBlob(deps.database.db, of.groupId, digest)
  if (kept) {
    await noteBlobRead(deps, of.groupId, digest)
    return objectAnswer(ctx, kept, options)
  }
  const method = request.method === 'HEAD' ? 'HEAD' : 'GET'
  const answer = await ask(of.upstream, { method, image: of.image, path: `blobs/${digest}` }).catch(error => {
    throw isUnreachable(error) ? unavailable() : error
  })
  const size = Number(answer.headers['content-length'] ?? Number.NaN)
  const isKnown = Number.isSafeInteger(size)
  if (answer.status !== 200 || (method === 'HEAD' && !isKnown) || (isKnown && size > BLOB_LIMIT)) {
    answer.close()
    throw refusalFor(answer.status, new RegistryRefusal('BLOB_UNKNOWN', 'blob unknown to registry', { digest }))
  }
  if (method === 'GET') return passOn(ctx, of.groupId, digest, answer, isKnown ? size : undefined)
  answer.close()
  return rangedAnswer(ctx, { size, version: hexOf(digest), read: async () => Readable.from([]) }, options)
}

/**
 * Sends bytes to the client as they come, and keeps them if they are those of the digest. A client that goes away ends both; where they cannot be
 * kept, the client gets them all the same.
 */
function passOn(
  { deps }: Pick<Context, 'deps'>,
  groupId: number,
  digest: string,
  { body, close }: Download,
  size: number | undefined,
): ByteAnswer {
  const [toClient, toStore] = [new PassThrough(), new PassThrough()]
  const end = (error: Error) => {
    toClient.destroy(error)
    toStore.destroy(error)
    close()
  }
  // Where one of them fails `end` ends the other; an error that nobody listens to would end the server.
  for (const stream of [body, toClient]) stream.on('error', end)
  toStore.on('error', () => {})
  toClient.on('close', () => (toClient.readableEnded ? close() : end(new OutboundFailed('The client has gone away'))))
  body.pipe(toClient)
  body.pipe(toStore)
  const limit = Math.min(BLOB_LIMIT, mostKept(deps) ?? BLOB_LIMIT)
  // It may end after the answer.
  void deps.objects
    .put(toStore, { sha256: hexOf(digest), limit, ...(size !== undefined && { size }) })
    .then(stored => keepBlob(deps, groupId, digest, stored))
    .catch(error => {
      // A store that reads no further must not hold up the client.
      body.unpipe(toStore)
      toStore.destroy()
      deps.log.info({ err: error, digest }, 'an image pulled through the dependency proxy was not kept')
    })
  const headers = { 'content-type': mediaType, 'docker-content-digest': digest, 'x-content-type-options': 'nosniff' }
  return { body: toClient, headers: { ...headers, ...(size !== undefined && { 'content-length': String(size) }) } }
}
