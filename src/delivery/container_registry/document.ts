/** What a manifest says: which blobs and manifests it names, and what it is about. Pure. */

import { parseJson } from '../../platform/bounded_json.ts'
import { isDigest } from './names.ts'

/** A blob or manifest as another one names it. */
export interface Descriptor {
  readonly digest: string
  /** In bytes; undefined in manifests of formats that do not say it. */
  readonly size: number | undefined
  readonly mediaType: string | undefined
  /** The bytes may be elsewhere, and need not come here. */
  readonly isForeign: boolean
}

/** A manifest as far as the registry reads it. */
export interface ManifestDocument {
  readonly mediaType: string
  readonly artifactType: string | undefined
  readonly subject: Descriptor | undefined
  readonly config: Descriptor | undefined
  readonly layers: readonly Descriptor[]
  /** The manifests that an index names. */
  readonly manifests: readonly Descriptor[]
  readonly annotations: Readonly<Record<string, string>> | undefined
  /** A format whose blobs must be there when it comes. */
  readonly isKnown: boolean
}

/** Why a text is no manifest. */
export class BadManifest extends Error {
  override name = 'BadManifest'
}

const images = new Set(['application/vnd.oci.image.manifest.v1+json', 'application/vnd.docker.distribution.manifest.v2+json'])
const indexes = new Set(['application/vnd.oci.image.index.v1+json', 'application/vnd.docker.distribution.manifest.list.v2+json'])

/** Layers that registries need not hand out, by their type. */
const foreign = /nondistributable|foreign/

type Fields = Readonly<Record<string, unknown>>

/** Blobs and manifests that one manifest names. */
const MOST_NAMED = 1_000

/** A media type (RFC 6838): what it is said to be is sent as a header. */
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/i

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

const textOrNothing = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

function typeOrNothing(value: unknown, where: string): string | undefined {
  const type = textOrNothing(value)
  if (type !== undefined && !MEDIA_TYPE.test(type)) throw new BadManifest(`${where} is no media type`)
  return type
}

function descriptorOf(value: unknown, where: string): Descriptor {
  if (!isObject(value)) throw new BadManifest(`${where} is no descriptor`)
  const { digest, size, mediaType, urls } = value
  if (typeof digest !== 'string' || !isDigest(digest)) throw new BadManifest(`${where} has no digest that is known here`)
  if (size !== undefined && !(Number.isSafeInteger(size) && (size as number) >= 0)) throw new BadManifest(`${where} has no valid size`)
  const type = textOrNothing(mediaType)
  const isForeign = (Array.isArray(urls) && urls.length > 0) || (type !== undefined && foreign.test(type))
  return { digest, size: size as number | undefined, mediaType: type, isForeign }
}

function descriptorsOf(value: unknown, where: string): Descriptor[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new BadManifest(`${where} is no list`)
  if (value.length > MOST_NAMED) throw new BadManifest(`${where} has more than ${MOST_NAMED} entries`)
  return value.map((entry, index) => descriptorOf(entry, `${where}[${index}]`))
}

/** Layers of Docker's first format, which names them by digest alone. */
const layersOfFirstFormat = (value: unknown): Descriptor[] =>
  Array.isArray(value)
    ? descriptorsOf(
        value.filter(isObject).map(layer => ({ digest: layer.blobSum })),
        'fsLayers',
      )
    : []

function annotationsOf(value: unknown): Record<string, string> | undefined {
  if (!isObject(value)) return undefined
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

/**
 * Reads a manifest of any type.
 * @param given the media type that the client says
 * @throws BadManifest where it is no manifest, or says another media type
 */
export function readManifest(payload: Buffer, given: string | undefined): ManifestDocument {
  let fields: unknown
  try {
    fields = parseJson(payload.toString('utf8'))
  } catch {
    throw new BadManifest('it is not JSON')
  }
  if (!isObject(fields)) throw new BadManifest('it is no object')
  const own = typeOrNothing(fields.mediaType, 'mediaType')
  if (own !== undefined && given !== undefined && own !== given) throw new BadManifest(`it says ${own}, and the request ${given}`)
  const mediaType = typeOrNothing(given ?? own, 'the media type')
  if (mediaType === undefined) throw new BadManifest('nothing says its media type')
  // What a manifest is sent as: no browser may take it for a page or a picture.
  if (!/^application\//i.test(mediaType)) throw new BadManifest('a manifest is of a type of application/')
  const [isImage, isIndex] = [images.has(mediaType), indexes.has(mediaType)]
  if ((isImage || isIndex) && fields.schemaVersion !== 2) throw new BadManifest('schemaVersion is not 2')
  if (isImage && !Array.isArray(fields.layers)) throw new BadManifest('layers is no list')
  if (isIndex && !Array.isArray(fields.manifests)) throw new BadManifest('manifests is no list')
  if (isImage && fields.config === undefined) throw new BadManifest('config is missing')
  return {
    mediaType,
    artifactType: typeOrNothing(fields.artifactType, 'artifactType'),
    subject: isObject(fields.subject) ? descriptorOf(fields.subject, 'subject') : undefined,
    config: isObject(fields.config)
      ? { ...descriptorOf(fields.config, 'config'), mediaType: typeOrNothing(fields.config.mediaType, 'the type of config') }
      : undefined,
    layers: [...descriptorsOf(fields.layers, 'layers'), ...descriptorsOf(fields.blobs, 'blobs'), ...layersOfFirstFormat(fields.fsLayers)],
    manifests: descriptorsOf(fields.manifests, 'manifests'),
    annotations: annotationsOf(fields.annotations),
    isKnown: isImage || isIndex,
  }
}

/** When an image was made, as its configuration says; undefined where that says no such thing. */
export function createdAtIn(config: Buffer): Date | undefined {
  try {
    return dateOf((parseJson(config.toString('utf8')) as { created?: unknown } | null)?.created)
  } catch {
    return undefined
  }
}

/** The instant that a text names, in a year of four digits; undefined for any other value. */
export function dateOf(value: unknown): Date | undefined {
  const date = typeof value === 'string' ? new Date(value) : undefined
  return date !== undefined && date.getTime() >= Date.UTC(1000) && date.getTime() < Date.UTC(10_000) ? date : undefined
}
