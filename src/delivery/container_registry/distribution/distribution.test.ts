/** The registry by its protocol: the OCI distribution specification 1.1, request by request. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { overtakenBy } from '../../../../test/held_table.ts'
import { openScene } from '../../../../test/scene.ts'
import { storedBytes } from '../../../../test/stored_bytes.ts'
import { clientOfImage, digestOfBytes, imageClient, indexType, manifestType, tokenFor } from './scene.ts'

const scene = await openScene()

/** A project, and a client of an image in it. */
async function image(below = '', options = {}) {
  const { project, owner } = await scene.project(options)
  const name = [project.full_path, below].filter(Boolean).join('/')
  return {
    project,
    owner,
    name,
    registry: await imageClient(scene, name, { username: owner.username, password: owner.token }, 'pull,push,delete'),
  }
}

const jsonOf = ({ bytes }: { bytes: Buffer }) => JSON.parse(bytes.toString())
const errorOf = ({ status, body }: { status: number; body: { errors: { code: string }[] } }) => [status, body.errors[0]?.code]

test('an image is pushed and pulled: blobs whole and in parts, the manifest by tag and by digest', async () => {
  const { registry, name } = await image('tools/one')
  const layer = randomBytes(50_000)
  const content = await registry.document(layer)
  const digest = digestOfBytes(JSON.stringify(content))
  const pushed = await registry.manifest('v1.0', content)
  assert.deepEqual(
    [pushed.status, pushed.headers.location, pushed.headers['docker-content-digest'], pushed.headers['oci-subject']],
    [201, `/v2/${name}/manifests/${digest}`, digest, undefined],
  )
  for (const reference of ['v1.0', digest]) {
    const { status, headers, bytes } = await registry.get(`manifests/${reference}`)
    assert.deepEqual([status, headers['content-type'], headers['docker-content-digest']], [200, manifestType, digest])
    assert.equal(bytes.toString(), JSON.stringify(content))
    const head = await registry.head(`manifests/${reference}`)
    assert.deepEqual(
      [head.status, head.headers['content-length'], head.headers['docker-content-digest']],
      [200, String(bytes.length), digest],
    )
  }
  const blob = `blobs/${digestOfBytes(layer)}`
  const head = await registry.head(blob)
  assert.deepEqual(
    [head.status, head.headers['content-length'], head.headers['docker-content-digest']],
    [200, '50000', digestOfBytes(layer)],
  )
  assert.ok((await registry.get(blob)).bytes.equals(layer))
  const part = await registry.get(blob, { range: 'bytes=100-199' })
  assert.deepEqual([part.status, part.headers['content-range'], part.bytes], [206, 'bytes 100-199/50000', layer.subarray(100, 200)])
  assert.deepEqual(errorOf(await registry.get(blob, { range: 'bytes=60000-' })), [416, 'RANGE_INVALID'])
})

test('a blob comes in one request, in two, or in chunks that are resumed where they stopped', async () => {
  const { registry, name } = await image()
  const bytes = randomBytes(30_000)
  const digest = digestOfBytes(bytes)

  const started = await registry.post('blobs/uploads/')
  assert.deepEqual([started.status, started.headers.range], [202, '0-0'])
  const first = await registry.send('PATCH', started.headers.location!, bytes.subarray(0, 10_000), { 'content-range': '0-9999' })
  assert.deepEqual([first.status, first.headers.range], [202, '0-9999'])
  const wrong = await registry.send('PATCH', first.headers.location!, bytes.subarray(20_000), { 'content-range': '20000-29999' })
  assert.deepEqual([...errorOf(wrong), wrong.headers.range], [416, 'RANGE_INVALID', '0-9999'])
  const early = await registry.send('PUT', `${first.headers.location}?digest=${digest}`, bytes.subarray(20_000), {
    'content-range': '20000-29999',
  })
  assert.deepEqual([...errorOf(early), early.headers.range], [416, 'RANGE_INVALID', '0-9999'])
  const status = await registry.get(first.headers.location!)
  assert.deepEqual([status.status, status.headers.range], [204, '0-9999'])
  const second = await registry.send('PATCH', first.headers.location!, bytes.subarray(10_000, 20_000), { 'content-range': '10000-19999' })
  assert.deepEqual([second.status, second.headers.range], [202, '0-19999'])
  const ended = await registry.send('PUT', `${second.headers.location}?digest=${digest}`, bytes.subarray(20_000), {
    'content-range': '20000-29999',
  })
  assert.deepEqual(
    [ended.status, ended.headers.location, ended.headers['docker-content-digest']],
    [201, `/v2/${name}/blobs/${digest}`, digest],
  )
  assert.ok((await registry.get(`blobs/${digest}`)).bytes.equals(bytes))
  assert.deepEqual(errorOf(await registry.get(second.headers.location!)), [404, 'BLOB_UPLOAD_UNKNOWN'])

  const other = randomBytes(1_000)
  const { headers } = await registry.post('blobs/uploads/')
  assert.equal((await registry.send('PUT', `${headers.location}?digest=${digestOfBytes(other)}`, other)).status, 201)
  const strong = digestOfBytes(other, 'sha512')
  assert.equal((await registry.send('POST', `blobs/uploads/?digest=${strong}`, other)).status, 201)
  assert.ok((await registry.get(`blobs/${strong}`)).bytes.equals(other))
  const cancelled = await registry.post('blobs/uploads/')
  assert.equal((await registry.delete(cancelled.headers.location!)).status, 204)
  assert.equal((await registry.get(cancelled.headers.location!)).status, 404)
})

test('an upload that ends meanwhile is not cancelled', async () => {
  const { registry } = await image()
  const { headers } = await registry.post('blobs/uploads/')
  const id = headers['docker-upload-uuid']

  const answer = await overtakenBy(scene.deps.database, ['delete from container_uploads where id = $1', [id]], () =>
    registry.delete(headers.location!),
  )

  assert.deepEqual(errorOf(answer), [404, 'BLOB_UPLOAD_UNKNOWN'])
})

test('bytes that are not those of the digest are refused and kept nowhere', async () => {
  const { registry } = await image()
  const bytes = randomBytes(500)
  const lie = digestOfBytes('other')
  assert.deepEqual(errorOf(await registry.send('POST', `blobs/uploads/?digest=${lie}`, bytes)), [400, 'DIGEST_INVALID'])
  assert.deepEqual(errorOf(await registry.send('POST', 'blobs/uploads/?digest=sha256:1', bytes)), [400, 'DIGEST_INVALID'])
  const { headers } = await registry.post('blobs/uploads/')
  await registry.send('PATCH', headers.location!, bytes.subarray(0, 100))
  await registry.send('PATCH', headers.location!, bytes.subarray(100))
  assert.deepEqual(errorOf(await registry.send('PUT', `${headers.location}?digest=${lie}`, Buffer.alloc(0))), [400, 'DIGEST_INVALID'])
  assert.deepEqual(errorOf(await registry.get(`blobs/${lie}`)), [404, 'BLOB_UNKNOWN'])
  assert.equal((await registry.get(headers.location!)).status, 404)
})

test('manifests that name what is not there, are none, or are too long are refused', async () => {
  const { registry } = await image()
  const content = await registry.document(Buffer.from('layer'))
  const absent = { ...content, layers: [{ mediaType: 'x', digest: digestOfBytes('absent'), size: 6 }] }
  assert.deepEqual(errorOf(await registry.manifest('a', absent)), [400, 'MANIFEST_BLOB_UNKNOWN'])
  const foreign = { ...content, layers: [{ ...absent.layers[0], urls: ['https://example.com/layer'] }] }
  assert.equal((await registry.manifest('a', foreign)).status, 201)
  const missized = { ...content, layers: [{ ...content.layers[0], size: 7 }] }
  assert.deepEqual(errorOf(await registry.manifest('b', missized)), [400, 'MANIFEST_INVALID'])
  for (const [text, type] of [
    ['{', manifestType],
    ['[]', manifestType],
    [JSON.stringify({ ...content, schemaVersion: 1 }), manifestType],
    [JSON.stringify(content), indexType],
  ] as const)
    assert.deepEqual(errorOf(await registry.manifest('b', Buffer.from(text), type)), [400, 'MANIFEST_INVALID'], text)
  assert.deepEqual(errorOf(await registry.manifest('-bad', content)), [400, 'TAG_INVALID'])
  assert.deepEqual(errorOf(await registry.manifest(digestOfBytes('other'), content)), [400, 'DIGEST_INVALID'])
  const long = Buffer.from(JSON.stringify({ ...content, annotations: { text: 'x'.repeat(4 * 1024 * 1024) } }))
  assert.deepEqual(errorOf(await registry.manifest('b', long)), [413, 'MANIFEST_INVALID'])
  assert.deepEqual(errorOf(await registry.get('manifests/b')), [404, 'MANIFEST_UNKNOWN'])
})

test('manifests whose lists, texts or types others would have to bear are refused', async () => {
  const { registry } = await image()
  const content = await registry.document(Buffer.from('layer'))
  const { mediaType: _, ...untyped } = content
  const foreign = (at: number) => ({ digest: `sha256:${at.toString(16).padStart(64, '0')}`, urls: ['https://example.com/layer'] })
  for (const [what, bad, type] of [
    ['too many layers', { ...content, layers: Array.from({ length: 1_001 }, (_each, at) => foreign(at)) }],
    [
      'long annotations about another one',
      { ...content, subject: { mediaType: manifestType, digest: digestOfBytes('x'), size: 1 }, annotations: { text: 'x'.repeat(70_000) } },
    ],
    ['a NUL in a type', { ...content, artifactType: 'a/\0' }],
    ['a NUL in the type of the configuration', { ...content, config: { ...content.config, mediaType: 'a/\0' } }],
    ['a page', untyped, 'text/html'],
    ['a picture', untyped, 'image/svg+xml'],
    ['a type with a line break', { ...content, mediaType: 'application/a\r\nset-cookie: a=b' }, ''],
  ] as const)
    assert.deepEqual(errorOf(await registry.manifest('b', bad, type)), [400, 'MANIFEST_INVALID'], what)
  const early = { ...content, annotations: { 'org.opencontainers.image.created': '-271821-04-20T00:00:00.000Z' } }
  assert.equal((await registry.manifest('early', early)).status, 201)
  const annotated = Buffer.from(JSON.stringify({ ...content, annotations: { text: 'x'.repeat(4_000_000) } }))
  assert.equal((await registry.manifest('annotated', annotated)).status, 201)
  assert.ok((await registry.get('manifests/annotated')).bytes.equals(annotated))
})

test('a manifest that is pushed by its digest takes tags with it', async () => {
  const { registry } = await image()
  const content = await registry.document(Buffer.from('layer'))
  const digest = digestOfBytes(JSON.stringify(content))
  const { status, headers } = await registry.manifest(`${digest}?tag=1.2&tag=1&tag=1.2`, content)
  assert.deepEqual([status, headers['docker-content-digest'], headers['oci-tag']], [201, digest, '1.2, 1'])
  assert.deepEqual((await registry.get('tags/list')).body.tags, ['1', '1.2'])
  const sha512 = digestOfBytes(JSON.stringify(content), 'sha512')
  assert.equal((await registry.manifest(`${sha512}?tag=long`, content)).status, 201)
  assert.equal((await registry.head('manifests/long')).headers['docker-content-digest'], sha512)
  assert.deepEqual(errorOf(await registry.manifest(`${digest}?tag=ok&tag=-bad`, content)), [400, 'TAG_INVALID'])
  const many = Array.from({ length: 101 }, (_each, at) => `tag=t${at}`).join('&')
  assert.deepEqual(errorOf(await registry.manifest(`${digest}?${many}`, content)), [400, 'TAG_INVALID'])
  assert.deepEqual((await registry.get('tags/list')).body.tags, ['1', '1.2', 'long'])
})

test('an index names images for several machines, and manifests of any type are kept as they came', async () => {
  const { registry } = await image()
  const digests = [await registry.image('one'), await registry.image('two')]
  const sizes = await Promise.all(digests.map(async digest => (await registry.get(`manifests/${digest}`)).bytes.length))
  const manifests = digests.map((digest, at) => ({ mediaType: manifestType, digest, size: sizes[at] }))
  const index = { schemaVersion: 2, mediaType: indexType, manifests }
  assert.equal((await registry.manifest('all', index, indexType)).status, 201)
  assert.deepEqual(jsonOf(await registry.get('manifests/all')), index)
  const broken = { ...index, manifests: [{ ...manifests[0], digest: digestOfBytes('absent') }] }
  assert.deepEqual(errorOf(await registry.manifest('broken', broken, indexType)), [400, 'MANIFEST_BLOB_UNKNOWN'])
  const own = 'application/vnd.example.thing.v1+json'
  assert.equal((await registry.manifest('thing', { any: ['thing'] }, own)).status, 201)
  assert.equal((await registry.get('manifests/thing')).headers['content-type'], own)
})

test('a manifest keeps the type that it came with until it is deleted', async () => {
  const { registry } = await image()
  const { mediaType: _, ...content } = await registry.document(Buffer.from('layer'))
  const digest = digestOfBytes(JSON.stringify(content))
  const other = 'application/vnd.example.thing.v1+json'
  assert.equal((await registry.manifest('v1', content)).status, 201)
  for (const reference of ['v1', 'v2', digest, `${digest}?tag=v3`])
    assert.deepEqual(errorOf(await registry.manifest(reference, content, other)), [400, 'MANIFEST_INVALID'], reference)
  for (const reference of ['v1', digest]) assert.equal((await registry.manifest(reference, content)).status, 201, reference)
  assert.equal((await registry.get('manifests/v1')).headers['content-type'], manifestType)
  assert.deepEqual((await registry.get('tags/list')).body.tags, ['v1'])
  await registry.delete(`manifests/${digest}`)
  assert.equal((await registry.manifest(digest, content, other)).status, 201)
  assert.equal((await registry.get(`manifests/${digest}`)).headers['content-type'], other)
})

test('what is about a manifest is listed, by its type too, also before the manifest comes', async () => {
  const { registry } = await image()
  const subject = await registry.image('subject')
  const content = await registry.document(Buffer.from('signature'))
  const about = (digest: string, artifactType: string) => ({
    ...content,
    artifactType,
    annotations: { note: artifactType },
    subject: { mediaType: manifestType, digest, size: 1 },
  })
  for (const type of ['example/signature', 'example/sbom']) {
    const { status, headers } = await registry.manifest(digestOfBytes(JSON.stringify(about(subject, type))), about(subject, type))
    assert.deepEqual([status, headers['oci-subject']], [201, subject])
  }
  const all = await registry.get(`referrers/${subject}`)
  assert.deepEqual([all.status, all.headers['content-type'], jsonOf(all).schemaVersion], [200, indexType, 2])
  assert.deepEqual(
    jsonOf(all).manifests.map((entry: { artifactType: string; annotations: object }) => [entry.artifactType, entry.annotations]),
    [
      ['example/signature', { note: 'example/signature' }],
      ['example/sbom', { note: 'example/sbom' }],
    ],
  )
  const filtered = await registry.get(`referrers/${subject}?artifactType=example%2Fsbom`)
  assert.deepEqual([filtered.headers['oci-filters-applied'], jsonOf(filtered).manifests.length], ['artifactType', 1])
  const absent = digestOfBytes('absent')
  assert.deepEqual(jsonOf(await registry.get(`referrers/${absent}`)).manifests, [])
  assert.equal((await registry.manifest('early', about(absent, 'example/early'))).headers['oci-subject'], absent)
  assert.equal(jsonOf(await registry.get(`referrers/${absent}`)).manifests.length, 1)
  assert.deepEqual(errorOf(await registry.get('referrers/none')), [400, 'DIGEST_INVALID'])
})

test('tags are listed in the order of their bytes, page by page', async () => {
  const { registry, name } = await image()
  const content = await registry.document(Buffer.from('layer'))
  for (const tag of ['b', 'a', 'C', '1']) await registry.manifest(tag, content)
  assert.deepEqual((await registry.get('tags/list')).body, { name, tags: ['1', 'C', 'a', 'b'] })
  const page = await registry.get('tags/list?n=2')
  assert.deepEqual([page.body.tags, page.headers.link], [['1', 'C'], `</v2/${name}/tags/list?n=2&last=C>; rel="next"`])
  const rest = await registry.get('tags/list?n=2&last=C')
  assert.deepEqual([rest.body.tags, rest.headers.link], [['a', 'b'], undefined])
  assert.deepEqual([(await registry.get('tags/list?n=0')).body.tags, (await registry.get('tags/list?last=z')).body.tags], [[], []])
  assert.deepEqual(errorOf(await registry.get('tags/list?n=x')), [400, 'PAGINATION_NUMBER_INVALID'])
})

test('a tag, a manifest and a blob are deleted, in that order', async () => {
  const { registry } = await image()
  const layer = Buffer.from('layer')
  const digest = await registry.image('one', layer)
  await registry.image('two', layer)
  assert.deepEqual(errorOf(await registry.delete(`blobs/${digestOfBytes(layer)}`)), [405, 'UNSUPPORTED'])
  assert.equal((await registry.delete('manifests/one')).status, 202)
  assert.deepEqual([(await registry.get('manifests/one')).status, (await registry.get('manifests/two')).status], [404, 200])
  assert.equal((await registry.delete(`manifests/${digest}`)).status, 202)
  assert.deepEqual(errorOf(await registry.get('manifests/two')), [404, 'MANIFEST_UNKNOWN'])
  assert.deepEqual((await registry.get('tags/list')).body.tags, [])
  assert.equal((await registry.delete(`blobs/${digestOfBytes(layer)}`)).status, 202)
  assert.deepEqual(errorOf(await registry.get(`blobs/${digestOfBytes(layer)}`)), [404, 'BLOB_UNKNOWN'])
  assert.deepEqual(errorOf(await registry.delete(`manifests/${digest}`)), [404, 'MANIFEST_UNKNOWN'])
})

test('a blob is mounted from where the caller may pull, and uploaded otherwise', async () => {
  const { owner, project, registry } = await image()
  const { project: other } = await scene.project()
  const stranger = await scene.user()
  const bytes = randomBytes(100)
  const digest = await registry.blob(bytes)
  const mount = async (login: { username: string; token: string }, target: string, from: string) => {
    const client = await imageClient(scene, target, { username: login.username, password: login.token }, 'pull,push', [
      `repository:${from}:pull`,
    ])
    return { client, answer: await client.post(`blobs/uploads/?mount=${digest}&from=${from}`) }
  }
  const { client, answer } = await mount(owner, `${project.full_path}/copy`, project.full_path)
  assert.deepEqual([answer.status, answer.headers.location], [201, `/v2/${project.full_path}/copy/blobs/${digest}`])
  assert.ok((await client.get(`blobs/${digest}`)).bytes.equals(bytes))
  const absent = await client.post(`blobs/uploads/?mount=${digestOfBytes('absent')}&from=${project.full_path}`)
  assert.equal(absent.status, 202)
  await scene.root.post(`${other.url}/members`, { user_id: stranger.id, access_level: 30 })
  const theirs = await mount(stranger, other.full_path, project.full_path)
  assert.equal(theirs.answer.status, 202)
  assert.equal((await theirs.client.get(`blobs/${digest}`)).status, 404)
  const asked = await clientOfImage(scene, other.full_path, scene.as({})).post(`blobs/uploads/?mount=${digest}&from=${project.full_path}`)
  assert.equal(asked.status, 401)
  assert.match(
    String(asked.headers['www-authenticate']),
    new RegExp(`scope="repository:${other.full_path}:pull,push repository:${project.full_path}:pull"`),
  )
})

test('names that no image can have, and projects that are not there, are unknown', async () => {
  const { owner, project } = await image()
  for (const name of [
    'a',
    'A/b',
    `${project.full_path}/a/b/c`,
    `${project.full_path}/-a`,
    'no/such',
    `${'a'.repeat(200)}/${'b'.repeat(100)}`,
  ]) {
    const client = clientOfImage(scene, name, scene.as({ authorization: `Bearer ${owner.token}` }))
    assert.deepEqual(errorOf(await client.get('tags/list')), [404, 'NAME_UNKNOWN'], name)
  }
})

test('a project with a storage limit takes no blob beyond it, however it comes', async () => {
  const { project, registry } = await image()
  await scene.root.put(project.url, { repository_size_limit: 1 })
  const [first, second] = [randomBytes(900_000), randomBytes(200_000)]
  await registry.blob(first)
  const digest = digestOfBytes(second)
  const started = async () => (await registry.post('blobs/uploads/')).headers.location!

  const answers = [
    await registry.send('POST', `blobs/uploads/?digest=${digest}`, second),
    await registry.send('PATCH', await started(), second, { 'content-range': '0-199999' }),
    await registry.send('PUT', `${await started()}?digest=${digest}`, second),
  ]

  for (const answer of answers) assert.deepEqual(errorOf(answer), [413, 'SIZE_INVALID'])
  assert.equal((await registry.get(`blobs/${digest}`)).status, 404)
  await registry.blob(randomBytes(100_000))
})

test('a blob that comes without its size is stopped where the room of the project ends, and leaves nothing', async () => {
  const { project, owner, name, registry } = await image()
  await scene.root.put(project.url, { repository_size_limit: 1 })
  const before = await storedBytes(scene.deps.config)
  const { body: login } = await tokenFor(scene, { username: owner.username, password: owner.token }, [`repository:${name}:pull,push`])
  const patch = async (bytes: Buffer) => {
    const { location } = (await registry.post('blobs/uploads/')).headers
    const answer = await fetch(new URL(location!, scene.url), {
      method: 'PATCH',
      headers: { authorization: `Bearer ${login.token}`, 'content-type': 'application/octet-stream' },
      body: new Blob([new Uint8Array(bytes)]).stream(),
      duplex: 'half',
    } as RequestInit)
    return { status: answer.status, body: answer.status === 202 ? undefined : await answer.json() }
  }
  assert.deepEqual(errorOf(await patch(randomBytes(4_000_000))), [413, 'SIZE_INVALID'])
  assert.equal(await storedBytes(scene.deps.config), before)
  assert.equal((await patch(randomBytes(900_000))).status, 202)
  assert.deepEqual(errorOf(await patch(randomBytes(200_000))), [413, 'SIZE_INVALID'])
})
