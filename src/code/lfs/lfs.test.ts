/** Git LFS at protocol level (the Git LFS API). Tests with the real client: test/clients/git_lfs.test.ts. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '../../../test/eventually.ts'
import { openScene, type Person, type SceneProject } from '../../../test/scene.ts'
import { currentActor } from '../../platform/access/current_actor.ts'
import { places } from '../../platform/config.ts'
import { digestOf } from '../../platform/kernel/secrets.ts'
import { lfsAuthentication } from './authentication.ts'
import { copyLfsObjects, dropUnusedLfsObjects } from './commands.ts'
import { LFS_TOKEN_LIFETIME, readLfsToken, signLfsToken } from './tokens.ts'

const scene = await openScene()
const { db } = scene.deps.database

const basic = (person: Person, password = person.token) => ({
  authorization: `Basic ${Buffer.from(`${person.username}:${password}`).toString('base64')}`,
})
const pointerOf = (bytes: Buffer) => ({ oid: createHash('sha256').update(bytes).digest('hex'), size: bytes.length })

/** Sends a request as git-lfs does. */
async function send(method: string, url: string, headers: Record<string, string> = {}, body?: object | Buffer) {
  const isBytes = Buffer.isBuffer(body)
  const answer = await fetch(url, {
    method,
    headers: { ...(body && { 'content-type': isBytes ? 'application/octet-stream' : 'application/vnd.git-lfs+json' }), ...headers },
    ...(body && { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) }),
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  const isJson = answer.headers.get('content-type') === 'application/vnd.git-lfs+json'
  return {
    status: answer.status,
    headers: answer.headers,
    bytes,
    json: isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined,
  }
}

const at = (project: SceneProject, path: string) => `${scene.url}/${project.full_path}.git/${path}`
const batch = (project: SceneProject, operation: string, objects: object[], headers: Record<string, string> = {}) =>
  send('POST', at(project, 'info/lfs/objects/batch'), headers, { operation, transfers: ['basic'], objects })
const upload = (project: SceneProject, person: Person, bytes: Buffer, { oid, size } = pointerOf(bytes)) =>
  send('PUT', at(project, `gitlab-lfs/objects/${oid}/${size}`), basic(person), bytes)
const linkedOids = async (project: SceneProject) =>
  (
    await db
      .selectFrom('lfs_objects')
      .innerJoin('lfs_objects_projects', 'lfs_object_id', 'id')
      .select('oid')
      .where('project_id', '=', project.id)
      .execute()
  ).map(row => row.oid)

const storedSize = async (project: SceneProject, person: Person) =>
  (await person.get(project.url, { statistics: true })).body.statistics.lfs_objects_size

test('an object is uploaded and downloaded as the batch API says, with its headers', async () => {
  const { project, owner } = await scene.project()
  const bytes = randomBytes(50_000)
  const pointer = pointerOf(bytes)

  const asked = await batch(project, 'upload', [pointer], basic(owner))
  assert.deepEqual([asked.status, asked.headers.get('content-type'), asked.json.transfer], [200, 'application/vnd.git-lfs+json', 'basic'])
  const { upload: up, verify } = asked.json.objects[0].actions
  assert.equal(up.href, at(project, `gitlab-lfs/objects/${pointer.oid}/${pointer.size}`))
  assert.equal(JSON.stringify(asked.json).includes(owner.token), false)
  assert.equal((await send('POST', verify.href, up.header, pointer)).status, 404)
  assert.equal((await send('PUT', up.href, up.header, bytes)).status, 200)
  assert.equal((await send('POST', verify.href, up.header, pointer)).status, 200)
  assert.equal((await send('POST', verify.href, up.header, { ...pointer, size: 1 })).status, 404)
  assert.deepEqual((await batch(project, 'upload', [pointer], basic(owner))).json.objects, [pointer])

  const wanted = await batch(project, 'download', [pointer, pointerOf(Buffer.from('absent'))], basic(owner))
  const [known, absent] = wanted.json.objects
  const { href, header } = known.actions.download
  const whole = await send('GET', href, header)
  assert.ok(whole.bytes.equals(bytes))
  const rest = await send('GET', href, { ...header, range: 'bytes=40000-' })
  assert.deepEqual([rest.status, rest.headers.get('content-range')], [206, 'bytes 40000-49999/50000'])
  assert.ok(rest.bytes.equals(bytes.subarray(40_000)))
  assert.equal(absent.error.code, 404)
  // Stored once, however often it is uploaded.
  await send('PUT', up.href, up.header, bytes)
  assert.equal(await storedSize(project, owner), 50_000)
})

test('bytes that do not match the pointer are refused and not stored', async () => {
  const { project, owner } = await scene.project()
  const bytes = randomBytes(10_000)
  const { oid, size } = pointerOf(bytes)
  const wrong = [
    await upload(project, owner, bytes, { oid, size: size + 1 }),
    await upload(project, owner, bytes, { oid, size: size - 1 }),
    await upload(project, owner, randomBytes(size), { oid, size }),
    // Also if the server has the bytes already: knowing an oid does not prove having the file.
    ...(await scene.project().then(async other => {
      await upload(other.project, other.owner, bytes)
      return [await upload(project, owner, randomBytes(size), { oid, size })]
    })),
  ]
  for (const { status, json } of wrong) {
    assert.equal(status, 422)
    assert.match(json.message, /not the one announced/)
  }
  assert.deepEqual(await linkedOids(project), [])
  assert.equal((await batch(project, 'download', [{ oid, size }], basic(owner))).json.objects[0].error.code, 404)
})

/** Incomplete uploads in the store. */
const unfinished = () => readdir(join(places(scene.deps.config).objects, 'tmp'))

test('an interrupted upload leaves nothing', async () => {
  const { project, owner } = await scene.project()
  const bytes = randomBytes(2_000_000)
  const { oid, size } = pointerOf(bytes)
  const { hostname, port, pathname } = new URL(at(project, `gitlab-lfs/objects/${oid}/${size}`))
  const headers = { ...basic(owner), 'content-length': String(size) }
  const request = httpRequest({ hostname, port, method: 'PUT', path: pathname, headers, agent: false })
  // The request is destroyed below, which raises an error on it.
  request.on('error', () => {})
  request.write(bytes.subarray(0, 1_000_000))
  await eventually(async () => (await unfinished()).length === 1, 'an unfinished object')
  request.destroy()
  await eventually(async () => (await unfinished()).length === 0, 'no unfinished object')
  assert.deepEqual(await linkedOids(project), [])
})

test('an object of two projects is stored once, and read in each by its readers', async () => {
  const bytes = randomBytes(1_000)
  const { oid } = pointerOf(bytes)
  const places = await Promise.all([1, 2, 3].map(() => scene.project()))
  // Concurrently: of those that find no row, one creates it.
  const statuses = await Promise.all(places.map(({ project, owner }) => upload(project, owner, bytes)))
  assert.deepEqual([...new Set(statuses.map(({ status }) => status))], [200])
  const rows = await db.selectFrom('lfs_objects').select('id').where('oid', '=', oid).execute()
  assert.equal(rows.length, 1)
  const { project, owner } = await scene.project()
  assert.equal((await send('GET', at(project, `gitlab-lfs/objects/${oid}`), basic(owner))).status, 404)
  await copyLfsObjects(db, (places[0] as { project: SceneProject }).project.id, project.id)
  assert.equal((await send('GET', at(project, `gitlab-lfs/objects/${oid}`), basic(owner))).status, 200)
  assert.equal(await storedSize(project, owner), 1_000)
})

test('an object without a project is deleted', async () => {
  const [kept, gone] = await Promise.all([1, 2].map(() => scene.project()))
  for (const place of [kept!, gone!]) await upload(place.project, place.owner, Buffer.from(place.project.path))
  await gone!.owner.delete(gone!.project.url)
  const oids = [kept!, gone!].map(({ project }) => pointerOf(Buffer.from(project.path)).oid)
  // The row of a deleted project can stay until the worker processes it.
  await db.deleteFrom('projects').where('id', '=', gone!.project.id).execute()
  await dropUnusedLfsObjects({ ...scene.deps, now: () => new Date(Date.now() + 2 * 3_600_000) })
  const left = await db.selectFrom('lfs_objects').select('oid').where('oid', 'in', oids).execute()
  assert.deepEqual(left, [{ oid: oids[0] }])
})

test('users who may fetch may download, users who may push may upload; anonymous callers are asked to sign in', async () => {
  const { project, owner, reporter, developer } = await scene.project({ members: ['reporter', 'developer'] })
  const outsider = await scene.user()
  const bytes = randomBytes(100)
  const pointer = pointerOf(bytes)
  await upload(project, owner, bytes)
  const status = async (operation: string, person?: Person) => (await batch(project, operation, [pointer], person && basic(person))).status
  const table = await Promise.all(
    [developer, reporter, outsider, undefined].map(person => Promise.all([status('download', person), status('upload', person)])),
  )
  assert.deepEqual(table, [
    [200, 200],
    [200, 403],
    [404, 404],
    [401, 401],
  ])
  const refused = await batch(project, 'download', [pointer])
  assert.deepEqual([refused.headers.has('lfs-authenticate'), typeof refused.json.message], [true, 'string'])
  assert.equal((await upload(project, reporter, bytes)).status, 403)

  const open = await scene.project({ visibility: 'public' })
  await upload(open.project, open.owner, bytes)
  const answer = await batch(open.project, 'download', [pointer])
  assert.deepEqual(answer.json.objects[0].actions.download, { href: at(open.project, `gitlab-lfs/objects/${pointer.oid}`) })
  assert.equal((await batch(open.project, 'upload', [pointer])).status, 401)
})

test('scopes: read_repository downloads, write_repository uploads, read_api does neither', async () => {
  const { project, owner } = await scene.project()
  const statuses: Record<string, number[]> = {}
  for (const scope of ['api', 'read_api', 'read_repository', 'write_repository'] as const) {
    const headers = basic(owner, await scene.token(owner, { scopes: [scope] }))
    statuses[scope] = [(await batch(project, 'download', [], headers)).status, (await batch(project, 'upload', [], headers)).status]
  }
  assert.deepEqual(statuses, { api: [200, 200], read_api: [403, 403], read_repository: [200, 403], write_repository: [200, 200] })
})

test('where LFS is switched off, or the project archived, it is refused (`lfs_enabled`, document 3)', async () => {
  const { project, owner } = await scene.project()
  const off = (await owner.put(project.url, { lfs_enabled: false })).body.lfs_enabled
  assert.equal(off, false)
  const refused = await batch(project, 'download', [], basic(owner))
  assert.deepEqual([refused.status, refused.json], [403, { message: 'Access forbidden. Check your access level.' }])
  assert.equal((await upload(project, owner, Buffer.from('x'))).status, 403)
  assert.equal((await send('GET', at(project, 'info/lfs/locks'), basic(owner))).status, 403)
  await owner.put(project.url, { lfs_enabled: true })
  await owner.post(`${project.url}/archive`)
  assert.equal((await batch(project, 'download', [], basic(owner))).status, 200)
  assert.equal((await batch(project, 'upload', [], basic(owner))).status, 403)
})

test('a group says whether its projects have LFS, and each may say otherwise (`lfs_enabled`, document 3 "Group")', async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group, owner })
  const ask = async () => (await batch(project, 'download', [], basic(owner))).status
  const shown = async () => (await owner.get(project.url)).body.lfs_enabled
  await owner.put(group.url, { lfs_enabled: false })
  assert.deepEqual([await ask(), await shown()], [403, false])
  assert.equal((await owner.post('/projects', { name: 'Comes later', namespace_id: group.id })).body.lfs_enabled, false)
  await owner.put(project.url, { lfs_enabled: true })
  assert.deepEqual([await ask(), await shown()], [200, true])
  await owner.put(group.url, { description: 'unchanged' })
  assert.equal(await ask(), 200)
  await owner.put(project.url, { lfs_enabled: false })
  await owner.put(group.url, { lfs_enabled: true })
  assert.deepEqual([await ask(), await shown()], [200, true])
})

test('an invalid batch is refused with 422', async () => {
  const { project, owner } = await scene.project()
  const wrong = [
    {},
    { operation: 'steal', objects: [] },
    { operation: 'upload', objects: [{ oid: '../x', size: 1 }] },
    { operation: 'upload' },
  ]
  for (const body of wrong) {
    const { status, json } = await send('POST', at(project, 'info/lfs/objects/batch'), basic(owner), body)
    assert.deepEqual([status, typeof json.message], [422, 'string'], JSON.stringify(body))
  }
})

test('a short-lived token grants its operation on the objects of one project until it expires', async () => {
  const { project, owner } = await scene.project()
  const other = await scene.project({ owner })
  const { id } = (
    await owner.post('/user/keys', {
      title: 'x',
      key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB8eHRwbGhkYFxYVFBMSERAPDg0MCwoJCAcGBQQDAgEA x',
    })
  ).body
  const actor = await currentActor(scene.deps.database.db, { kind: 'ssh_key', id }, new Date())
  assert.ok(actor)
  const tokenFor = (operation: 'download' | 'upload') =>
    lfsAuthentication(scene.deps, scene.url, actor, { id: project.id, full_path: project.full_path }, operation)
  const { href, header, expires_in } = tokenFor('download')
  assert.deepEqual([href, expires_in], [at(project, 'info/lfs'), LFS_TOKEN_LIFETIME])
  const headers = { authorization: header.Authorization }
  assert.equal((await batch(project, 'download', [], headers)).status, 200)
  assert.equal((await batch(project, 'upload', [], headers)).status, 403)
  assert.equal((await batch(other.project, 'download', [], headers)).status, 404)
  assert.equal((await batch(project, 'upload', [], { authorization: tokenFor('upload').header.Authorization })).status, 200)
  // Neither git itself nor the API accepts it.
  assert.equal((await send('GET', at(project, 'info/refs?service=git-upload-pack'), headers)).status, 401)
  await scene.root.post(`/users/${owner.id}/block`)
  assert.equal((await batch(project, 'download', [], headers)).status, 403)

  const { secrets } = scene.deps
  const now = new Date('2030-01-01T00:00:00Z')
  const until = now.getTime() / 1000 + LFS_TOKEN_LIFETIME
  const grant = { holder: { kind: 'ssh_key', id: 1 }, projectId: 2, operation: 'upload', until } as const
  const token = signLfsToken(secrets, grant)
  assert.deepEqual(readLfsToken(secrets, token, now), grant)
  assert.equal(readLfsToken(secrets, token, new Date(now.getTime() + LFS_TOKEN_LIFETIME * 1000)), undefined)
  assert.equal(readLfsToken(secrets, token.replace('.ssh_key.1.-.2.', '.ssh_key.1.-.3.'), now), undefined)
  assert.equal(readLfsToken(secrets, `${token}x`, now), undefined)
})

test('a short-lived token that was got with another one ends with it', async () => {
  const { project, owner } = await scene.project()
  const pointer = pointerOf(randomBytes(100))
  const means = async (headers: Record<string, string>) =>
    (await batch(project, 'upload', [pointer], headers)).json.objects[0].actions.upload
  scene.setTime('2031-01-01T10:00:00Z')
  const first = await means(basic(owner, await scene.token(owner, { scopes: ['write_repository'] })))
  scene.setTime('2031-01-01T11:59:00Z')
  const second = await means(first.header)
  scene.setTime('2031-01-01T12:00:01Z')
  const third = await batch(project, 'upload', [pointer], second.header)
  scene.setTime(undefined)
  assert.deepEqual([first.expires_in, second.expires_in, third.status], [LFS_TOKEN_LIFETIME, 60, 401])
})

test('a short-lived token expires with the credential that it was made for', async () => {
  const { project, owner } = await scene.project()
  const person = await scene.user({ password: 'correct horse battery' })
  await owner.post(`${project.url}/members`, { user_id: person.id, access_level: 30 })
  const bytes = randomBytes(100)
  const pointer = pointerOf(bytes)
  /** The upload header that a client gets after it has signed in like this. */
  const headerAfter = async (headers: Record<string, string>) => {
    const { status, json } = await batch(project, 'upload', [pointer], headers)
    assert.equal(status, 200)
    return json.objects[0].actions.upload.header as Record<string, string>
  }
  const statuses = async (header: Record<string, string>) => [
    (await batch(project, 'download', [], header)).status,
    (await send('PUT', at(project, `gitlab-lfs/objects/${pointer.oid}/${pointer.size}`), header, randomBytes(100))).status,
  ]
  const [open, ended] = [
    [200, 422],
    [401, 401],
  ]

  const token = (await scene.root.post(`/users/${person.id}/personal_access_tokens`, { name: 'x', scopes: ['write_repository'] })).body
  const byToken = await headerAfter(basic(person, token.token))
  assert.deepEqual(await statuses(byToken), open)
  await scene.root.delete(`/personal_access_tokens/${token.id}`)
  assert.deepEqual(await statuses(byToken), ended)

  const expiring = (
    await scene.root.post(`/users/${person.id}/personal_access_tokens`, {
      name: 'x',
      scopes: ['write_repository'],
      expires_at: '2031-01-02',
    })
  ).body
  scene.setTime('2031-01-01T23:30:00Z')
  const untilMidnight = await headerAfter(basic(person, expiring.token))
  assert.deepEqual(await statuses(untilMidnight), open)
  scene.setTime('2031-01-02T00:30:00Z')
  assert.deepEqual(await statuses(untilMidnight), ended)
  scene.setTime(undefined)

  const byPassword = await headerAfter(basic(person, 'correct horse battery'))
  assert.deepEqual(await statuses(byPassword), open)
  await scene.root.put('/application/settings', { password_authentication_enabled_for_git: false })
  assert.deepEqual(await statuses(byPassword), ended, 'git takes no passwords any more')
  await scene.root.put('/application/settings', { password_authentication_enabled_for_git: true })
  assert.deepEqual(await statuses(byPassword), open)
  await scene.root.put(`/users/${person.id}`, { password: 'another battery horse' })
  assert.deepEqual(await statuses(byPassword), ended)

  const reading = await scene.token(person, { scopes: ['read_repository'] })
  assert.equal((await batch(project, 'upload', [pointer], basic(person, reading))).status, 403)
  const byReader = signLfsToken(scene.deps.secrets, {
    holder: { kind: 'personal_access_token', id: await tokenId(reading) },
    projectId: project.id,
    operation: 'upload',
    until: Math.ceil(Date.now() / 1000) + 60,
  })
  assert.deepEqual(await statuses(basic(person, byReader)), [200, 403], 'the scopes of the credential hold for the token too')
})

const tokenId = async (token: string): Promise<number> =>
  (await db.selectFrom('personal_access_tokens').select('id').where('digest', '=', digestOf(token)).executeTakeFirstOrThrow()).id

test('the batch API asks for credentials first, then says what is not to be had, and then what is wrong with the request', async () => {
  const { project, developer } = await scene.project({ members: ['developer'] })
  const outsider = await scene.user()
  const url = at(project, 'info/lfs/objects/batch')
  const bodies = [{}, { operation: 'take', objects: [] }, Buffer.from('{"operation":')]
  const ask = (headers: Record<string, string>, body: object | Buffer) =>
    send('POST', url, { 'content-type': 'application/vnd.git-lfs+json', ...headers }, body)

  for (const body of bodies) {
    const unknown = await ask({}, body)
    assert.deepEqual([unknown.status, unknown.headers.get('www-authenticate')], [401, 'Basic realm="Ingot"'])
    assert.equal((await ask(basic(outsider), body)).status, 404)
    assert.equal((await ask(basic(developer), body)).status, 422)
  }
  const absent = await send('POST', `${scene.url}/no/such.git/info/lfs/objects/batch`, {}, {})
  assert.equal(absent.status, 401)
  await scene.root.put(project.url, { lfs_enabled: false })
  assert.equal((await ask(basic(developer), {})).status, 403)
})

test('a body that fails in the middle of an upload, and goes on coming, harms nobody else', async () => {
  const { project, owner } = await scene.project()
  const { oid } = pointerOf(Buffer.from('x'))
  const { hostname: host, port } = new URL(scene.url)
  const socket = connect(Number(port), host)
  socket.resume().on('error', () => {})
  const gone = new Promise(resolve => socket.once('close', resolve))
  const address = new URL(at(project, `gitlab-lfs/objects/${oid}/1`)).pathname
  const head = [`PUT ${address} HTTP/1.1`, `host: ${host}`, `authorization: ${basic(owner).authorization}`, 'transfer-encoding: chunked']
  socket.write(`${head.join('\r\n')}\r\n\r\n1\r\nx\r\n`)
  // More than was announced fails the upload, and the body has no end yet.
  socket.write(`40000\r\n${'y'.repeat(0x4_00_00)}\r\n`)

  // The pace of bodies is looked at every second. What is not read any more ends the connection.
  await delay(2_500)
  await gone

  assert.equal((await owner.get(project.url)).status, 200)
})
