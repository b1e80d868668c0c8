import assert from 'node:assert/strict'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { git, importCommits, openScene } from '../scene.ts'
import { serveFetchSession } from './fetch-session.ts'
import { flushPkt, pktLine, splitPkts } from './pkt-line.ts'

const delimiter = Buffer.from('0001')
const protocol = 'version=2'

const references = Buffer.concat([pktLine('command=ls-refs\n'), delimiter, pktLine('ref-prefix refs/heads/\n'), flushPkt])

const pack = (id: string) =>
  Buffer.concat([pktLine('command=fetch'), delimiter, pktLine('no-progress'), pktLine(`want ${id}\n`), pktLine('done\n'), flushPkt])

/** The answers in what a session sent, the advertisement first: each ends with a flush. */
function answersIn(bytes: Buffer): string[] {
  const answers = ['']
  for (const pkt of splitPkts(bytes).pkts) {
    if (pkt.type === 'data') answers[answers.length - 1] += pkt.payload.toString('latin1')
    else if (pkt.type === 'flush') answers.push('')
  }
  return answers.slice(0, -1)
}

/** A session in which the client sends these chunks and ends. */
async function session(chunks: readonly Buffer[], again?: () => void) {
  const scene = await openScene()
  const repository = await scene.repository()
  const head = importCommits(repository, 'main', [{ files: { a: '1' } }])
  const response = new PassThrough()
  const output = buffer(response)
  let asked = 0
  const served = serveFetchSession(repository, {
    request: Readable.from(chunks.map(chunk => (chunk.length === 0 ? pack(head) : chunk))),
    response,
    protocol,
    async again() {
      asked += 1
      again?.()
      return repository
    },
  })
  const failure = await served.then(
    () => undefined,
    error => error,
  )
  if (failure) response.end()
  const answers = answersIn(await output)
  await scene[Symbol.asyncDispose]()
  return { head, answers, failure, asked: () => asked }
}

/** Stands for a request for the pack of `main`. */
const thePack = Buffer.alloc(0)

test('requests of version 2 are answered one after the other, and each but the first is asked about', async () => {
  const { head, answers, failure, asked } = await session([references, thePack, references])
  assert.equal(failure, undefined)
  assert.equal(asked(), 2)
  assert.match(answers[0] ?? '', /^version 2\n/)
  assert.equal(answers[1], `${head} refs/heads/main\n`)
  assert.match(answers[2] ?? '', /^packfile\n.PACK/)
  assert.equal(answers[3], answers[1])
  assert.equal(answers.length, 4)
})

test('requests in any pieces are the same, and a flush in the place of one ends the session', async () => {
  const bytes = Buffer.concat([references, references, flushPkt, references])
  const pieces = Array.from(bytes, byte => Buffer.from([byte]))
  for (const chunks of [[bytes], pieces]) {
    const { answers, failure, asked } = await session(chunks)
    assert.equal(failure, undefined)
    assert.deepEqual([answers.length, asked()], [3, 1])
  }
})

test('what refuses a request ends the session before it is answered', async () => {
  const { answers, failure } = await session([references, references], () => {
    throw new Error('not any more')
  })
  assert.equal(failure.message, 'not any more')
  assert.equal(answers.length, 2)
})

test('a request that git refuses, and bytes that are none, end the session', async () => {
  const unknown = pack('1'.repeat(40))
  const refused = await session([unknown, references])
  assert.deepEqual([refused.failure, refused.asked()], [undefined, 0])
  for (const bytes of ['hello', references.subarray(0, 2).toString(), references.subarray(0, 30).toString()]) {
    const { failure, answers } = await session([references, Buffer.from(bytes)])
    assert.equal(failure.kind, 'invalid', bytes)
    assert.equal(answers.length, 2)
  }
})

test('a request is judged when the answer before it was read, also where it was sent before', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const noise = Buffer.from(Array.from({ length: 1024 * 1024 }, (_, index) => (Math.imul(index, 2_654_435_761) >>> 13) & 255))
  const head = importCommits(repository, 'main', [{ files: { noise } }])
  const response = new PassThrough()
  let mayGoOn = true
  const served = serveFetchSession(repository, {
    request: Readable.from([pack(head), references]),
    response,
    protocol,
    async again() {
      if (!mayGoOn) throw new Error('not any more')
      return repository
    },
  }).finally(() => response.end())
  await new Promise(resolve => response.once('readable', resolve))
  mayGoOn = false
  const read = buffer(response)
  await assert.rejects(served, /not any more/)
  assert.equal(answersIn(await read).length, 2)
  assert.equal(git(repository, ['rev-parse', 'main']), head)
})
