/** What becomes of an open SSH connection when its key, its user or their rights are taken away. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import ssh2, { type Client, type ClientChannel } from 'ssh2'
import { startSshServer } from '../../src/code/ssh/server.ts'
import { flushPkt, pktLine, zeroId } from '../../src/platform/git/index.ts'
import { atEnd } from '../at_end.ts'
import { eventually } from '../eventually.ts'
import { emptyPack } from '../raw_push.ts'
import { openScene } from '../scene.ts'
import { openSsh } from './ssh_scene.ts'

const { hostKey, scene, server, newPair, keyOf, pushedProject, tipOf, cloneWith, commit, attempt } = await openSsh()

/** A connection that stays open. */
async function connection(file: string, port = server.port): Promise<Client> {
  const client = new ssh2.Client()
  client.on('error', () => {})
  client.connect({ host: '127.0.0.1', port, username: 'git', privateKey: await readFile(file) })
  await once(client, 'ready')
  atEnd(async () => void client.destroy())
  return client
}

const open = (client: Client, line: string): Promise<ClientChannel> =>
  new Promise((resolve, reject) => client.exec(line, (error, channel) => (error ? reject(error) : resolve(channel))))

/** Runs a command; both of its outputs. */
async function exec(client: Client, line: string, input = ''): Promise<string> {
  const channel = await open(client, line)
  const chunks: Buffer[] = []
  channel.on('data', (chunk: Buffer) => chunks.push(chunk))
  channel.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
  channel.end(input)
  await once(channel, 'close')
  return Buffer.concat(chunks).toString('latin1')
}

test('each command on an open connection checks again the user, the key and their rights', async () => {
  const { project, owner } = await pushedProject()
  const file = await keyOf(owner)
  const client = await connection(file)
  const fetched = () => exec(client, `git-upload-pack '${project.full_path}'`, '0000')
  assert.match(await fetched(), /refs\/heads\/main/)

  await scene.root.post(`/users/${owner.id}/block`)
  assert.match(await fetched(), /^ERROR: Your account has been blocked\.\n$/)
  assert.match(await exec(client, `git-receive-pack '${project.full_path}'`, '0000'), /^ERROR: Your account has been blocked\.\n$/)
  assert.match(await exec(client, `git-lfs-authenticate ${project.full_path} download`), /^ERROR: Your account has been blocked\.\n$/)
  await scene.root.post(`/users/${owner.id}/unblock`)
  assert.match(await fetched(), /refs\/heads\/main/)

  const [{ id }] = (await owner.get('/user/keys')).body
  await owner.delete(`/user/keys/${id}`)
  assert.match(await fetched(), /^ERROR: Your key was removed, has expired/)
})

test('a key that expires and an administrator who is one no more lose what they could do on an open connection', async () => {
  const { project } = await pushedProject()
  const administrator = await scene.user()
  await scene.root.put(`/users/${administrator.id}`, { admin: true })
  const { file, key } = await newPair()
  await administrator.post('/user/keys', { title: 'x', key, expires_at: '2031-01-01T00:00:00Z' })
  const client = await connection(file)
  const fetched = () => exec(client, `git-upload-pack '${project.full_path}'`, '0000')
  assert.match(await fetched(), /refs\/heads\/main/)

  await scene.root.put(`/users/${administrator.id}`, { admin: false })
  assert.match(await fetched(), /could not be found/)
  scene.setTime('2031-01-01T00:00:01Z')
  assert.match(await fetched(), /was removed, has expired/)
  scene.setTime(undefined)
})

test('a key whose type the instance takes no more opens nothing on an open connection, and neither does its token of LFS', async () => {
  const { project, owner, maintainer } = await pushedProject({ members: ['maintainer'] })
  const { file, key } = await newPair()
  await maintainer.post(`${project.url}/deploy_keys`, { title: 'Machine', key, can_push: true })
  const clients = [await connection(await keyOf(owner)), await connection(file)]
  const batchWith = async (answer: string) => {
    const { href, header } = JSON.parse(answer)
    const headers = { authorization: header.Authorization, 'content-type': 'application/vnd.git-lfs+json' }
    return (await fetch(`${href}/objects/batch`, { method: 'POST', headers, body: JSON.stringify({ operation: 'upload', objects: [] }) }))
      .status
  }
  const tokens = await Promise.all(clients.map(client => exec(client, `git-lfs-authenticate ${project.full_path} upload`)))
  assert.deepEqual(await Promise.all(tokens.map(batchWith)), [200, 200])

  await scene.root.put('/application/settings', { ed25519_key_restriction: -1 })
  try {
    for (const client of clients)
      for (const line of [`git-upload-pack '${project.full_path}'`, `git-lfs-authenticate ${project.full_path} upload`])
        assert.match(await exec(client, line, '0000'), /is of a type that is not taken any more/)
    assert.deepEqual(await Promise.all(tokens.map(batchWith)), [401, 401])
  } finally {
    await scene.root.put('/application/settings', { ed25519_key_restriction: 0 })
  }
  for (const client of clients) assert.match(await exec(client, `git-upload-pack '${project.full_path}'`, '0000'), /refs\/heads\/main/)
})

test('a push whose commands come after a block, or after a role was taken away, moves nothing', async () => {
  const { project, developer, owner } = await pushedProject({ members: ['developer'] })
  const client = await connection(await keyOf(developer))
  const tip = await tipOf(project)
  const commands = Buffer.concat([pktLine(`${zeroId} ${tip} refs/heads/late\0report-status`), flushPkt, emptyPack])
  const pushLate = async (meanwhile: () => Promise<unknown>): Promise<string> => {
    const channel = await open(client, `git-receive-pack '${project.full_path}'`)
    const chunks: Buffer[] = []
    channel.on('data', (chunk: Buffer) => chunks.push(chunk))
    await eventually(async () => Buffer.concat(chunks).toString().endsWith('0000'), 'the advertisement')
    const before = Buffer.concat(chunks).length
    await meanwhile()
    channel.end(commands)
    await once(channel, 'close')
    return Buffer.concat(chunks).subarray(before).toString()
  }

  assert.match(
    await pushLate(() => scene.root.post(`/users/${developer.id}/block`)),
    /ng refs\/heads\/late Your account has been blocked\./,
  )
  await scene.root.post(`/users/${developer.id}/unblock`)
  const asReporter = await pushLate(() => owner.put(`${project.url}/members/${developer.id}`, { access_level: 20 }))
  assert.match(asReporter, /ng refs\/heads\/late You are not allowed to push code to this project\./)
  assert.equal(await tipOf(project, 'late'), undefined)
  await owner.put(`${project.url}/members/${developer.id}`, { access_level: 30 })
  assert.match(await pushLate(async () => {}), /ok refs\/heads\/late/)
})

test('a deploy key opens nothing while the account that added it is blocked', async () => {
  const { project, owner, maintainer } = await pushedProject({ members: ['maintainer'] })
  const { file, key } = await newPair()
  const { id } = (await maintainer.post(`${project.url}/deploy_keys`, { title: 'Machine', key, can_push: true })).body
  const client = await connection(file)
  const refusals = async () => [
    await exec(client, `git-upload-pack '${project.full_path}'`, '0000'),
    await exec(client, `git-receive-pack '${project.full_path}'`, '0000'),
    await exec(client, `git-lfs-authenticate ${project.full_path} upload`),
  ]
  const [fetched, pushed, lfs] = await refusals()
  assert.match(fetched ?? '', /refs\/heads\/main/)
  assert.match(pushed ?? '', /refs\/heads\/main/)
  const { href, header } = JSON.parse(lfs ?? '')
  const batch = async () =>
    (
      await fetch(`${href}/objects/batch`, {
        method: 'POST',
        headers: { authorization: header.Authorization, 'content-type': 'application/vnd.git-lfs+json' },
        body: JSON.stringify({ operation: 'upload', objects: [] }),
      })
    ).status
  assert.equal(await batch(), 200)

  await scene.root.post(`/users/${maintainer.id}/block`)
  for (const said of await refusals()) assert.match(said, /^ERROR: This deploy key is stopped: the user who enabled it is not active/)
  assert.equal(await batch(), 403)

  // It was stopped by the block, and the deletion of the account starts nothing.
  assert.equal((await owner.get(`${project.url}/deploy_keys/${id}`)).body.active, false)
  await scene.root.delete(`/users/${maintainer.id}`)
  for (const said of await refusals()) assert.match(said, /^ERROR: This deploy key is stopped/)
  assert.equal(await batch(), 403)

  const { body: enabled } = await owner.post(`${project.url}/deploy_keys/${id}/enable`)
  // Taken over for what was asked: to read.
  assert.deepEqual([enabled.active, enabled.can_push], [true, false])
  assert.equal((await owner.put(`${project.url}/deploy_keys/${id}`, { can_push: true })).body.can_push, true)
  for (const said of (await refusals()).slice(0, 2)) assert.match(said, /refs\/heads\/main/)
  assert.equal(await batch(), 200)
})

test('a deploy key acts in each project for its enabler there, within the role of that user', async () => {
  const { project, owner, maintainer } = await pushedProject({ members: ['maintainer'] })
  const { project: second, owner: other } = await pushedProject()
  await other.post(`${second.url}/members`, { user_id: maintainer.id, access_level: 40 })
  const { file, key } = await newPair()
  const { id } = (await maintainer.post(`${project.url}/deploy_keys`, { title: 'Machine', key, can_push: true })).body
  await maintainer.post(`${second.url}/deploy_keys/${id}/enable`)
  const client = await connection(file)
  const fetched = (path: string) => exec(client, `git-upload-pack '${path}'`, '0000')
  const pushes = (path: string) => exec(client, `git-receive-pack '${path}'`, '0000')
  const setLevel = (level: number) => owner.put(`${project.url}/members/${maintainer.id}`, { access_level: level })
  const stopped = /^ERROR: This deploy key is stopped/
  const refs = /refs\/heads\/main/

  assert.match(await pushes(project.full_path), refs)
  await setLevel(30)
  assert.match(await pushes(project.full_path), refs)
  await setLevel(20)
  assert.match(await pushes(project.full_path), stopped)
  await setLevel(40)
  assert.match(await pushes(`/${project.full_path.toUpperCase()}.git`), refs)

  // A membership that has ended is none, and so is one that was removed.
  const ends = (day: string | null) =>
    scene.deps.database.db.updateTable('members').set({ expires_at: day }).where('user_id', '=', maintainer.id).execute()
  await ends('2020-01-01')
  for (const path of [project.full_path, second.full_path]) assert.match(await fetched(path), stopped)
  await ends(null)
  await owner.delete(`${project.url}/members/${maintainer.id}`)
  assert.match(await fetched(project.full_path), stopped)
  assert.match(await pushes(`${project.full_path}.git/`), stopped)
  assert.match(await fetched(second.full_path), refs)

  // A key that the project does not have learns nothing of it.
  const { project: third } = await pushedProject()
  assert.match(await fetched(third.full_path), /could not be found/)
})

test('an administrator’s deploy keys stop with their rights, and a bot’s with the bot', async () => {
  const { project, owner } = await pushedProject()
  const admin = await scene.user({ admin: true })
  const [first, second] = [await newPair(), await newPair()]
  await admin.post(`${project.url}/deploy_keys`, { title: 'Of an administrator', key: first.key })
  const { body: token } = await owner.post(`${project.url}/access_tokens`, { name: 'bot', scopes: ['api'], access_level: 40 })
  const bot = scene.as({ 'private-token': token.token })
  assert.equal((await bot.post(`${project.url}/deploy_keys`, { title: 'Of a bot', key: second.key })).status, 201)
  const [ofAdmin, ofBot] = [await connection(first.file), await connection(second.file)]
  const fetched = (client: Client) => exec(client, `git-upload-pack '${project.full_path}'`, '0000')
  for (const client of [ofAdmin, ofBot]) assert.match(await fetched(client), /refs\/heads\/main/)

  await scene.root.put(`/users/${admin.id}`, { admin: false })
  await owner.delete(`${project.url}/access_tokens/${token.id}`)
  for (const client of [ofAdmin, ofBot]) assert.match(await fetched(client), /^ERROR: This deploy key is stopped/)
})

test('what a deploy key pushes counts as the user’s who let it push', async () => {
  const { project, owner, maintainer } = await pushedProject({ members: ['maintainer'] })
  const { file, key } = await newPair()
  const { id } = (await owner.post(`${project.url}/deploy_keys`, { title: 'Machine', key })).body
  await maintainer.put(`${project.url}/deploy_keys/${id}`, { can_push: true })
  const directory = await cloneWith(file, project)
  await commit(directory, { a: '1' })
  assert.equal((await attempt(file, directory, 'push', 'origin', 'HEAD:topic')).code, 0)
  const event = await scene.deps.database.db
    .selectFrom('events')
    .select('actor_id')
    .where('project_id', '=', project.id)
    .where('kind', '=', 'repository.pushed')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  assert.equal(event.actor_id, maintainer.id)
})

test('a connection takes no commands beyond its age, and ends when it is idle', async () => {
  const { project, owner } = await pushedProject()
  const file = await keyOf(owner)
  const started = async (bounds: { idle?: number; age?: number }) => {
    const second = await startSshServer(scene.deps, { hostKey, host: '127.0.0.1', url: scene.url, port: 0, bounds })
    atEnd(() => second.stop(0))
    return connection(file, second.port)
  }
  const idle = await started({ idle: 200 })
  assert.match(await exec(idle, 'shell-is-refused'), /Unknown command/)
  await once(idle, 'close')

  const old = await started({ age: 500 })
  const running = await open(old, `git-upload-pack '${project.full_path}'`)
  await eventually(async () => {
    const refused = await open(old, 'anything').then(
      channel => {
        channel.stderr.resume()
        channel.resume().end()
        return false
      },
      () => true,
    )
    return refused
  }, 'no more commands')
  const closed = once(old, 'close')
  running.end()
  running.resume()
  await closed
})

test('one address cannot take all connections: it has a number of them, and idle ones make room', async () => {
  const bounded = await openScene({ settings: { connectionsPerAddress: '5' } })
  const second = await startSshServer(bounded.deps, { hostKey, host: '127.0.0.1', url: bounded.url, port: 0 })
  atEnd(() => second.stop(0))
  const sockets: Socket[] = []
  const silent = async () => {
    const socket = connect(second.port, '127.0.0.1')
    socket.on('error', () => {})
    sockets.push(socket)
    await once(socket, 'connect')
    return socket
  }
  atEnd(async () => {
    for (const socket of sockets) socket.destroy()
  })
  for (let index = 0; index < 5; index++) await silent()
  const refused = await silent()
  refused.resume()
  await once(refused, 'close')
  assert.equal(sockets.slice(0, 5).filter(socket => socket.destroyed).length, 0)

  // Connections on which nothing happens are closed for one that comes later.
  await new Promise(resolve => setTimeout(resolve, 2_100))
  const person = await bounded.user()
  const file = await newPair()
  await person.post('/user/keys', { title: 'x', key: file.key })
  assert.match(await exec(await connection(file.file, second.port), 'anything'), /Unknown command/)
})

test('a push that is too large is refused over SSH as over HTTP', async t => {
  const { project, owner } = await pushedProject()
  const file = await keyOf(owner)
  const directory = await cloneWith(file, project)
  await commit(directory, { 'noise.bin': randomBytes(3 * 1024 * 1024) })
  await scene.root.put('/application/settings', { receive_max_input_size: 1 })
  t.after(() => scene.root.put('/application/settings', { receive_max_input_size: 0 }))
  const { code, stderr } = await attempt(file, directory, 'push', 'origin', 'HEAD:topic')
  assert.equal(code, 1)
  assert.match(stderr, /\(The push is larger than the 1 MB that it may have\.\)/)
  assert.equal(await tipOf(project, 'topic'), undefined)
})
