/** Images and clients of the registry, for tests. */
import { createHash } from 'node:crypto'
import type { Answer, Client, Scene } from '../../../../test/scene.ts'

export const manifestType = 'application/vnd.oci.image.manifest.v1+json'
export const indexType = 'application/vnd.oci.image.index.v1+json'

export const digestOfBytes = (bytes: Buffer | string, algorithm = 'sha256'): string =>
  `${algorithm}:${createHash(algorithm).update(bytes).digest('hex')}`

/** Username and password, as clients of the registry send them for a token. */
export interface RegistryLogin {
  readonly username: string
  readonly password: string
}

/** Asks for a token. */
export function tokenFor(
  scene: Scene,
  login: RegistryLogin | undefined,
  scopes: readonly string[],
  service = 'container_registry',
): Promise<Answer> {
  const query = new URLSearchParams([['service', service], ...scopes.map(scope => ['scope', scope] as [string, string])])
  const client = login
    ? scene.as({ authorization: `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}` })
    : scene.anonymous
  return client.get(`${scene.url}/jwt/auth?${query}`)
}

/** A client of one image, with a token for these actions. */
export async function imageClient(
  scene: Scene,
  image: string,
  login?: RegistryLogin,
  actions = 'pull,push',
  others: readonly string[] = [],
) {
  const { body } = await tokenFor(scene, login, [`repository:${image}:${actions}`, ...others])
  return clientOfImage(scene, image, scene.as({ authorization: `Bearer ${body.token}` }))
}

/** What tests do with an image. */
export function clientOfImage(scene: Scene, image: string, client: Client) {
  const at = (path: string) => (path.startsWith('/v2/') ? `${scene.url}${path}` : `${scene.url}/v2/${image}/${path}`)
  const of = {
    at,
    get: (path: string, headers = {}) => client.get(at(path), {}, headers),
    head: (path: string) => client.head(at(path)),
    delete: (path: string) => client.delete(at(path)),
    post: (path: string, body?: Buffer) => client.request('POST', at(path), body ? { body } : {}),
    send: (method: string, path: string, body: Buffer, headers: Record<string, string> = {}) =>
      client.request(method, at(path), { body, headers: { 'content-type': 'application/octet-stream', ...headers } }),
    async blob(bytes: Buffer): Promise<string> {
      const digest = digestOfBytes(bytes)
      const { status } = await of.send('POST', `blobs/uploads/?digest=${digest}`, bytes)
      if (status !== 201) throw new Error(`the blob was refused: ${status}`)
      return digest
    },
    manifest: (reference: string, content: object | Buffer, type = manifestType) =>
      of.send('PUT', `manifests/${reference}`, Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content)), {
        'content-type': type,
      }),
    /** Pushes an image of one layer under a tag, and answers its digest. */
    async image(tag: string, layer = Buffer.from(`layer of ${tag}`), created = '2021-05-01T10:00:00Z'): Promise<string> {
      const content = await of.document(layer, created)
      const { status } = await of.manifest(tag, content)
      if (status !== 201) throw new Error(`the manifest was refused: ${status}`)
      return digestOfBytes(JSON.stringify(content))
    },
    /** Uploads what an image of one layer names, and returns its manifest. */
    async document(layer: Buffer, created = '2021-05-01T10:00:00Z') {
      const config = Buffer.from(
        JSON.stringify({ created, architecture: 'amd64', os: 'linux', rootfs: { type: 'layers', diff_ids: [digestOfBytes(layer)] } }),
      )
      const [configDigest, layerDigest] = [await of.blob(config), await of.blob(layer)]
      return {
        schemaVersion: 2,
        mediaType: manifestType,
        config: { mediaType: 'application/vnd.oci.image.config.v1+json', digest: configDigest, size: config.length },
        layers: [{ mediaType: 'application/vnd.oci.image.layer.v1.tar', digest: layerDigest, size: layer.length }],
      }
    },
  }
  return of
}
