/** Issue 3: hooks are delivered with timeouts; certificates are checked by the name in the address unless that is switched off. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { test } from 'node:test'
import { atEnd } from '../../../test/at_end.ts'
import { OutboundFailed, type Posting, post } from './post.ts'

const posting: Posting = { headers: {}, body: '{}', verify: true, timeout: 10_000, limit: 100 }

/** Listens on this machine and returns where. */
async function open(server: Server & { closeAllConnections(): void }) {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  atEnd(
    () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const { port } = server.address() as AddressInfo
  return { host: 'hooks.test', port, address: '127.0.0.1', family: 4 } as const
}

test('who never answers is given up', async () => {
  const destination = await open(createServer(() => {}))

  await assert.rejects(
    post(new URL('http://hooks.test/'), destination, { ...posting, timeout: 50 }),
    new OutboundFailed('No answer within 0.05 seconds'),
  )
})

test('who never ends an answer is given up too', async () => {
  const destination = await open(createServer((_request, response) => void response.write('a')))

  await assert.rejects(
    post(new URL('http://hooks.test/'), destination, { ...posting, timeout: 200 }),
    new OutboundFailed('No answer within 0.2 seconds'),
  )
})

// Of nobody: signed by itself, for the name hooks.test, until 2126.
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgNom/9YU3R8/Shssz
sM/pfUwtL90lZs/kRtHwd7H0/q6hRANCAAQrZS+lh4cj+CTEvAIQDeERjx5GV2pN
yIPwGlpMvPIb2ZnBimPEsjBdPg6oLGGEhzAEW3lFBwzXTaNg/b2qye43
-----END PRIVATE KEY-----`
const cert = `-----BEGIN CERTIFICATE-----
MIIBmDCCAT6gAwIBAgIURRhdDt9UsN8HoOGr7utL7BT4R9gwCgYIKoZIzj0EAwIw
FTETMBEGA1UEAwwKaG9va3MudGVzdDAgFw0yNjExMjAyMjQ5NTdaGA8yMTI2MTAy
NzIyNDk1N1owFTETMBEGA1UEAwwKaG9va3MudGVzdDBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABCtlL6WHhyP4JMS8AhAN4RGPHkZXak3Ig/AaWky88hvZmcGKY8Sy
MF0+DqgsYYSHMARbeUUHDNdNo2D9varJ7jejajBoMB0GA1UdDgQWBBTAL+oC0GZC
6GLZEKIbXNjD6Wjk7DAfBgNVHSMEGDAWgBTAL+oC0GZC6GLZEKIbXNjD6Wjk7DAP
BgNVHRMBAf8EBTADAQH/MBUGA1UdEQQOMAyCCmhvb2tzLnRlc3QwCgYIKoZIzj0E
AwIDSAAwRQIgKo1BYd8JAb+Mm8PWy5yZtLpgXr9I/FglB9kvnZfqUT4CIQDHlS7u
mwu8XuQMZI55qyuyjtfuQWrZZ3iNMyOUhuVKbg==
-----END CERTIFICATE-----`

test('a certificate that nobody vouches for is not trusted, unless that is wanted', async () => {
  const names: string[] = []
  const server = createSecureServer({ key, cert }, (_request, response) => void response.end('done'))
  server.on('secureConnection', socket => names.push(socket.servername as string))
  const destination = await open(server)
  const url = new URL('https://hooks.test/')

  await assert.rejects(
    post(url, destination, posting),
    (error: Error) => error instanceof OutboundFailed && /self-signed/.test(error.message),
  )
  const { status, body } = await post(url, destination, { ...posting, verify: false })

  assert.deepEqual([status, body], [200, 'done'])
  // The connection goes to an address; the name is said all the same.
  assert.equal(names.at(-1), 'hooks.test')
})
