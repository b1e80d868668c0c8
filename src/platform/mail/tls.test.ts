/** Mails on their way to the server: TLS where it must be, and never a password or a mail to who is not the server. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { atEnd } from '../../../test/at_end.ts'
import { authority, certificate, key } from '../../../test/certificates.ts'
import { parseSmtpUrl } from './addresses.ts'
import { transportTo } from './send.ts'

const sender = { name: 'Ingot', address: 'ingot@example.com' }

/** What a server has seen. */
interface Seen {
  readonly passwords: string[]
  readonly mails: { readonly isSecure: boolean }[]
}

/** Starts a server, and answers its port and what it sees. */
async function serving(options: SMTPServerOptions, host = '127.0.0.1'): Promise<Seen & { readonly port: number }> {
  const seen: Seen = { passwords: [], mails: [] }
  const server: SMTPServer = new SMTPServer({
    key,
    cert: certificate,
    authOptional: true,
    // It asks for passwords in the clear: not to send one there is up to the client.
    allowInsecureAuth: true,
    logger: false,
    ...options,
    onAuth({ password }, _session, done) {
      seen.passwords.push(password ?? '')
      done(null, { user: 'ingot' })
    },
    onData(stream, session, done) {
      stream.resume()
      stream.on('end', () => {
        seen.mails.push({ isSecure: session.secure })
        done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(0, host, resolve))
  atEnd(() => new Promise<void>(resolve => server.close(() => resolve())))
  return { port: (server.server.address() as { port: number }).port, ...seen }
}

/** Sends a mail as the address says. */
async function sendBy(address: string): Promise<void> {
  const server = parseSmtpUrl(address)
  assert.ok(server, address)
  const transport = transportTo(server, sender)
  try {
    await transport.sendMail({ from: sender, to: 'ida@example.com', subject: 'A lamp', text: 'It is lit' })
  } finally {
    transport.close()
  }
}

/** Runs while the authority of the tests is trusted, as `NODE_EXTRA_CA_CERTS` would have it. */
async function trusting<T>(work: () => Promise<T>): Promise<T> {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, authority])
  try {
    return await work()
  } finally {
    setDefaultCACertificates(before)
  }
}

test('STARTTLS is used where the server offers it, also without being required', async () => {
  const server = await serving({})
  await trusting(() => sendBy(`smtp://ingot:secret@localhost:${server.port}`))
  await trusting(() => sendBy(`smtp://localhost:${server.port}?starttls=required`))
  assert.deepEqual([server.passwords, server.mails], [['secret'], [{ isSecure: true }, { isSecure: true }]])
})

test('TLS from the beginning carries mail and password', async () => {
  const server = await serving({ secure: true })
  await trusting(() => sendBy(`smtps://ingot:secret@localhost:${server.port}`))
  assert.deepEqual([server.passwords, server.mails], [['secret'], [{ isSecure: true }]])
})

test('a server whose certificate nobody vouches for gets neither a password nor a mail', async () => {
  const [starting, secure] = [await serving({}), await serving({ secure: true })]
  for (const login of ['', 'ingot:secret@']) {
    await assert.rejects(sendBy(`smtp://${login}localhost:${starting.port}`), /certificate/)
    await assert.rejects(sendBy(`smtps://${login}localhost:${secure.port}`), /certificate/)
  }
  for (const { passwords, mails } of [starting, secure]) assert.deepEqual([passwords, mails], [[], []])
})

test('a certificate of another host is refused', async () => {
  const [starting, secure] = [await serving({}, '127.0.0.2'), await serving({ secure: true }, '127.0.0.2')]
  await trusting(async () => {
    for (const address of [`smtp://ingot:secret@127.0.0.2:${starting.port}`, `smtps://ingot:secret@127.0.0.2:${secure.port}`])
      await assert.rejects(sendBy(address), /altnames/)
  })
  for (const { passwords, mails } of [starting, secure]) assert.deepEqual([passwords, mails], [[], []])
})

test('a server that offers no TLS gets no mail where TLS is required, and no password over a network', async () => {
  const server = await serving({ disabledCommands: ['STARTTLS'] })
  await assert.rejects(sendBy(`smtp://localhost:${server.port}?starttls=required`), { code: 'ETLS' })
  await assert.rejects(sendBy(`smtp://ingot:secret@localhost:${server.port}?starttls=required`), { code: 'ETLS' })
  await assert.rejects(sendBy(`smtps://ingot:secret@localhost:${server.port}`))
  assert.deepEqual([server.passwords, server.mails], [[], []])

  const away = transportTo({ ...parseSmtpUrl('smtp://ingot:secret@mail.example.com')!, port: server.port }, sender)
  assert.equal((away.options as { requireTLS?: boolean }).requireTLS, true)
  away.close()
})

test('without a requirement, a server without TLS gets the mail: it is there for relays within a network', async () => {
  const server = await serving({ disabledCommands: ['STARTTLS', 'AUTH'] })
  await sendBy(`smtp://localhost:${server.port}`)
  assert.deepEqual(server.mails, [{ isSecure: false }])
})

test('addresses say whether STARTTLS is required, and nothing else', () => {
  assert.equal(parseSmtpUrl('smtp://mail.example.com?starttls=required')?.requiresTls, true)
  assert.equal(parseSmtpUrl('smtp://mail.example.com')?.requiresTls, false)
  for (const wrong of ['?starttls=optional', '?starttls', '?tls=off', '?starttls=required&x=1'])
    assert.equal(parseSmtpUrl(`smtp://mail.example.com${wrong}`), undefined, wrong)
  assert.equal(parseSmtpUrl('smtps://mail.example.com?starttls=required'), undefined)
})
