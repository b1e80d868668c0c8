import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { readRefs } from '../objects/objects.ts'
import { zeroId } from '../objects/oid.ts'
import { allRefs } from '../refs/list.ts'
import type { RefMove } from '../refs/loose-refs.ts'
import { git, importCommits, openScene, type Scene } from '../scene.ts'
import type { Repository } from '../storage/repository.ts'
import { pktLine, splitPkts } from './pkt-line.ts'
import { receivePack } from './receive-pack.ts'
import { client, serve } from './smart-server.ts'
import { uploadPack, writeTo } from './upload-pack.ts'

async function workingCopy(scene: Scene, url: string, name = 'work'): Promise<string> {
  const { code, output } = await client(scene.directory, ['clone', '-q', url, name])
  assert.equal(code, 0, output)
  return join(scene.directory, name)
}

async function commitFile(work: string, name: string, content: string | Buffer = name): Promise<string> {
  await writeFile(join(work, name), content)
  await client(work, ['add', '-A'])
  await client(work, ['commit', '-qm', `Add ${name}`])
  return git(work, ['rev-parse', 'HEAD'])
}

for (const version of ['0', '1', '2']) {
  test(`clone, fetch, shallow and partial clone by protocol version ${version}`, async () => {
    await using scene = await openScene()
    const repository = await scene.repository()
    const head = importCommits(
      repository,
      'main',
      Array.from({ length: 30 }, (_, index) => ({ files: { f: `${index}`, [`g${index}`]: 'x' } })),
    )
    git(repository, ['tag', '-a', '-m', 'note', 'v1'])
    git(repository, ['update-ref', 'refs/keep-around/x', head])
    git(repository, ['update-ref', 'refs/merge-requests/1/head', head])
    await using server = await serve(repository)
    const run = (cwd: string, ...args: string[]) => client(cwd, ['-c', `protocol.version=${version}`, ...args])

    assert.deepEqual(await run(scene.directory, 'clone', '-q', server.url, 'full'), { code: 0, output: '' })
    const full = join(scene.directory, 'full')
    assert.equal(git(full, ['rev-parse', 'HEAD', 'v1^{commit}']), `${head}\n${head}`)
    const newer = importCommits(repository, 'main', [{ message: 'newer' }])
    assert.equal((await run(full, 'pull', '-q')).code, 0)
    assert.equal(git(full, ['rev-parse', 'HEAD']), newer)

    assert.equal((await run(scene.directory, 'clone', '-q', '--depth=3', server.url, 'shallow')).code, 0)
    const shallow = join(scene.directory, 'shallow')
    assert.equal(git(shallow, ['rev-list', '--count', 'HEAD']), '3')
    assert.equal((await run(shallow, 'fetch', '-q', '--unshallow')).code, 0)
    assert.equal(git(shallow, ['rev-list', '--count', 'HEAD']), '31')

    assert.equal((await run(scene.directory, 'clone', '-q', '--filter=blob:none', '--no-checkout', server.url, 'partial')).code, 0)
    assert.match(git(join(scene.directory, 'partial'), ['rev-list', '--objects', '--all', '--missing=print']), /^\?/m)

    const { output } = await run(scene.directory, 'ls-remote', server.url)
    assert.match(output, /refs\/merge-requests\/1\/head/)
    assert.doesNotMatch(output, /keep-around/)
    assert.deepEqual(server.errors, [])
  })
}

test('an empty repository is cloned and pushed to', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  await using server = await serve(repository)
  const work = await workingCopy(scene, server.url)
  const head = await commitFile(work, 'README.md')

  const { code, output } = await client(work, ['push', 'origin', 'HEAD:main', 'HEAD:refs/tags/v1', 'HEAD:refs/notes/x'])

  assert.equal(code, 0, output)
  assert.deepEqual(await readRefs(repository, ['refs/heads/main', 'refs/tags/v1', 'refs/notes/x']), [head, head, head])
  assert.equal(server.settled.length, 1)
  assert.deepEqual(server.settled[0]![0], { ref: 'refs/heads/main', old: zeroId, new: head, refusal: undefined })
})

test('a big push is streamed, with progress, and a probe before it changes nothing', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  await using server = await serve(repository)
  const work = await workingCopy(scene, server.url)
  const noise = Buffer.from(Array.from({ length: 3 * 1024 * 1024 }, (_, index) => (Math.imul(index, 2_654_435_761) >>> 13) & 255))
  const head = await commitFile(work, 'noise', noise)

  const { code, output } = await client(work, ['-c', 'http.postBuffer=65536', 'push', '--progress', 'origin', 'HEAD:main'])

  assert.equal(code, 0, output)
  assert.deepEqual(await readRefs(repository, ['refs/heads/main']), [head])
  assert.equal(server.settled.length, 1)
  assert.deepEqual(server.errors, [])
})

test('refused references never reach git, the allowed ones go through', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const recorded: RefMove[] = []
  await using server = await serve(repository, {
    authorize: async commands => commands.map(({ ref }) => (ref === 'refs/heads/main' ? 'You are not allowed to push to main' : undefined)),
    record: async moves => {
      recorded.push(...moves)
      assert.deepEqual(await allRefs(repository), new Map())
      return []
    },
  })
  const work = await workingCopy(scene, server.url)
  const head = await commitFile(work, 'a')
  const { code, output } = await client(work, ['push', 'origin', 'HEAD:main', 'HEAD:topic'])

  assert.equal(code, 1)
  assert.match(output, /! \[remote rejected\] HEAD -> main \(You are not allowed to push to main\)/)
  assert.match(output, /\* \[new branch\] {6}HEAD -> topic/)
  assert.deepEqual(await allRefs(repository), new Map([['refs/heads/topic', head]]))
  assert.deepEqual(
    recorded.map(({ ref }) => ref),
    ['refs/heads/topic'],
  )
  assert.deepEqual(server.settled, [[{ ref: 'refs/heads/topic', old: zeroId, new: head, refusal: undefined }]])
})

test('an atomic push with one refused reference changes nothing, and nothing is recorded', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  await using server = await serve(repository, {
    authorize: async commands => commands.map(({ ref }) => (ref === 'refs/heads/main' ? 'protected' : undefined)),
    record: async () => assert.fail('recorded'),
  })
  const work = await workingCopy(scene, server.url)
  await commitFile(work, 'a')

  const { code, output } = await client(work, ['push', '--atomic', 'origin', 'HEAD:main', 'HEAD:topic'])

  assert.equal(code, 1)
  assert.match(output, /main \(protected\)/)
  assert.match(output, /topic \(atomic push failure\)/)
  assert.deepEqual(await allRefs(repository), new Map())
})

test('deletions, push options, and a push of which only a deletion is allowed', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  importCommits(repository, 'main', [{}])
  for (const name of ['one', 'two']) git(repository, ['branch', name, 'main'])
  let seen: readonly string[] = []
  await using server = await serve(repository, {
    authorize: async (commands, { options }) => {
      seen = options
      return commands.map(command => (command.new === zeroId ? undefined : 'only deletions'))
    },
  })
  const work = await workingCopy(scene, server.url)
  await commitFile(work, 'a')

  assert.equal((await client(work, ['push', '-o', 'ci.skip', '-o', 'x=ü y', 'origin', ':one'])).code, 0)
  assert.deepEqual(seen, ['ci.skip', 'x=ü y'])
  assert.equal((await client(work, ['push', 'origin', ':two', 'HEAD:main'])).code, 1)
  assert.deepEqual([...(await allRefs(repository)).keys()], ['refs/heads/main'])
})

test("a reference that moved meanwhile, a hidden one, and one whose name is in use are refused in git's words", async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const base = importCommits(repository, 'main', [{}])
  let race = () => {}
  await using server = await serve(repository, {
    record: async () => {
      race()
      return []
    },
  })
  const work = await workingCopy(scene, server.url)
  await commitFile(work, 'a')
  const winner = importCommits(repository, 'other', [{ message: 'winner' }], base)

  race = () => git(repository, ['update-ref', 'refs/heads/main', winner])
  const moved = await client(work, ['push', 'origin', 'HEAD:main'])
  assert.match(moved.output, /! \[remote rejected\] HEAD -> main/)
  assert.deepEqual(await readRefs(repository, ['refs/heads/main']), [winner])
  race = () => {}
  assert.match((await client(work, ['push', 'origin', 'HEAD:refs/merge-requests/1/head'])).output, /deny updating a hidden ref/)
  assert.match((await client(work, ['push', 'origin', 'HEAD:refs/heads/other/below'])).output, /! \[remote rejected\]/)
  assert.match((await client(work, ['push', 'origin', 'HEAD:refs/heads/refs/heads/x'])).output, /funny refname/)
  const refused = server.settled.flat().map(({ refusal }) => refusal !== undefined)
  assert.deepEqual(refused, [true, true, true])
})

test('the client gets the report only when the consequences of the push are stored', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  let stored = false
  await using server = await serve(repository, {
    settled: async () => {
      await new Promise(resolve => setImmediate(resolve))
      stored = true
      throw new Error('the database is gone')
    },
  })
  const work = await workingCopy(scene, server.url)
  const head = await commitFile(work, 'a')

  const { code, output } = await client(work, ['push', 'origin', 'HEAD:main'])

  assert.ok(stored)
  assert.notEqual(code, 0)
  assert.match(output, /The push failed on the server/)
  assert.doesNotMatch(output, /database/)
  assert.deepEqual(await readRefs(repository, ['refs/heads/main']), [head])
  assert.equal(server.errors.length, 1)
})

test('a push that cannot be recorded changes nothing', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  await using server = await serve(repository, { record: () => Promise.reject(new Error('no')) })
  const work = await workingCopy(scene, server.url)
  await commitFile(work, 'a')
  assert.notEqual((await client(work, ['push', 'origin', 'HEAD:main'])).code, 0)
  assert.deepEqual(await allRefs(repository), new Map())
  assert.deepEqual(server.settled, [])
})

/** The bytes of a push of a new branch, with a hand-made pack. */
async function pushBytes(source: Repository, ref: string, head: string, capabilities: string): Promise<Buffer> {
  const pack = execFileSync('git', ['pack-objects', '--stdout', '--revs', '-q'], { cwd: source.path, input: `${head}\n` })
  return Buffer.concat([pktLine(`${zeroId} ${head} ${ref}\0${capabilities}`), Buffer.from('0000'), pack])
}

async function push(repository: Repository, bytes: Buffer | Readable) {
  const response = new PassThrough()
  const output = buffer(response)
  const results = await receivePack(repository, {
    request: Buffer.isBuffer(bytes) ? Readable.from([bytes], { objectMode: false }) : bytes,
    response,
    requestEnds: true,
    authorize: async commands => commands.map(() => undefined),
    record: async () => [],
    settled: async () => [],
  }).catch(error => error)
  return { results, output: (await output).toString('latin1') }
}

const clear = 'report-status side-band-64k'

test('a broken pack changes nothing, leaves nothing, and is reported to the client', async () => {
  await using scene = await openScene()
  const [source, target] = [await scene.repository(), await scene.repository()]
  const head = importCommits(source, 'main', [{ files: { a: Buffer.alloc(100_000, 'x') } }])
  const whole = await pushBytes(source, 'refs/heads/main', head, clear)
  const flipped = Buffer.from(whole)
  flipped[whole.length - 30]! ^= 0xff
  const breaksOff = Readable.from(
    (async function* () {
      yield whole.subarray(0, whole.length - 10)
      throw new Error('connection lost')
    })(),
    { objectMode: false },
  )

  for (const bytes of [flipped, whole.subarray(0, whole.length - 10), whole.subarray(0, whole.indexOf('PACK')), breaksOff]) {
    const { results, output } = await push(target, bytes)
    assert.match(output, /unpack (?!ok)/)
    assert.match(output, /ng refs\/heads\/main unpacker error/)
    assert.equal(results[0].refusal, 'unpacker error')
    assert.deepEqual(await allRefs(target), new Map())
    assert.deepEqual((await readdir(join(target.path, 'objects'))).sort(), ['info', 'pack'])
  }
  assert.equal((await push(target, whole)).results[0].refusal, undefined)
})

test('the report is sent with or without side band, or not at all, as requested', async () => {
  await using scene = await openScene()
  const [source, target] = [await scene.repository(), await scene.repository()]
  const head = importCommits(source, 'main', [{ files: { a: '1' } }])
  const outputs: string[] = []
  for (const [index, capabilities] of ['report-status', 'report-status-v2 side-band-64k', '', 'side-band-64k'].entries()) {
    const { results, output } = await push(target, await pushBytes(source, `refs/heads/b${index}`, head, capabilities))
    assert.equal(results[0].refusal, undefined)
    outputs.push(output)
  }
  assert.equal(outputs[0], '000eunpack ok\n0015ok refs/heads/b0\n0000')
  const [report, flush] = splitPkts(Buffer.from(outputs[1]!, 'latin1')).pkts
  assert.equal(report?.type === 'data' && report.payload.toString(), '\u0001000eunpack ok\n0015ok refs/heads/b1\n0000')
  assert.deepEqual(flush, { type: 'flush' })
  assert.equal(outputs[2], '')
  assert.equal(outputs[3], '0000')
})

test('a request that is not a push is refused with an error line', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const id = 'a'.repeat(40)
  const requests: readonly (readonly [string, string])[] = [
    ['nonsense', 'invalid'],
    [pktLine('hello').toString(), 'invalid'],
    [pktLine(`${id} ${id}`).toString(), 'invalid'],
    [pktLine(`${id} ${id} refs/heads/x\0object-format=sha256`).toString(), 'invalid'],
    [`${pktLine('push-cert\0x').toString()}0000`, 'invalid'],
  ]
  for (const [bytes, kind] of requests) {
    const { results, output } = await push(repository, Buffer.from(`${bytes}0000`))
    assert.equal(results.kind, kind, bytes)
    assert.match(output, /^[0-9a-f]{4}ERR /)
  }
  assert.deepEqual(await push(repository, Buffer.from('0000')), { results: [], output: '' })
})

test('a push with too many commands is refused before it fills the memory', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const line = pktLine(`${zeroId} ${'a'.repeat(40)} refs/heads/${'x'.repeat(60_000)}`)
  let sent = 0
  const long = Readable.from(
    (async function* () {
      for (; sent < 1000; sent += 1) yield line
    })(),
    { objectMode: false },
  )
  const { results, output } = await push(repository, long)
  assert.equal(results.kind, 'invalid')
  assert.match(output, /too many commands/)
  // The rest is read and dropped: a client that is still sending would not see the answer.
  assert.equal(sent, 1000)
})

test('over a channel that stays open, a push ends without the end of the request', async () => {
  await using scene = await openScene()
  const [source, target] = [await scene.repository(), await scene.repository()]
  const head = importCommits(source, 'main', [{ files: { a: '1' } }])
  for (const refusal of [undefined, 'no']) {
    const request = new PassThrough()
    request.write(await pushBytes(source, `refs/heads/${refusal ?? 'yes'}`, head, clear))
    const response = new PassThrough()
    const output = buffer(response)
    await receivePack(target, {
      request,
      response,
      requestEnds: false,
      authorize: async commands => commands.map(() => refusal),
      record: async () => [],
      settled: async () => [],
    })
    assert.match((await output).toString(), refusal === undefined ? /ok refs\/heads\/yes/ : /ng refs\/heads\/no no/)
  }
})

test('a fetch over a channel that stays open begins with the advertisement', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const head = importCommits(repository, 'main', [{}])
  const [request, response] = [new PassThrough(), new PassThrough()]
  const output = buffer(response)
  request.write(Buffer.concat([pktLine(`want ${head} no-progress\n`), Buffer.from('0000'), pktLine('done\n')]))
  await uploadPack(repository, { request, response, stateless: false })
  const text = (await output).toString('latin1')
  assert.match(text, new RegExp(`^[0-9a-f]{4}${head} HEAD`))
  assert.match(text, /NAK\nPACK/)
})

test('git is killed when the client of a fetch disconnects', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const noise = Buffer.from(Array.from({ length: 8 * 1024 * 1024 }, (_, index) => (Math.imul(index, 2_654_435_761) >>> 13) & 255))
  const head = importCommits(repository, 'main', [{ files: { noise } }])
  await using server = await serve(repository)
  const body = Buffer.concat([pktLine(`want ${head} ofs-delta\n`), Buffer.from('0000'), pktLine('done\n')])
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.write(`POST /project.git/git-upload-pack HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`)
  socket.write(body)
  await once(socket, 'data')
  socket.destroy()
  // The server notices, and its promise rejects only after git has ended.
  while (server.errors.length === 0) await new Promise(resolve => setImmediate(resolve))
})

test('writing waits for a slow reader, leaves no listeners, and ends when the reader disconnects', async () => {
  const stream = new PassThrough({ highWaterMark: 1 })
  const before = stream.listenerCount('close')
  const written = writeTo(stream, Buffer.from('slow'))
  stream.resume()
  assert.equal(await written, true)
  assert.equal(stream.listenerCount('close'), before)
  stream.pause()
  const lost = writeTo(stream, Buffer.from('lost'))
  stream.destroy()
  assert.equal(await lost, false)
  assert.equal(await writeTo(stream, Buffer.from('late')), false)
})
