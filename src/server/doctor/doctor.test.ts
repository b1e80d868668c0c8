/** `ingot doctor` against real services: each check in order, in trouble, and without a secret in what it says. */
import assert from 'node:assert/strict'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import S3rver from 's3rver'
import { atEnd } from '../../../test/at_end.ts'
import { testFolder } from '../../../test/folder.ts'
import { openScene } from '../../../test/scene.ts'
import { directorySkip, openDirectory } from '../../identity/ldap/scene.ts'
import { writePlaces } from '../../identity/places/scene.ts'
import { listening, openOpenidProvider } from '../../identity/providers/kinds/scene.ts'
import { makePair } from '../../identity/saml/scene_pair.ts'
import { startMailbox } from '../../integrations/incoming_mail/mailbox/scene.ts'
import { parseConfig } from '../../platform/config.ts'
import { startMailServer } from '../../platform/mail/scene.ts'
import { recordObject } from '../../platform/object_store/rows.ts'
import { newKey } from '../../platform/object_store/store.ts'
import { newDirectory, runIngot } from '../cli/scene.ts'
import { checkStorage } from './database.ts'
import type { Finding } from './finding.ts'
import { checkDataFolder, checkPorts, checkPrograms } from './machine.ts'
import { checkExternalUrl, checkMail, checkProviders, checkSettings } from './network.ts'
import { checkRunner } from './runner.ts'

const scene = await openScene()
const folder = await testFolder()
const now = () => new Date()
const configOf = (environment: Record<string, string>) => parseConfig({ INGOT_DATA_DIR: folder, ...environment })

/** What was found, as `check: outcome`. */
const outcomes = (findings: readonly Finding[]) => findings.map(({ check, outcome }) => `${check}: ${outcome}`)

/** Every finding in trouble says what to do. */
function assertHelpful(findings: readonly Finding[]): void {
  for (const { check, outcome, says, remedy } of findings) assert.ok(says !== '' && (outcome === 'ok' || remedy), check)
}

test('ports are free, in use by another program, or by an Ingot', async () => {
  const other = createServer(socket => socket.destroy()).listen(0, '127.0.0.1')
  await new Promise(resolve => other.once('listening', resolve))
  const { port } = other.address() as AddressInfo
  const ours = new URL(scene.url).port

  const found = await Promise.all([
    checkPorts(configOf({ INGOT_PORT: '0' })),
    checkPorts(configOf({ INGOT_PORT: ours, INGOT_SSH_PORT: String(port) })),
    checkPorts(configOf({ INGOT_PORT: String(port), INGOT_SSH_PORT: 'off' })),
  ])
  other.close()

  assert.deepEqual(found.map(outcomes), [[], ['Port: ok', 'SSH port: wrong'], ['Port: wrong']])
  found.forEach(assertHelpful)
})

test('the built-in runner: what keeps its jobs apart and runs their images, or what is missing', async () => {
  const folderOf = async (scripts: Record<string, string>) => {
    const bin = await testFolder()
    for (const [name, script] of Object.entries(scripts)) await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    const environment = { PATH: `${bin}:/nowhere` }
    return { inherited: environment, engine: environment }
  }
  const look = (settings: Record<string, string>, environment: Awaited<ReturnType<typeof folderOf>>) =>
    checkRunner(configOf({ INGOT_BUILTIN_RUNNER: 'on', ...settings }), environment)
  const [nothing, working, failing] = [
    await folderOf({}),
    await folderOf({ bwrap: 'exit 0', podman: 'exit 0' }),
    await folderOf({ bwrap: 'echo no rights >&2; exit 1', podman: 'echo no subuids >&2; exit 125' }),
  ]
  const require = { INGOT_RUNNER_NAMESPACES: 'require', INGOT_RUNNER_CONTAINERS: 'require' }
  const off = { INGOT_RUNNER_NAMESPACES: 'off', INGOT_RUNNER_CONTAINERS: 'off' }

  const found = [
    await checkRunner(configOf({}), nothing),
    await look({}, nothing),
    await look({}, working),
    await look(require, working),
    await look(require, failing),
    await look(off, working),
  ]

  assert.deepEqual(found.map(outcomes), [
    [],
    ['Namespaces: warning', 'Containers: warning'],
    ['Namespaces: ok', 'Containers: ok'],
    ['Namespaces: ok', 'Containers: ok'],
    ['Namespaces: wrong', 'Containers: wrong'],
    ['Namespaces: warning', 'Containers: ok'],
  ])
  assert.match(found[4]!.map(({ says }) => says).join('\n'), /no rights\n.*podman: no subuids/)
  found.forEach(assertHelpful)
})

test('the data folder may be missing, and is not made; a file, or one open to others, is reported', async () => {
  const open = join(folder, 'open')
  await mkdir(open)
  await chmod(open, 0o755)
  await writeFile(join(open, 'secret.key'), 'x', { mode: 0o644 })
  const file = join(folder, 'file')
  await writeFile(file, '')

  const found = await Promise.all(
    [join(folder, 'none', 'below'), open, file].map(dataDir => checkDataFolder(configOf({ INGOT_DATA_DIR: dataDir }))),
  )

  assert.deepEqual(found.map(outcomes), [
    ['Data folder: ok', 'Secret key: ok'],
    ['Data folder: warning', 'Secret key: warning'],
    ['Data folder: wrong', 'Secret key: ok'],
  ])
  found.forEach(assertHelpful)
})

test('git and the user are looked at', async () => {
  const [git, user] = await checkPrograms()
  assert.match(git?.says ?? '', /^git 2\.\d+/)
  assert.equal(user?.outcome, process.getuid?.() === 0 ? 'warning' : 'ok')
})

test('a database of one’s own is reached, its clock compared, and files that the store lacks are counted', async () => {
  const { database, log } = scene.deps
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: join(folder, 's3'),
    configureBuckets: [{ name: 'files' }],
  })
  const { port } = await server.run()
  atEnd(() => server.close())
  const environment = { DATABASE_URL: database.url, INGOT_OBJECT_STORE: `s3://S3RVER:S3RVER@127.0.0.1:${port}/files?tls=false` }

  const well = await checkStorage(configOf(environment), log)
  const id = await recordObject(database.db, { key: newKey(), size: 3, sha256: 'a'.repeat(64) })
  const lacking = await checkStorage(configOf(environment), log)
  await database.db.deleteFrom('stored_objects').where('id', '=', id).execute()
  const secrets = { DATABASE_URL: 'postgres://u:hidden1@127.0.0.1:1/x', INGOT_OBJECT_STORE: 's3://k:hidden2@127.0.0.1:1/files?tls=false' }
  const silent = await checkStorage(configOf(secrets), log)

  assert.deepEqual(outcomes(well), ['Database: ok', 'Clock: ok', 'Key of the database: ok', 'Object store: ok', 'Files: ok'])
  assert.deepEqual(outcomes(lacking), ['Database: ok', 'Clock: ok', 'Key of the database: ok', 'Object store: ok', 'Files: wrong'])
  assert.deepEqual(outcomes(silent), ['Database: wrong', 'Object store: wrong'])
  assertHelpful([...lacking, ...silent])
  assert.doesNotMatch(JSON.stringify(silent), /hidden/)
})

test('mail servers are signed in at, and no mail is sent', async () => {
  const smtp = await startMailServer({ user: 'ingot', password: 'a b:c' })
  const mailbox = await startMailbox()
  const address = { INGOT_EXTERNAL_URL: 'http://git.example.com', INGOT_INCOMING_MAIL: 'incoming+%{key}@example.com' }
  const at = `127.0.0.1:${smtp.port}`

  const well = await checkMail(configOf({ ...address, INGOT_SMTP_URL: `smtp://ingot:a%20b%3Ac@${at}`, INGOT_IMAP_URL: mailbox.url }))
  const wrongPassword = await checkMail(
    configOf({
      ...address,
      INGOT_SMTP_URL: `smtp://ingot:hidden@${at}`,
      INGOT_IMAP_URL: mailbox.url.replace('a%20b%3Ac', 'hidden').replace('INBOX', 'Other'),
    }),
  )

  assert.deepEqual(outcomes(well), ['Mail (SMTP): ok', 'Mail (IMAP): ok'])
  assert.deepEqual(outcomes(wrongPassword), ['Mail (SMTP): wrong', 'Mail (IMAP): wrong'])
  assert.doesNotMatch(JSON.stringify(wrongPassword), /hidden/)
  assertHelpful(wrongPassword)
  assert.equal(smtp.received.length, 0)
})

test('sign-in providers are asked, each in its protocol', async t => {
  const skipped = await directorySkip()
  if (skipped) return t.skip(skipped)
  const directory = await openDirectory()
  const openid = await openOpenidProvider({})
  openid.redirectTo(scene.url, 'openid')
  const page = await listening((_request, response) => response.end('sign in'))
  const { certificate } = makePair()
  const client = { client_id: 'ingot', client_secret: 'hidden' }
  const saml = { entity_id: 'idp', sso_url: `${page}/sso`, certificate }
  const file = async (providers: readonly object[]) => {
    const path = join(folder, 'providers.json')
    await writeFile(path, JSON.stringify({ providers }))
    return checkProviders(configOf({ INGOT_PROVIDERS_FILE: path }), now)
  }
  const provider = (name: string, kind: string, settings: object) => ({ name, kind, private_address: true, settings })

  const well = await file([
    provider('directory', 'ldap', directory.settings),
    provider('openid', 'openid_connect', { ...client, issuer: openid.issuer }),
    provider('forge', 'gitlab', { ...client, url: page }),
    provider('company', 'saml', saml),
  ])
  const unwell = await file([
    provider('directory', 'ldap', { ...directory.settings, password: 'hidden' }),
    provider('base', 'ldap', { ...directory.settings, base: 'ou=none,dc=example,dc=com' }),
    provider('openid', 'openid_connect', { ...client, issuer: page }),
    provider('forge', 'gitlab', { ...client, url: 'http://127.0.0.1:1' }),
    provider('company', 'saml', { ...saml, sso_url: 'http://127.0.0.1:1/' }),
  ])

  assert.deepEqual(
    outcomes(well),
    ['directory', 'openid', 'forge', 'company'].map(name => `Sign-in (${name}): ok`),
  )
  assert.deepEqual(
    outcomes(unwell),
    ['directory', 'base', 'openid', 'forge', 'company'].map(name => `Sign-in (${name}): wrong`),
  )
  assert.doesNotMatch(JSON.stringify(unwell), /hidden/)
  assertHelpful(unwell)
})

test('the external URL is asked from here, and its certificate looked at', async () => {
  const { key, certificate } = makePair()
  const secure = createSecureServer({ key, cert: certificate }, (_request, response) => response.end('Ingot OK'))
  await new Promise<void>(resolve => secure.listen(0, '127.0.0.1', resolve))
  const failing = await listening((_request, response) => response.writeHead(502).end())
  const other = await listening((_request, response) => response.end('another page'))
  const check = (url: string) => checkExternalUrl(configOf({ INGOT_EXTERNAL_URL: url }), now)

  const found = await Promise.all([
    check(scene.url),
    check(failing),
    check(other),
    check(`https://127.0.0.1:${(secure.address() as AddressInfo).port}`),
  ])
  const later = await checkExternalUrl(
    configOf({ INGOT_EXTERNAL_URL: `https://127.0.0.1:${(secure.address() as AddressInfo).port}` }),
    () => new Date('2200-01-01'),
  )
  secure.closeAllConnections()
  secure.close()

  assert.deepEqual(found.map(outcomes), [
    ['External URL: ok'],
    ['External URL: warning'],
    ['External URL: wrong'],
    ['External URL: wrong', 'TLS certificate: warning'],
  ])
  assert.deepEqual(outcomes(later), ['External URL: wrong', 'TLS certificate: wrong'])
  ;[...found, later].forEach(assertHelpful)
})

test('settings that do not fit together are reported', async () => {
  const found = await Promise.all([
    checkSettings(configOf({})),
    checkSettings(configOf({ INGOT_SMTP_URL: 'smtp://127.0.0.1' })),
    checkSettings(configOf({ INGOT_EXTERNAL_URL: 'https://git.example.com', INGOT_BREACHED_PASSWORDS_FILE: join(folder, 'absent') })),
  ])
  assert.deepEqual(found.map(outcomes), [['Settings: ok'], ['Settings: wrong'], ['Settings: warning', 'Breached passwords: wrong']])
  found.forEach(assertHelpful)
})

test('a file of places is a database, and not an old one', async () => {
  const places = (name: string, days: number) =>
    writePlaces(join(folder, name), { '203.0.113.0/24': { country_code: 'DE' } }, new Date(Date.now() - days * 24 * 60 * 60 * 1000))
  const files = [await places('late.mmdb', 1), await places('old.mmdb', 400), join(folder, 'absent.mmdb')]
  const found = await Promise.all(files.map(INGOT_PLACES_FILE => checkSettings(configOf({ INGOT_PLACES_FILE }))))
  assert.deepEqual(
    found.map(([, finding]) => finding && outcomes([finding])[0]),
    ['Places of addresses: ok', 'Places of addresses: warning', 'Places of addresses: wrong'],
  )
  found.forEach(assertHelpful)
})

test('the command prints a line for each check, and its exit code says whether a start will work', async () => {
  const cwd = await newDirectory()
  const well = await runIngot(['doctor', '--data-dir', 'data', '--port', '0'], { cwd })
  const env = { DATABASE_URL: 'postgres://u:hidden@127.0.0.1:1/x' }
  const unwell = await runIngot(['doctor', '--data-dir', 'data', '--port', '0', '--json'], { cwd, env })
  const misconfigured = await runIngot(['doctor', '--port', 'x'], { cwd })

  assert.deepEqual([well.code, unwell.code, misconfigured.code], [0, 1, 2])
  assert.match(well.stdout, /^ok {7}git {2,}git 2/m)
  assert.match(well.stdout, /^Ingot can start/m)
  const { findings } = JSON.parse(unwell.stdout) as { findings: Finding[] }
  assert.equal(findings.find(({ check }) => check === 'Database')?.outcome, 'wrong')
  assert.match(unwell.stderr, /^ingot: 1 of \d+ checks found something wrong\n$/)
  assert.doesNotMatch(unwell.stdout + unwell.stderr, /hidden/)
})
