/** Images of the projects of the world: as many of each as lists need. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { keepBlob, keepManifest } from '../../src/delivery/container_registry/proxy/cache.ts'
import { rows } from './making.ts'
import type { Place, World } from './world.ts'

const manifestType = 'application/vnd.oci.image.manifest.v1+json'
const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`

const config = '{"created":"2021-05-01T10:00:00Z","architecture":"amd64","os":"linux"}'
const layer = 'a layer'
/** A blob that no manifest names. */
const loose = 'a blob'

const descriptor = (text: string, mediaType: string) => ({ mediaType, digest: digestOf(text), size: text.length })

/** The manifest of the examples; `note` tells several of them apart. */
export const manifestOf = (note: string): string =>
  JSON.stringify({
    schemaVersion: 2,
    mediaType: manifestType,
    config: descriptor(config, 'application/vnd.oci.image.config.v1+json'),
    layers: [descriptor(layer, 'application/vnd.oci.image.layer.v1.tar')],
    annotations: { note },
  })

/** Digests of what the examples push. */
export const imageExample = { loose: digestOf(loose), manifest: digestOf(manifestOf('1')), pushed: 'a' } as const

/** The name of the image of a place. */
export const imageOf = ({ project }: Place): string => `${project.full_path}/tools/image-1`

/** What the dependency proxy of each group keeps. */
const keptManifest = { digest: imageExample.manifest, media_type: manifestType, payload: Buffer.from(manifestOf('1')) }

export async function images({ scene, places, people }: World): Promise<void> {
  const client = scene.as({ authorization: `Bearer ${people.admin.token}` })
  const { db } = scene.deps.database
  for (const place of Object.values(places)) {
    for (const row of rows) {
      const base = `${scene.url}/v2/${place.project.full_path}/tools/image-${row}`
      for (const content of [config, layer, loose]) await send('POST', `${base}/blobs/uploads/?digest=${digestOf(content)}`, content)
      for (const tag of row === 1 ? rows : [1]) await send('PUT', `${base}/manifests/tag-${tag}`, manifestOf(String(tag)))
    }
    await keepManifest(scene.deps, place.group.id, { image: 'library/alpine', reference: 'latest' }, keptManifest)
    await keepBlob(scene.deps, place.group.id, digestOf('a'), await scene.deps.objects.put(Readable.from([Buffer.from('a')])))
    const begun = await client.post(`${scene.url}/v2/${imageOf(place)}/blobs/uploads/`)
    const repository = await db
      .selectFrom('container_repositories')
      .select('id')
      .where('project_id', '=', place.project.id)
      .where('name', '=', 'tools/image-1')
      .executeTakeFirstOrThrow()
    Object.assign(place.things, { image_upload: begun.headers['docker-upload-uuid'], container_repository: repository.id })
  }

  async function send(method: string, path: string, body: string): Promise<void> {
    const { status } = await client.request(method, path, { body, headers: { 'content-type': manifestType } })
    if (status !== 201) throw new Error(`${method} ${path} was refused: ${status}`)
  }
}
