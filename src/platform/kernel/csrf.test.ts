import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { openScene } from '../../../test/scene.ts'
import { provenUser } from '../access/actor.ts'
import { encodedFor } from './answer/encoding.ts'
import { csrfToken, isCsrfToken } from './csrf.ts'
import { Secrets } from './secrets.ts'

const secrets = new Secrets(randomBytes(32))
const ofSession = (id: number) => provenUser({ id: 1 } as never, { kind: 'session', id, confirmedAt: 0 })

test('a token is the same on one page, another on each answer, and of its session alone', () => {
  const actor = ofSession(7)
  const [first, again, other] = [csrfToken(actor, secrets), csrfToken(actor, secrets), csrfToken(ofSession(7), secrets)]
  assert.equal(first, again)
  assert.notEqual(first?.slice(0, 43), other?.slice(0, 43))
  assert.notEqual(first?.slice(43), other?.slice(43))
  for (const token of [first, other]) assert.ok(isCsrfToken(secrets, '7', token as string))
  assert.ok(!isCsrfToken(secrets, '8', first as string))
  for (const wrong of ['', 'x', 'xxxx', secrets.sign('7', 'csrf'), `${first}x`, (first as string).slice(2)])
    assert.ok(!isCsrfToken(secrets, '7', wrong), wrong)
})

test('pages are sent compressed to clients that take it, and other answers are not', async () => {
  const scene = await openScene()
  const page = async (accept: string) => {
    const answer = await fetch(`${scene.url}/explore`, { headers: { 'accept-encoding': accept } })
    return { encoding: answer.headers.get('content-encoding'), vary: answer.headers.get('vary'), text: await answer.text() }
  }
  const [plain, small] = [await page('identity'), await page('br')]
  assert.deepEqual([plain.encoding, small.encoding, small.vary], [null, 'br', 'accept-encoding'])
  assert.equal((await page('gzip;q=1, br;q=0.1')).encoding, 'gzip')
  assert.match(small.text, /^<!doctype html>[\s\S]*<\/html>\n$/)
  const json = await fetch(`${scene.url}/api/v4/projects`, { headers: { 'accept-encoding': 'br' } })
  assert.equal(json.headers.get('content-encoding'), null)

  const text = Buffer.from('<p>light</p>'.repeat(1_000))
  assert.deepEqual(brotliDecompressSync((await encodedFor('br', text)).body), text)
  assert.deepEqual(gunzipSync((await encodedFor('gzip', text)).body), text)
  assert.equal((await encodedFor('br', text.subarray(0, 100))).body.length, 100)
})
