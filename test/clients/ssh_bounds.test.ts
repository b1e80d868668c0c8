/** What one client may take of the SSH server: time, commands and connections. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import ssh2, { type Client, type ClientChannel } from 'ssh2'
import { type SshOptions, startSshServer } from '../../src/code/ssh/server.ts'
import { flushPkt, pktLine, zeroId } from '../../src/platform/git/index.ts'
import { gitLimits, type WorkLimits, WorkSlots } from '../../src/platform/kernel/request/bounds/work_slots.ts'
import { RateLimiter } from '../../src/platform/kernel/request/rate_limit.ts'
import { atEnd } from '../at_end.ts'
import { eventually } from '../eventually.ts'
import { emptyPack } from '../raw_push.ts'
import { openSsh } from './ssh_scene.ts'

const { hostKey, scene, newPair, keyOf, pushedProject, tipOf } = await openSsh({ connectionsPerAddress: '1000' })

/** Another server before the same instance. */
async function started(options: Partial<SshOptions> = {}, stallTimeout = 1, slots: Partial<WorkLimits> = {}): Promise<number> {
  const limiter = new RateLimiter(undefined, { git: new WorkSlots({ ...gitLimits, ...slots }) })
  const deps = { ...scene.deps, limiter, config: { ...scene.deps.config, stallTimeout } }
  const server = await startSshServer(deps, { hostKey, host: '127.0.0.1', url: scene.url, port: 0, ...options })
  atEnd(() => server.stop(0))
  return server.port
}

async function connection(file: string, port: number): Promise<Client> {
  const client = new ssh2.Client()
  client.on('error', () => {})
  client.connect({ host: '127.0.0.1', port, username: 'git', privateKey: await readFile(file) })
  await once(client, 'ready')
  atEnd(async () => void client.destroy())
  return client
}

/** A command whose client goes on as it likes. */
interface Running {
  readonly channel: ClientChannel
  readonly output: () => string
  readonly errors: () => string
  /** The exit code. */
  readonly ended: Promise<number>
}

async function run(client: Client, line: string): Promise<Running> {
  const channel = await new Promise<ClientChannel>((resolve, reject) => {
    client.exec(line, (error, opened) => (error ? reject(error) : resolve(opened)))
  })
  const [output, errors]: [Buffer[], Buffer[]] = [[], []]
  channel.on('data', (chunk: Buffer) => output.push(chunk))
  channel.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
  const ended = Promise.withResolvers<number>()
  channel.on('exit', ended.resolve)
  const text = (chunks: Buffer[]) => Buffer.concat(chunks).toString('latin1')
  return { channel, output: () => text(output), errors: () => text(errors), ended: ended.promise }
}

test('a client that sends nothing is waited for as long as for the body of a request, by every command', async () => {
  const { project, owner } = await pushedProject()
  const client = await connection(await keyOf(owner), await started())
  const began = performance.now()
  const commands = await Promise.all(
    ['git-upload-pack', 'git-receive-pack', 'git-upload-archive'].map(name => run(client, `${name} '${project.full_path}'`)),
  )

  const codes = await Promise.all(commands.map(({ ended }) => ended))

  const took = performance.now() - began
  assert.ok(took > 900 && took < 15_000, `${took} ms`)
  assert.deepEqual(codes, [1, 1, 1])
  for (const { errors } of commands) assert.match(errors(), /^ERROR: Nothing was sent or read for 1 seconds\.\n$/)
})

test('a client that drips bytes runs out of patience, and what it began to push moves nothing', async () => {
  const { project, owner } = await pushedProject()
  const client = await connection(await keyOf(owner), await started())
  const { channel, ended } = await run(client, `git-receive-pack '${project.full_path}'`)
  const head = pktLine(`${zeroId} ${await tipOf(project)} refs/heads/slow\0report-status`)
  let isOver = false
  void ended.then(() => {
    isOver = true
  })

  for (const byte of head) {
    if (isOver) break
    channel.write(Buffer.from([byte]))
    await pause(100)
  }

  assert.equal(await ended, 1)
  assert.equal(await tipOf(project, 'slow'), undefined)
})

test('a client that has said what it will push may take its time to pack it', async () => {
  const { project, owner } = await pushedProject()
  const client = await connection(await keyOf(owner), await started())
  const { channel, output, errors, ended } = await run(client, `git-receive-pack '${project.full_path}'`)
  channel.write(Buffer.concat([pktLine(`${zeroId} ${await tipOf(project)} refs/heads/late\0report-status`), flushPkt]))
  await pause(4_000)

  channel.end(emptyPack)

  assert.equal(await ended, 0, errors())
  assert.match(output(), /ok refs\/heads\/late/)
})

test('a user has so many commands at a time, over all connections and deploy keys, and another user has their own', async () => {
  const { project, owner, maintainer } = await pushedProject({ members: ['maintainer'] })
  const [file, own, other] = [await keyOf(owner), await newPair(), await newPair()]
  await owner.post(`${project.url}/deploy_keys`, { title: 'Machine', key: own.key })
  await maintainer.post(`${project.url}/deploy_keys`, { title: 'Machine of another', key: other.key })
  const port = await started({}, 60, { perCaller: 2, waiting: 1, patience: 200 })
  const command = `git-upload-pack '${project.full_path}'`
  const open = async (key: string) => {
    const running = await run(await connection(key, port), command)
    await eventually(async () => running.output().endsWith('0000') || running.errors() !== '', 'the advertisement')
    return running
  }
  const [first, second] = [await open(file), await open(file)]

  const third = await open(file)
  assert.match(third.errors(), /^ERROR: Too many git commands run for you: 2 may at a time\. Wait until one has ended\.\n$/)
  assert.equal(await third.ended, 1)
  const fourth = await open(own.file)
  assert.match(fourth.errors(), /^ERROR: Too many git commands run for you/)
  const machine = await open(other.file)
  assert.match(machine.output(), /refs\/heads\/main/)

  first.channel.end(flushPkt)
  assert.equal(await first.ended, 0)
  const fifth = await open(own.file)
  assert.match(fifth.output(), /refs\/heads\/main/)
  for (const { channel } of [second, machine, fifth]) channel.end(flushPkt)
})

test('of the connections one network has a hundred, and leaves the others to all other networks', async () => {
  const port = await started()
  const sockets = new Map<Socket, string>()
  atEnd(async () => {
    for (const socket of sockets.keys()) socket.destroy()
  })
  const open = async (localAddress: string) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    sockets.set(socket, '')
    socket.on('error', () => {})
    socket.on('data', chunk => sockets.set(socket, sockets.get(socket) + chunk.toString('latin1')))
    await once(socket, 'connect')
    return socket
  }
  await Promise.all(Array.from({ length: 120 }, () => open('127.0.0.1')))
  const isOpen = (socket: Socket) => socket.readyState === 'open'

  await eventually(() => [...sockets.keys()].filter(isOpen).length === 100, 'the connections that are one too many to close')
  const elsewhere = await open('127.0.0.2')
  await eventually(() => /^SSH-2\.0-Ingot/.test(sockets.get(elsewhere) ?? ''), 'the greeting of another network')

  assert.equal([...sockets.keys()].filter(isOpen).length, 101)
})
