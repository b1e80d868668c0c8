/** People of a real directory: who is proven, and what cannot be asked of it. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import net from 'node:net'
import { test } from 'node:test'
import { atEnd } from '../../../test/at_end.ts'
import { Secret } from '../../platform/secret.ts'
import { DirectoryUnavailable } from './connection.ts'
import { normalizedDn } from './dn.ts'
import { LdapOptionsInvalid } from './filter.ts'
import { peopleByDn, personByPassword } from './people.ts'
import { base, directorySkip, openDirectory, passwordOf, personDn, reader } from './scene.ts'
import { type LdapOptions, type LdapServer, ldapServer } from './server.ts'

const read = (path: string) => readFileSync(path, 'utf8')
const skip = await directorySkip()

const directory = skip ? (undefined as never) : await openDirectory()
const serverWith = (options: Record<string, unknown> = {}): LdapServer => {
  const { password, ...given } = { ...directory.settings, ...options } as Omit<LdapOptions, 'password'> & { password?: string }
  return ldapServer('ldapmain', { ...given, ...(password === undefined ? {} : { password: new Secret(password) }) }, read)
}
const server = skip ? (undefined as never) : serverWith()
if (!skip) {
  await directory.add({ uid: 'ida', cn: 'Ida Example', mail: 'ida@example.com' })
  await directory.add({ uid: 'otto' })
  await directory.add({ uid: 'nopassword', password: '' })
  await directory.group('developers', ['ida', 'otto'])
  await directory.group('owners', ['ida'], 'groupOfUniqueNames')
  await directory.group('staff', ['ida'], 'posixGroup')
  await directory.group('others', ['otto'])
}

test('a person is proven by their password, and described with their groups', { skip }, async () => {
  const person = await personByPassword(server, 'ida', passwordOf('ida'))
  assert.deepEqual(
    { ...person, groups: [...(person?.groups ?? [])].sort() },
    {
      uid: 'uid=ida,ou=people,dc=example,dc=com',
      username: 'ida',
      name: 'Ida Example',
      email: 'ida@example.com',
      groups: ['developers', 'owners', 'staff'],
      filters: [],
    },
  )
})

test('a wrong password, an unknown name, an entry without a password and an empty password prove nobody', { skip }, async () => {
  for (const [login, password] of [
    ['ida', 'wrong'],
    ['ida', passwordOf('otto')],
    ['nobody', passwordOf('ida')],
    ['nopassword', 'anything'],
    ['nopassword', ''],
    ['ida', ''],
    ['', passwordOf('ida')],
    ['', ''],
  ] as const)
    assert.equal(await personByPassword(server, login, password), undefined, JSON.stringify([login, password]))
})

test('a name counts as it is written, but for small and capital letters: each other way would have wrong passwords of its own', {
  skip,
}, async () => {
  for (const login of ['\uff49da', 'i\u00adda', 'i  da', '\u0131da'])
    assert.equal(await personByPassword(server, login, passwordOf('ida')), undefined, JSON.stringify(login))
  assert.equal((await personByPassword(server, 'IdA', passwordOf('ida')))?.username, 'ida')
})

test('no name is a filter', { skip }, async () => {
  for (const login of [
    '*',
    'id*',
    '*)(uid=*',
    'ida)(|(uid=*',
    '*)(&',
    'ida))(|(objectClass=*',
    'ida\0',
    '\0',
    'ida)\0',
    '\\2a',
    'ida\\00',
    'uid=ida',
    personDn('ida'),
    'i'.repeat(255),
    'i'.repeat(100_000),
    '\u{1F600}'.repeat(60),
    'ida\n',
  ])
    assert.equal(await personByPassword(server, login, passwordOf('ida')), undefined, JSON.stringify(login.slice(0, 40)))
})

test('a name with characters of filters and names of entries is a name', { skip }, async () => {
  for (const uid of ['a*b', 'c(d)', 'e\\f', 'g,h+i', 'j=k', '#l', 'm"n;o<p>']) {
    await directory.add({ uid, mail: '' })
    const person = await personByPassword(server, uid, passwordOf(uid))
    assert.deepEqual([person?.username, person?.email], [uid, undefined])
    assert.deepEqual(
      [...(await peopleByDn(server, [person?.uid as string])).values()].map(({ username }) => username),
      [uid],
    )
  }
})

test('who does not match the filter of the provider is nobody', { skip }, async () => {
  const filtered = serverWith({ user_filter: '(cn=Ida *)' })
  assert.equal((await personByPassword(filtered, 'ida', passwordOf('ida')))?.username, 'ida')
  assert.equal(await personByPassword(filtered, 'otto', passwordOf('otto')), undefined)
  assert.deepEqual([...(await peopleByDn(filtered, [personDn('ida'), personDn('otto')])).keys()], [personDn('ida')])
})

test('a name that two entries have is nobody’s', { skip }, async () => {
  await directory.add({ uid: 'twin1', mail: 'twin@example.com' })
  await directory.add({ uid: 'twin2', mail: 'twin@example.com' })
  const byMail = serverWith({ uid: 'mail' })
  assert.equal(await personByPassword(byMail, 'twin@example.com', passwordOf('twin1')), undefined)
  assert.equal((await personByPassword(byMail, 'ida@example.com', passwordOf('ida')))?.name, 'Ida Example')
})

test('a person is found by the name of their entry, as long as it is there and below the base', { skip }, async () => {
  await directory.add({ uid: 'leaver' })
  const names = [personDn('leaver'), personDn('gone'), reader.dn, 'no name', '', '=,', base]
  assert.deepEqual([...(await peopleByDn(server, names)).keys()], [personDn('leaver')])
  await directory.remove('leaver')
  assert.equal((await peopleByDn(server, names)).size, 0)
})

test('the connection is encrypted in both ways, and the certificate must be of the authority and for the host', { skip }, async () => {
  const tls = { encryption: 'simple_tls', port: directory.tlsPort }
  for (const options of [{}, tls, { encryption: 'plain' }, { host: 'localhost' }, { ...tls, host: 'localhost' }])
    assert.equal((await personByPassword(serverWith(options), 'ida', passwordOf('ida')))?.uid, personDn('ida'), JSON.stringify(options))
  for (const options of [{ ca_file: undefined }, { ...tls, ca_file: undefined }])
    await assert.rejects(personByPassword(serverWith(options), 'ida', passwordOf('ida')), {
      name: 'DirectoryUnavailable',
      message: /certificate/,
    })
})

test('a directory that is wrongly set up, or does not answer, says nothing about people', { skip }, async () => {
  const refusing = await portOf(socket => socket.destroy())
  const silent = await portOf(() => {})
  for (const options of [
    { password: 'wrong' },
    { base: 'ou=nowhere,dc=example,dc=com' },
    { port: refusing },
    { encryption: 'plain', port: refusing },
    { encryption: 'simple_tls', port: refusing },
    { encryption: 'simple_tls', port: directory.port },
    { port: silent, timeout: 1 },
  ]) {
    const wrong = serverWith(options)
    await assert.rejects(personByPassword(wrong, 'ida', passwordOf('ida')), DirectoryUnavailable, JSON.stringify(options))
    if (wrong.port !== silent) await assert.rejects(peopleByDn(wrong, [personDn('ida')]), DirectoryUnavailable, JSON.stringify(options))
  }
})

test('no password goes over a connection that was opened again after encryption was agreed', { skip }, async () => {
  const heard: Buffer[] = []
  // Agrees to encrypt, and closes the connection instead. It listens on.
  const port = await portOf(socket => {
    socket.on('data', chunk => {
      heard.push(chunk)
      if (chunk.includes('1.3.6.1.4.1.1466.20037')) socket.end(Buffer.from('300c02010278070a010004000400', 'hex'))
    })
  })
  await assert.rejects(personByPassword(serverWith({ port }), 'ida', passwordOf('ida')), DirectoryUnavailable)
  const all = Buffer.concat(heard).toString('latin1')
  assert.ok(all.includes('1.3.6.1.4.1.1466.20037'))
  for (const secret of [reader.password, passwordOf('ida')]) assert.ok(!all.includes(secret))
})

test('an answer that was begun before the encryption is not one of the directory', { skip }, async () => {
  // Someone on the way adds the beginning of a successful bind, whose rest would be the first bytes of the true directory.
  const port = await portOf(socket => {
    const upstream = net.connect(directory.port, '127.0.0.1')
    let isFirst = true
    upstream.on('data', chunk => {
      socket.write(isFirst ? Buffer.concat([chunk, Buffer.from('3014020103610f0a01000400040c', 'hex')]) : chunk)
      isFirst = false
    })
    socket.on('data', chunk => upstream.write(chunk))
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  const disturbed = serverWith({ port })
  assert.equal(await personByPassword(disturbed, 'ida', 'wrong'), undefined)
  assert.equal((await personByPassword(disturbed, 'ida', passwordOf('ida')))?.uid, personDn('ida'))
})

/** A server on a free port that does this with each connection. */
async function portOf(serve: (socket: net.Socket) => void): Promise<number> {
  const sockets = new Set<net.Socket>()
  const server = net.createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    serve(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  atEnd(async () => {
    for (const socket of sockets) socket.destroy()
    await once(server.close(), 'close')
  })
  return (server.address() as net.AddressInfo).port
}

test('names of entries are the same text, however they were written', () => {
  for (const [given, wanted] of [
    ['uid=Ida,ou=People,dc=Example,dc=com', 'uid=ida,ou=people,dc=example,dc=com'],
    [' UID = Ida , OU=People,dc=example,dc=com', 'uid=ida,ou=people,dc=example,dc=com'],
    ['cn=Ida  Example,dc=com', 'cn=ida example,dc=com'],
    ['cn=Example\\, Ida,dc=com', 'cn=example\\, ida,dc=com'],
    ['cn=Example\\2C Ida,dc=com', 'cn=example\\, ida,dc=com'],
    ['cn=L\\C3\\BCdia,dc=com', 'cn=lüdia,dc=com'],
    ['uid=b+cn=a,dc=com', 'cn=a+uid=b,dc=com'],
    ['cn=a\\+b,dc=com', 'cn=a\\+b,dc=com'],
    ['cn=a=b,dc=com', 'cn=a\\=b,dc=com'],
    ['cn=\\#a,dc=com', 'cn=\\#a,dc=com'],
    ['cn=a\\\\,dc=com', 'cn=a\\\\,dc=com'],
    ['cn=a\\00b', 'cn=a\\00b'],
    ['', ''],
  ] as const) {
    assert.equal(normalizedDn(given), wanted)
    assert.equal(normalizedDn(wanted), wanted)
  }
})

test('settings that cannot be are refused', () => {
  const settings = { host: 'ldap.example.com', base }
  assert.equal(ldapServer('main', settings, read).port, 636)
  assert.equal(ldapServer('main', { ...settings, encryption: 'start_tls' }, read).port, 389)
  for (const wrong of [{ user_filter: '(uid=' }, { user_filter: 'x' }, { bind_dn: 'cn=reader' }, { password: new Secret('x') }])
    assert.throws(() => ldapServer('main', { ...settings, ...wrong }, read), LdapOptionsInvalid, JSON.stringify(Object.keys(wrong)))
})
