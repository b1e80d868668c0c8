/** Images of another registry, pulled through groups: the registry behind is a second server, and one that answers as the test wants. */
import assert from 'node:assert/strict'
import { createServer, type RequestListener, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { atEnd } from '../../../../test/at_end.ts'
import { eventually } from '../../../../test/eventually.ts'
import { type Client, openScene, type SceneGroup } from '../../../../test/scene.ts'
import { runningJob } from '../../../ci/jobs/scene.ts'
import { OutboundFailed } from '../../../platform/outbound/exchange.ts'
import { digestOfBytes, manifestType, tokenFor } from '../distribution/scene.ts'
import { dropUnread } from './cache.ts'
import { ask } from './upstream.ts'

/** What the registry behind has, and what was asked of it. */
const behind = {
  answers: undefined as RequestListener | undefined,
  manifests: new Map<string, Buffer>(),
  blobs: new Map<string, Buffer>(),
  asked: [] as string[],
}

const server = createServer((request, response) => {
  const { method = '', url = '', headers } = request
  behind.asked.push(`${method} ${url}`)
  if (behind.answers) return behind.answers(request, response)
  if (url.startsWith('/token?')) {
    const query = new URLSearchParams(url.slice(7))
    return void response.end(JSON.stringify({ token: `for ${query.get('service')} ${query.get('scope')}`.replaceAll(' ', '_') }))
  }
  const [, image, kind, reference = ''] = /^\/v2\/(.+)\/(manifests|blobs)\/([^/]+)$/.exec(url) ?? []
  if (headers.authorization !== `Bearer for_behind_repository:${image}:pull`)
    return void response
      .writeHead(401, {
        'www-authenticate': `Bearer realm="http://${headers.host}/token",service="behind",scope="repository:${image}:pull"`,
      })
      .end()
  const found = kind === 'manifests' ? behind.manifests.get(`${image}:${reference}`) : behind.blobs.get(reference)
  if (!found) return void response.writeHead(404).end('{}')
  const type = kind === 'manifests' ? manifestType : 'application/octet-stream'
  response.writeHead(200, { 'content-type': type, 'content-length': found.length, 'docker-content-digest': digestOfBytes(found) })
  response.end(method === 'HEAD' ? undefined : found)
})
server.listen(0, '127.0.0.1')
await new Promise(done => server.once('listening', done))
atEnd(
  () =>
    new Promise(done => {
      server.close(() => done())
      server.closeAllConnections()
    }),
)

const scene = await openScene({ settings: { dependencyProxyUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` } })

/** An image of one layer in the registry behind. */
function imageBehind(name: string, tag: string, layer: string) {
  const [config, bytes] = [Buffer.from(`{"of": "${layer}"}`), Buffer.from(layer)]
  for (const blob of [config, bytes]) behind.blobs.set(digestOfBytes(blob), blob)
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: manifestType,
      config: { mediaType: 'application/vnd.oci.image.config.v1+json', digest: digestOfBytes(config), size: config.length },
      layers: [{ mediaType: 'application/vnd.oci.image.layer.v1.tar', digest: digestOfBytes(bytes), size: bytes.length }],
    }),
  )
  behind.manifests.set(`${name}:${tag}`, manifest)
  behind.manifests.set(`${name}:${digestOfBytes(manifest)}`, manifest)
  return { manifest, digest: digestOfBytes(manifest), layer: digestOfBytes(bytes), bytes }
}

/** A client with a token for an image of a group's proxy. */
async function puller(group: SceneGroup, image: string, login: { username: string; password: string } | undefined) {
  const name = `${group.full_path}/dependency_proxy/containers/${image}`
  const { body } = await tokenFor(scene, login, [`repository:${name}:pull,push`])
  return at(scene.as({ authorization: `Bearer ${body.token}` }), group, image)
}

function at(client: Client, group: SceneGroup, image: string) {
  const url = `${scene.url}/v2/${group.full_path}/dependency_proxy/containers/${image}`
  return {
    url,
    get: (path: string, headers = {}) => client.get(`${url}/${path}`, {}, headers),
    head: (path: string) => client.head(`${url}/${path}`),
  }
}

const loginOf = ({ username, token }: { username: string; token: string }) => ({ username, password: token })

async function since<T>(work: () => Promise<T>): Promise<readonly [T, readonly string[]]> {
  const from = behind.asked.length
  return [await work(), behind.asked.slice(from)]
}

const isKept = (digest: string) =>
  eventually(
    async () =>
      (await scene.deps.database.db.selectFrom('dependency_proxy_blobs').select('id').where('digest', '=', digest).execute()).length > 0,
    'the blob to be kept',
  )

test('an image is fetched once, and then comes from what the group keeps', async () => {
  const { group, owner } = await scene.group()
  const image = imageBehind('library/alpine', 'latest', 'the layer of alpine')
  const alpine = await puller(group, 'alpine', loginOf(owner))

  const [first, asked] = await since(() => alpine.get('manifests/latest'))
  assert.deepEqual(
    [first.status, first.headers['docker-content-digest'], first.headers['content-type'], first.headers.etag],
    [200, image.digest, manifestType, `"${image.digest}"`],
  )
  assert.ok(first.bytes.equals(image.manifest))
  assert.deepEqual(
    asked.map(line => line.replace(/\?.*/, '')),
    ['GET /v2/library/alpine/manifests/latest', 'GET /token', 'GET /v2/library/alpine/manifests/latest'],
  )
  const blob = await alpine.get(`blobs/${image.layer}`)
  assert.deepEqual([blob.status, blob.headers['docker-content-digest']], [200, image.layer])
  assert.ok(blob.bytes.equals(image.bytes))
  await isKept(image.layer)

  const [[again, head, part], later] = await since(async () => [
    await alpine.get('manifests/latest'),
    await alpine.head(`blobs/${image.layer}`),
    await alpine.get(`blobs/${image.layer}`, { range: 'bytes=4-8' }),
  ])
  assert.ok(again?.bytes.equals(image.manifest))
  assert.deepEqual([head?.status, head?.headers['content-length']], [200, String(image.bytes.length)])
  assert.deepEqual([part?.status, part?.body], [206, 'layer'])
  // Of a tag it is asked whether it still is the same, without its manifest.
  assert.deepEqual(
    later.filter(line => !line.includes('/token')).map(line => line.split(' ')[0]),
    ['HEAD', 'HEAD'],
  )
  await alpine.get(`manifests/${image.digest}`)
  assert.deepEqual((await since(() => alpine.get(`manifests/${image.digest}`)))[1], [])
})

test('a tag that names another image now is fetched again', async () => {
  const { group, owner } = await scene.group()
  imageBehind('team/tool', 'v1', 'old')
  const tool = await puller(group, 'team/tool', loginOf(owner))
  await tool.get('manifests/v1')
  const { digest } = imageBehind('team/tool', 'v1', 'new')
  assert.equal((await tool.get('manifests/v1')).headers['docker-content-digest'], digest)
  behind.manifests.delete('team/tool:v1')
  assert.deepEqual((await tool.get('manifests/v1')).body.errors[0].code, 'MANIFEST_UNKNOWN')
})

test('where the registry behind does not answer, or has had too many requests, what is kept counts', async () => {
  const { group, owner } = await scene.group()
  const { digest, layer } = imageBehind('library/busybox', 'latest', 'busybox')
  const busybox = await puller(group, 'busybox', loginOf(owner))
  await busybox.get('manifests/latest')
  await busybox.get(`blobs/${layer}`)
  await isKept(layer)
  const other = `blobs/${digestOfBytes('not kept')}`
  const cases: [string, RequestListener, number, string][] = [
    ['429', (_, response) => response.writeHead(429).end(), 429, 'TOOMANYREQUESTS'],
    ['500', (_, response) => response.writeHead(500).end(), 503, 'UNAVAILABLE'],
    ['a connection that ends', (_, response) => response.destroy(), 503, 'UNAVAILABLE'],
    ['a redirect to nowhere', (_, response) => response.writeHead(302, { location: 'ftp://example.com/' }).end(), 503, 'UNAVAILABLE'],
    ['redirects without an end', ({ url }, response) => response.writeHead(302, { location: url }).end(), 503, 'UNAVAILABLE'],
    // Only the registry itself may be in the network of the server.
    [
      'a redirect into the own network',
      (_, response) => response.writeHead(302, { location: 'http://127.0.0.2:80/' }).end(),
      503,
      'UNAVAILABLE',
    ],
  ]
  try {
    for (const [what, answers, status, code] of cases) {
      behind.answers = answers
      assert.equal((await busybox.get('manifests/latest')).headers['docker-content-digest'], digest, what)
      assert.equal((await busybox.get(`blobs/${layer}`)).status, 200, what)
      for (const path of ['manifests/other', other]) {
        const refused = await busybox.get(path)
        assert.deepEqual([refused.status, refused.body.errors[0].code], [status, code], `${what}: ${path}`)
      }
    }
  } finally {
    behind.answers = undefined
  }
})

test('bytes that are not those of a digest, and manifests that are none, are not kept', async () => {
  const { group, owner } = await scene.group()
  const image = imageBehind('library/liar', 'latest', 'honest')
  const liar = await puller(group, 'liar', loginOf(owner))
  behind.blobs.set(image.layer, Buffer.from('others'))
  assert.equal((await liar.get(`blobs/${image.layer}`)).body, 'others')
  behind.manifests.set(`library/liar:${image.digest}`, Buffer.from('{"other": 1}'))
  assert.equal((await liar.get(`manifests/${image.digest}`)).status, 503)
  behind.manifests.set('library/liar:large', Buffer.alloc(4 * 1024 * 1024 + 1))
  assert.equal((await liar.get('manifests/large')).status, 503)
  behind.blobs.set(image.layer, image.bytes)
  assert.equal((await liar.get(`blobs/${image.layer}`)).body, 'honest')
  await isKept(image.layer)
  assert.equal((await liar.get(`blobs/${image.layer}`)).body, 'honest')

  for (const [path, code] of [
    ['manifests/a:b', 'MANIFEST_UNKNOWN'],
    ['blobs/sha256:abc', 'DIGEST_INVALID'],
    [`blobs/sha512:${'0'.repeat(128)}`, 'DIGEST_INVALID'],
  ] as const)
    assert.equal((await liar.get(path)).body.errors[0].code, code, path)
})

test('a blob that cannot be kept comes to the client all the same', async () => {
  const { group, owner } = await scene.group()
  const image = imageBehind('library/large', 'latest', 'x'.repeat(3_000_000))
  const large = await puller(group, 'large', loginOf(owner))
  const { objects } = scene.deps
  const { put } = objects
  // One gives up before it reads, the other after some bytes.
  const failing: (typeof put)[] = [
    async () => {
      throw new Error('no space')
    },
    async source => {
      for await (const piece of source) if (piece.length > 0) break
      throw new Error('no space')
    },
  ]
  try {
    for (const fails of failing) {
      Object.assign(objects, { put: fails })
      const { status, bytes } = await large.get(`blobs/${image.layer}`)
      assert.deepEqual([status, bytes.equals(image.bytes)], [200, true])
    }
  } finally {
    Object.assign(objects, { put })
  }
})

test('a client that goes away ends the connection to the registry behind, whether that has answered or not', async () => {
  const { group, owner } = await scene.group()
  const { token } = (await tokenFor(scene, loginOf(owner), [`repository:${group.full_path}/dependency_proxy/containers/endless:pull`])).body
  const { url } = at(scene.anonymous, group, 'endless')
  for (const isAnswered of [true, false]) {
    const [came, ended] = [Promise.withResolvers<() => void>(), Promise.withResolvers<void>()]
    behind.answers = (_, response) => {
      response.on('close', () => ended.resolve())
      came.resolve(() => response.writeHead(200).write('begun'))
    }
    try {
      const sent = request(`${url}/blobs/${digestOfBytes(Buffer.from('endless'))}`, { headers: { authorization: `Bearer ${token}` } })
      const [begun, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      sent.on('error', () => {})
      sent.on('response', response => {
        response.on('error', () => {})
        begun.resolve()
      })
      sent.on('close', () => gone.resolve())
      sent.end()
      const answer = await came.promise
      if (isAnswered) {
        answer()
        await begun.promise
      }
      sent.destroy()
      await gone.promise
      if (!isAnswered) answer()
      await ended.promise
    } finally {
      behind.answers = undefined
    }
  }
})

test('who may pull through a group: its members from Guest on, deploy tokens and jobs, by a token for the image', async () => {
  const { group, owner, ...people } = await scene.group({ members: ['guest'] })
  const { project } = await scene.project({ group, owner })
  imageBehind('library/nginx', 'latest', 'nginx')
  const status = async (login: { username: string; password: string } | undefined) =>
    (await (await puller(group, 'nginx', login)).get('manifests/latest')).status
  assert.equal(await status(loginOf(owner)), 200)
  assert.equal(await status(loginOf(people.guest)), 200)
  assert.equal(await status(loginOf(await scene.user())), 401)
  assert.equal(await status(undefined), 401)
  const job = await runningJob(scene, project, owner)
  assert.equal(await status({ username: 'gitlab-ci-token', password: job.token }), 200)
  const make = async (scopes: string[]) => (await owner.post(`${group.url}/deploy_tokens`, { name: 'ci', scopes })).body
  const [reader, other] = [await make(['read_registry']), await make(['read_repository'])]
  assert.equal(await status({ username: reader.username, password: reader.token }), 200)
  assert.equal(await status({ username: other.username, password: other.token }), 401)

  const challenge = (await at(scene.anonymous, group, 'nginx').get('manifests/latest')).headers['www-authenticate'] ?? ''
  assert.ok(challenge.includes(`scope="repository:${group.full_path}/dependency_proxy/containers/nginx:pull"`))
  // A token for one image is for no other, and ends with the membership.
  const nginx = await puller(group, 'nginx', loginOf(people.guest))
  const elsewhere = await scene.group({ owner })
  const { body } = await tokenFor(scene, loginOf(owner), [`repository:${group.full_path}/dependency_proxy/containers/nginx:pull`])
  assert.equal(
    (await at(scene.as({ authorization: `Bearer ${body.token}` }), elsewhere.group, 'nginx').get('manifests/latest')).status,
    401,
  )
  await owner.delete(`${group.url}/members/${people.guest.id}`)
  assert.equal((await nginx.get('manifests/latest')).status, 404)

  // Clients of 14.0 ask for a token of the whole proxy.
  const whole = await tokenFor(scene, loginOf(owner), [], 'dependency_proxy')
  const bearer = scene.as({ authorization: `Bearer ${whole.body.token}` })
  assert.equal((await at(bearer, group, 'nginx').get('manifests/latest')).status, 200)
  const strange = await tokenFor(scene, loginOf(await scene.user()), [], 'dependency_proxy')
  assert.equal((await at(scene.as({ authorization: `Bearer ${strange.body.token}` }), group, 'nginx').get('manifests/latest')).status, 404)
  assert.equal((await tokenFor(scene, undefined, [], 'dependency_proxy')).status, 403)
})

test('a purge removes what a group keeps, once an hour, and what nobody pulls goes by itself', async () => {
  const { group, owner, ...people } = await scene.group({ members: ['maintainer'] })
  const { layer } = imageBehind('library/redis', 'latest', 'redis')
  const pull = async () => {
    const redis = await puller(group, 'redis', loginOf(owner))
    await redis.get('manifests/latest')
    await redis.get(`blobs/${layer}`)
    await isKept(layer)
  }
  const { db } = scene.deps.database
  const kept = async () =>
    (await db.selectFrom('dependency_proxy_blobs').select('id').where('namespace_id', '=', group.id).execute()).length +
    (await db.selectFrom('dependency_proxy_manifests').select('id').where('namespace_id', '=', group.id).execute()).length
  await pull()
  assert.equal(await kept(), 2)
  const path = `${group.url}/dependency_proxy/cache`
  assert.equal((await people.maintainer.delete(path)).status, 403)
  assert.equal((await (await scene.user()).delete(path)).status, 404)
  assert.deepEqual(await owner.delete(path), { status: 202, body: undefined })
  assert.equal(await kept(), 0)
  const soon = await owner.delete(path)
  assert.equal(soon.status, 409)
  assert.match(soon.body.message, /once an hour/)
  scene.setTime(new Date(scene.deps.now().getTime() + 61 * 60 * 1000).toISOString())
  assert.equal((await owner.delete(path)).status, 202)

  await pull()
  const later = (days: number) => new Date(scene.deps.now().getTime() + days * 24 * 60 * 60 * 1000)
  await dropUnread({ ...scene.deps, now: () => later(89) })
  assert.equal(await kept(), 2)
  await dropUnread({ ...scene.deps, now: () => later(92) })
  assert.equal(await kept(), 0)
})

test('the registry behind may have an address of IPv6 in the own network', async () => {
  const six = createServer((_, response) => response.writeHead(404).end())
  const { promise, resolve } = Promise.withResolvers<boolean>()
  six.once('error', () => resolve(false)).listen(0, '::1', () => resolve(true))
  // A machine without IPv6 has nothing to reach; the address is refused or allowed before that is known.
  const port = (await promise) ? (six.address() as AddressInfo).port : 9
  try {
    const asked = ask({ url: `http://[::1]:${port}`, outboundAllow: [] }, { method: 'HEAD', image: 'a/b', path: 'manifests/v1' })
    await asked.then(
      ({ status, close }) => {
        close()
        assert.equal(status, 404)
      },
      error => assert.ok(error instanceof OutboundFailed, error),
    )
  } finally {
    six.close()
  }
})

test('without a registry behind there is no proxy', async () => {
  const off = await openScene({ settings: { dependencyProxyUrl: 'off' } })
  const { group, owner } = await off.group()
  assert.equal((await tokenFor(off, loginOf(owner), [], 'dependency_proxy')).status, 404)
  assert.equal((await owner.delete(`${group.url}/dependency_proxy/cache`)).status, 404)
})
