/** What the relay to another server lets through. */
import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { withSmartRelay } from './smart_relay.ts'

const seen: { readonly line: string; readonly headers: IncomingHttpHeaders }[] = []
let type = 'application/x-git-upload-pack-advertisement'
const server = createServer((request, response) => {
  seen.push({ line: `${request.method} ${request.url}`, headers: request.headers })
  request.resume()
  response.writeHead(200, { 'content-type': type, 'set-cookie': 'a=b' }).end('0000')
})
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
after(() => server.close())
const { port } = server.address() as AddressInfo
const destination = { url: new URL(`http://git.invalid:${port}/a/b.git`), address: '127.0.0.1', port, authorization: 'Basic c2VjcmV0' }

/** Sends a request to the relay; the status of its answer, and its headers. */
const ask = (url: URL, method: string, path: string, authorization: string | undefined) =>
  new Promise<{ readonly status: number | undefined; readonly headers: IncomingHttpHeaders }>((resolve, reject) => {
    const headers = { 'x-own': 'x', ...(authorization && { authorization }) }
    send(new URL(path, url), { method, headers, agent: false }, response => {
      response.resume()
      resolve({ status: response.statusCode, headers: response.headers })
    })
      .on('error', reject)
      .end()
  })

test('only the requests of the smart protocol pass, from git alone, with the credentials of the remote', () =>
  withSmartRelay(destination, async ({ remote, isDumb }) => {
    const own = `Basic ${Buffer.from(`${remote.credentials.username}:${remote.credentials.password.reveal()}`).toString('base64')}`
    const advertised = await ask(remote.url, 'GET', '/info/refs?service=git-upload-pack', own)
    assert.deepEqual([advertised.status, advertised.headers['set-cookie'], isDumb()], [200, undefined, false])
    assert.equal((await ask(remote.url, 'POST', '/git-upload-pack', own)).status, 200)
    assert.deepEqual(
      seen.map(({ line, headers }) => [line, headers.host, headers.authorization, headers['x-own']]),
      ['GET /a/b.git/info/refs?service=git-upload-pack', 'POST /a/b.git/git-upload-pack'].map(line => [
        line,
        `git.invalid:${port}`,
        'Basic c2VjcmV0',
        undefined,
      ]),
    )

    const before = seen.length
    for (const [method, path] of [
      ['GET', '/info/refs'],
      ['GET', '/HEAD'],
      ['GET', '/objects/info/packs'],
      ['GET', '/info/refs?service=git-receive-pack'],
      ['POST', '/git-receive-pack'],
    ] as const)
      assert.equal((await ask(remote.url, method, path, own)).status, 404, `${method} ${path}`)
    for (const other of [undefined, 'Basic cmVsYXk6'])
      assert.equal((await ask(remote.url, 'GET', '/info/refs?service=git-upload-pack', other)).status, 404)
    assert.equal(seen.length, before)
  }))

test('an answer of another media type does not pass', () =>
  withSmartRelay(destination, async ({ remote, isDumb }) => {
    const own = `Basic ${Buffer.from(`relay:${remote.credentials.password.reveal()}`).toString('base64')}`
    type = 'text/plain'
    assert.equal((await ask(remote.url, 'GET', '/info/refs?service=git-upload-pack', own)).status, 502)
    assert.equal(isDumb(), true)
  }))
