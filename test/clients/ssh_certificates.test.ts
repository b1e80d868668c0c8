/** SSH certificates of an authority that the instance trusts, made by `ssh-keygen` and used by `ssh`. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readCertificate } from '../../src/identity/keys/certificate.ts'
import { atEnd } from '../at_end.ts'
import type { Person } from '../scene.ts'
import { openSsh } from './ssh_scene.ts'

const folder = mkdtempSync(join(tmpdir(), 'authorities-'))
atEnd(async () => rmSync(folder, { recursive: true, force: true }))
const [trusted, revoked] = [join(folder, 'trusted'), join(folder, 'revoked')]
const { scene, server, workbench, newPair, options, attempt, gitWith, cloneWith, addressOf, pushedProject, place } = await openSsh({
  sshUserCaFile: trusted,
  sshRevokedFile: revoked,
})
const authority = await newPair()
writeFileSync(trusted, `# Our authority\n${authority.key}\n\n`)
writeFileSync(revoked, '')

interface Certified {
  readonly by?: string
  readonly type?: string
  readonly principals?: string
  readonly id?: string
  readonly more?: readonly string[]
}

/** A new pair of keys with a certificate beside it, as ssh finds it: the path of the private key. */
async function certified(
  person: Person,
  { by = authority.file, type, principals = person.username, id = 'laptop', more = [] }: Certified = {},
) {
  const pair = await newPair(type)
  const names = principals === '' ? [] : ['-n', principals]
  await workbench.run('ssh-keygen', ['-q', '-s', by, '-I', id, ...names, ...more, `${pair.file}.pub`])
  return { ...pair, certificate: `${pair.file}-cert.pub` }
}

const blobOf = async (file: string) => Buffer.from((await readFile(file, 'utf8')).split(' ')[1] as string, 'base64')

/** What the server says to `ssh -T`, or how it refuses. */
async function greets(file: string): Promise<string> {
  const { code, stdout, stderr } = await workbench.attempt('ssh', [...options(file), '-T', '-p', String(server.port), 'git@127.0.0.1'])
  return code === 0 ? stdout.trim() : stderr.trim()
}

const fingerprintOf = async (file: string) => (await workbench.run('ssh-keygen', ['-l', '-f', `${file}.pub`])).split(' ')[1] as string

const refusal = /Permission denied \(publickey\)/

test('a certificate signs in the account of its principal, which clones and pushes by its rights', async () => {
  const { project, owner, reporter } = await scene.project({ members: ['reporter'] })
  await scene.commit(project, { 'README.md': '# A\n' })
  const [own, readers] = [await certified(owner), await certified(reporter)]
  assert.match(await greets(own.file), new RegExp(owner.username))

  const copy = await cloneWith(own.file, project)
  await workbench.run('git', ['-C', copy, 'commit', '-q', '--allow-empty', '-m', 'By certificate'])
  await gitWith(own.file, copy, 'push', '-q', 'origin', 'HEAD:by-certificate')
  assert.equal((await owner.get(`${project.url}/repository/branches/by-certificate`)).status, 200)

  const theirs = await cloneWith(readers.file, project)
  await workbench.run('git', ['-C', theirs, 'commit', '-q', '--allow-empty', '-m', 'Not allowed'])
  assert.notEqual((await attempt(readers.file, theirs, 'push', 'origin', 'HEAD:refused')).code, 0)
  const stranger = await certified(await scene.user())
  assert.notEqual((await attempt(stranger.file, workbench.directory, 'clone', addressOf(project), place('none'))).code, 0)
})

test('keys and authorities of all types work', async () => {
  const person = await scene.user()
  for (const type of ['rsa', 'ecdsa', 'ed25519'])
    assert.match(await greets((await certified(person, { type })).file), new RegExp(person.username), type)
  for (const type of ['rsa', 'ecdsa']) {
    const other = await newPair(type)
    writeFileSync(trusted, `${authority.key}\n${other.key}\n`)
    assert.match(await greets((await certified(person, { by: other.file })).file), new RegExp(person.username), type)
  }
  writeFileSync(trusted, `${authority.key}\n`)
})

test('the key ID names the account where the principal is the login name, and nothing does where it is unclear', async () => {
  const [person, another] = [await scene.user(), await scene.user()]
  assert.match(await greets((await certified(person, { principals: 'git', id: person.username })).file), new RegExp(person.username))
  assert.match(await greets((await certified(person, { principals: `git,${person.username}` })).file), new RegExp(person.username))
  assert.match(await greets((await certified(person, { principals: '', id: person.username })).file), refusal)
  assert.match(await greets((await certified(person, { principals: `${person.username},${another.username}` })).file), refusal)
  assert.match(await greets((await certified(person, { principals: 'nobody-of-this-name' })).file), refusal)
  const { project, owner } = await scene.project()
  const { body: bot } = await owner.post(`${project.url}/access_tokens`, { name: 'Bot', scopes: ['api'], expires_at: '2999-01-01' })
  const { body: robot } = await scene.root.get(`/users/${bot.user_id}`)
  assert.match(await greets((await certified(person, { principals: robot.username })).file), refusal)
})

test('a certificate of another authority, of a host, expired, not valid yet, or changed opens nothing', async () => {
  const person = await scene.user()
  const stranger = await newPair()
  const bad: Readonly<Record<string, Certified>> = {
    'another authority': { by: stranger.file },
    'a host': { more: ['-h'] },
    expired: { more: ['-V', '20200101:20200102'] },
    'not valid yet': { more: ['-V', '29990101:29990102'] },
  }
  for (const [what, options] of Object.entries(bad)) assert.match(await greets((await certified(person, options)).file), refusal, what)

  const { certificate } = await certified(person)
  const blob = await blobOf(certificate)
  assert.equal(readCertificate(blob)?.principals[0], person.username)
  // One byte changed anywhere is another certificate, or none.
  for (let at = 0; at < blob.length; at += 3) {
    const changed = Buffer.from(blob)
    changed[at] = (changed[at] as number) ^ 1
    assert.equal(readCertificate(changed), undefined, `byte ${at}`)
  }
  for (let length = 0; length < blob.length; length += 7) assert.equal(readCertificate(blob.subarray(0, length)), undefined)
  assert.equal(readCertificate(Buffer.concat([blob, Buffer.from([0])])), undefined)

  // The key of another one with this certificate.
  const thief = await newPair()
  writeFileSync(`${thief.file}-cert.pub`, await readFile(certificate))
  assert.match(await greets(thief.file), refusal)
})

test('critical options are kept to: addresses, and no certificate that forces a command or asks for what is not known', async () => {
  const person = await scene.user()
  const option = async (value: string) => greets((await certified(person, { more: ['-O', value] })).file)
  assert.match(await option('source-address=127.0.0.0/8,2001:db8::/32'), new RegExp(person.username))
  assert.match(await option('source-address=192.0.2.1'), refusal)
  assert.match(await option('force-command=git-upload-pack x'), refusal)
  assert.match(await option('critical:something@example.com=1'), refusal)
  assert.match(await option('verify-required'), refusal)
  // An extension that is not known permits nothing, and forbids nothing.
  assert.match(await option('extension:something@example.com=1'), new RegExp(person.username))
})

test('what is revoked opens nothing: by serial, key ID, fingerprint or key; a line that is not understood keeps all out', async () => {
  const person = await scene.user()
  const { file, certificate, key } = await certified(person, { id: 'lost laptop', more: ['-z', '12'] })
  const fingerprint = await fingerprintOf(file)
  assert.ok(certificate)
  const meant = [
    'serial: 12',
    'serial: 10-15',
    'id: lost laptop',
    `sha256: ${fingerprint}`,
    key,
    `key: ${key}`,
    authority.key,
    'no such line',
  ]
  try {
    for (const line of meant) {
      writeFileSync(revoked, `# Revoked\n${line}\n`)
      assert.match(await greets(file), refusal, line)
    }
    writeFileSync(revoked, 'serial: 13\nserial: 1-11\nid: laptop\n')
    assert.match(await greets(file), new RegExp(person.username))
    writeFileSync(trusted, '')
    assert.match(await greets(file), refusal)
    writeFileSync(trusted, 'no key\n')
    assert.match(await greets(file), refusal)
  } finally {
    writeFileSync(revoked, '')
    writeFileSync(trusted, `${authority.key}\n`)
  }
})

test('the state of the account and the rules for keys hold for certificates too', async () => {
  const { project, owner } = await pushedProject()
  const { file } = await certified(owner)
  const clone = () => attempt(file, workbench.directory, 'clone', '--quiet', addressOf(project), place('clone'))
  assert.equal((await clone()).code, 0)
  await scene.root.post(`/users/${owner.id}/block`)
  assert.notEqual((await clone()).code, 0)
  await scene.root.post(`/users/${owner.id}/unblock`)
  assert.equal((await clone()).code, 0)
  await scene.root.put('/application/settings', { ed25519_key_restriction: -1 })
  assert.notEqual((await clone()).code, 0)
  await scene.root.put('/application/settings', { ed25519_key_restriction: 0 })
})

test('what a certificate was given for LFS ends when it is revoked, with the trust in its authority, and with the certificate', async () => {
  const { project, owner } = await pushedProject()
  const { file } = await certified(owner, { id: 'a laptop', more: ['-V', '+30m', '-z', '77'] })
  const said = await workbench.run('ssh', [
    ...[...options(file), '-p', String(server.port), 'git@127.0.0.1'],
    `git-lfs-authenticate ${project.full_path}.git download`,
  ])
  const { header, href } = JSON.parse(said) as { header: Record<string, string>; href: string }
  const batch = async () => {
    const answer = await fetch(`${href}/objects/batch`, {
      method: 'POST',
      headers: { ...header, 'content-type': 'application/vnd.git-lfs+json', accept: 'application/vnd.git-lfs+json' },
      body: JSON.stringify({ operation: 'download', objects: [{ oid: '0'.repeat(64), size: 1 }] }),
    })
    await answer.arrayBuffer()
    return answer.status
  }
  assert.equal(await batch(), 200)
  try {
    for (const line of ['serial: 77', 'id: a laptop', `sha256: ${await fingerprintOf(file)}`, authority.key, 'no such line']) {
      writeFileSync(revoked, `${line}\n`)
      assert.equal(await batch(), 401, line)
    }
    writeFileSync(revoked, 'serial: 78\nid: laptop\n')
    assert.equal(await batch(), 200)
    writeFileSync(trusted, '')
    assert.equal(await batch(), 401)
    writeFileSync(trusted, `${authority.key}\n`)
    assert.equal(await batch(), 200)
    scene.setTime(new Date(Date.now() + 60 * 60 * 1000).toISOString())
    assert.equal(await batch(), 401)
  } finally {
    writeFileSync(revoked, '')
    writeFileSync(trusted, `${authority.key}\n`)
    scene.setTime(undefined)
  }
})

test('without the setting certificates open nothing, not even with a key of the account', async () => {
  const plain = await openSsh()
  const person = await plain.scene.user()
  const { file } = await certified(person)
  const { code } = await workbench.attempt('ssh', [...options(file), '-T', '-p', String(plain.server.port), 'git@127.0.0.1'])
  assert.notEqual(code, 0)
})
