/** Signatures of commits: who made them, and whether the account is the one that the commit names. Those of SSH: ssh_signatures.test.ts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { commitSigned, expiring, newPgpPair, type PgpPair, revoked, type SignedCommitOptions } from '../../../identity/signatures/scene.ts'

const scene = await openScene()

const HOUR = 3_600_000

async function world() {
  const { project, owner } = await scene.project()
  await scene.commit(project, { 'README.md': '# A\n' })
  const repository = scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })
  const of = (id: string) => owner.get(`${project.url}/repository/commits/${id}/signature`)
  const made = async (signature: Parameters<typeof commitSigned>[1], options: Partial<SignedCommitOptions> = {}) =>
    of(await commitSigned(repository, signature, { email: owner.email, ...options }))
  const add = async (pair: Pick<PgpPair, 'publicKey'>, person = owner): Promise<number> => {
    const added = await person.post('/user/gpg_keys', { key: pair.publicKey })
    assert.equal(added.status, 201)
    return added.body.id
  }
  return { project, owner, repository, of, made, add }
}

const statusOf = (answer: { body: { verification_status: string } }) => answer.body.verification_status

test('a commit that its committer signed is verified, and says by which key', async () => {
  const { owner, made, add } = await world()
  const pair = await newPgpPair(owner.email)
  const id = await add(pair)

  assert.deepEqual(await made(pair.sign), {
    status: 200,
    body: {
      signature_type: 'PGP',
      verification_status: 'verified',
      commit_source: 'gitaly',
      gpg_key_id: id,
      gpg_key_primary_keyid: pair.keyId,
      gpg_key_user_name: 'Ada Signer',
      gpg_key_user_email: owner.email,
      gpg_key_subkey_id: null,
    },
  })
})

test('a commit without a signature has none, nor has one whose message looks like it', async () => {
  const { project, of } = await world()
  const none = { status: 404, body: { message: '404 Signature Not Found' } }

  assert.deepEqual(await of(await scene.commit(project, { a: 'b' })), none)
  const message = 'Title\n\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n -----END PGP SIGNATURE-----\n'
  assert.deepEqual(await of(await scene.commit(project, { b: 'b' }, { message })), none)
})

test('a subkey signs for its key', async () => {
  const { owner, made, add } = await world()
  const pair = await newPgpPair(owner.email, { subkeys: [{ sign: true }] })
  const id = await add(pair)

  const { body } = await made(pair.sign)

  assert.notEqual(pair.subkeyIds[0], pair.keyId)
  assert.deepEqual([body.verification_status, body.gpg_key_id, body.gpg_key_primary_keyid], ['verified', id, pair.keyId])
})

test('a key that nobody has added is unknown, and verifies once it is added, until it is removed', async () => {
  const { owner, of, repository, add } = await world()
  const pair = await newPgpPair(owner.email)
  const commit = await commitSigned(repository, pair.sign, { email: owner.email })

  const unknown = await of(commit)
  assert.deepEqual(
    [unknown.body.verification_status, unknown.body.gpg_key_id, unknown.body.gpg_key_primary_keyid, unknown.body.gpg_key_user_email],
    ['unknown_key', null, pair.keyId, null],
  )
  const id = await add(pair)
  assert.equal(statusOf(await of(commit)), 'verified')
  await owner.delete(`/user/gpg_keys/${id}`)
  assert.equal(statusOf(await of(commit)), 'unknown_key')
})

test('a key that was added before its IDs were kept is found', async () => {
  const { owner, made, add } = await world()
  const pair = await newPgpPair(owner.email)
  const id = await add(pair)
  await scene.deps.database.db.updateTable('gpg_keys').set({ key_ids: null }).where('id', '=', id).execute()
  const { completeKeyIds } = await import('../../../identity/gpg_keys/key_ids.ts')

  // As another process that opens the database.
  await completeKeyIds({ ...scene.deps.database })

  assert.equal(statusOf(await made(pair.sign)), 'verified')
})

test('what was changed after it was signed, and a signature of another commit, are not verified', async () => {
  const { owner, made, add } = await world()
  const pair = await newPgpPair(owner.email)
  await add(pair)
  const other = await pair.sign(Buffer.from('tree of something else\n'))

  assert.equal(statusOf(await made(pair.sign, { forge: payload => payload.replace('Signed', 'Forged') })), 'unverified')
  assert.equal(statusOf(await made(other)), 'unverified')
})

test('the committer must be who has the key', async () => {
  const { owner, made, add } = await world()
  const other = await scene.user()
  const [own, foreign] = [await newPgpPair(owner.email), await newPgpPair(other.email)]
  await add(own)
  await add(foreign, other)
  const second = `second.${owner.username}@example.com`

  assert.equal(statusOf(await made(foreign.sign)), 'other_user')
  assert.equal(statusOf(await made(own.sign, { email: second })), 'other_user')
  await owner.post('/user/emails', { email: second })
  assert.equal(statusOf(await made(own.sign, { email: second })), 'other_user', 'the address is not confirmed')
  await scene.deps.database.db.updateTable('emails').set({ confirmed_at: new Date() }).where('email', '=', second).execute()
  assert.equal(statusOf(await made(own.sign, { email: second })), 'same_user_different_email')
  assert.equal(statusOf(await made(own.sign, { email: owner.email.toUpperCase() })), 'verified')
})

test('a key without a confirmed address of its owner verifies nothing, whatever the commit says', async () => {
  const { owner, made, add } = await world()
  const victim = await scene.user()
  const [stolen, unconfirmed] = [await newPgpPair(victim.email), await newPgpPair(`new.${owner.username}@example.com`)]
  await add(stolen)
  await owner.post('/user/emails', { email: `new.${owner.username}@example.com` })
  await add(unconfirmed)

  assert.equal(statusOf(await made(stolen.sign, { email: victim.email })), 'unverified_key')
  assert.equal(statusOf(await made(unconfirmed.sign, { email: `new.${owner.username}@example.com` })), 'unverified_key')
})

test('a user ID counts only if the key has signed it', async () => {
  const { owner, made, add } = await world()
  const pair = await newPgpPair('else@example.com')
  const { publicKey } = pair
  const { armor, enums, PacketList, readKey, UserIDPacket } = await import('openpgp')
  const key = await readKey({ armoredKey: publicKey })
  const packets = new PacketList()
  packets.push(...key.toPacketList(), UserIDPacket.fromObject({ name: 'Ada', email: owner.email }))
  const claimed = armor(enums.armor.publicKey, packets.write()).replaceAll('\r\n', '\n').trim()
  await add({ publicKey: claimed })

  assert.equal(statusOf(await made(pair.sign)), 'unverified_key')
})

test('the key of an account that is blocked verifies nothing until the account is unblocked', async () => {
  const { made, add, repository, of } = await world()
  const other = await scene.user()
  const pair = await newPgpPair(other.email)
  await add(pair, other)
  const commit = await commitSigned(repository, pair.sign, { email: other.email })

  assert.equal(statusOf(await of(commit)), 'verified')
  await scene.root.post(`/users/${other.id}/block`)
  assert.equal(statusOf(await of(commit)), 'unverified_key')
  await scene.root.post(`/users/${other.id}/unblock`)
  assert.equal(statusOf(await made(pair.sign, { email: other.email })), 'verified')
})

test('a key that has expired verifies what was signed before, and a revoked one nothing', async () => {
  const { owner, made, add } = await world()
  const began = Date.now() - 48 * HOUR
  const [expired, lost] = [await newPgpPair(owner.email, { date: new Date(began) }), await newPgpPair(owner.email)]
  await add({ publicKey: await expiring(expired, 24 * 3600) })
  await add({ publicKey: await revoked(lost) })

  assert.equal(statusOf(await made(payload => expired.sign(payload, new Date(began + HOUR)))), 'verified')
  assert.equal(statusOf(await made(payload => expired.sign(payload))), 'unverified')
  assert.equal(statusOf(await made(payload => expired.sign(payload, new Date(Date.now() + 72 * HOUR)))), 'unverified')
  assert.equal(statusOf(await made(payload => lost.sign(payload))), 'unverified')
})

test('garbage, very long signatures and several signatures are not verified', async () => {
  const { owner, made, add } = await world()
  const pair = await newPgpPair(owner.email)
  await add(pair)
  const both = async (payload: Buffer) => {
    const [one, two] = [await pair.sign(payload), await pair.sign(payload)]
    return `${one.trimEnd()}\n${two}`
  }
  const broken: readonly string[] = [
    'garbage',
    '-----BEGIN PGP SIGNATURE-----\n\nAAAA\n-----END PGP SIGNATURE-----',
    '-----BEGIN PGP SIGNATURE-----',
    `-----BEGIN PGP SIGNATURE-----\n\n${'wgAA\n'.repeat(100)}-----END PGP SIGNATURE-----`,
    `-----BEGIN PGP SIGNATURE-----\n\n${`${'A'.repeat(64)}\n`.repeat(16_000)}-----END PGP SIGNATURE-----`,
    '-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----',
    '-----BEGIN SSH SIGNATURE-----\nU1NIU0lHAAAAAf////8=\n-----END SSH SIGNATURE-----',
  ]
  for (const text of broken) {
    const answer = await made(text)
    assert.deepEqual([answer.status, statusOf(answer)], [200, 'unverified'], text.slice(0, 80))
  }
  assert.equal(statusOf(await made(both)), 'multiple_signatures')
  assert.deepEqual((await made('-----BEGIN SIGNED MESSAGE-----\nMIIF\n-----END SIGNED MESSAGE-----')).body, {
    signature_type: 'X509',
    verification_status: 'unverified',
    commit_source: 'gitaly',
    x509_certificate: null,
  })
})

test('who may not read the code does not learn of signatures', async () => {
  const { project, owner, repository, add } = await world()
  const pair = await newPgpPair(owner.email)
  await add(pair)
  const id = await commitSigned(repository, pair.sign, { email: owner.email })

  const answer = await (await scene.user()).get(`${project.url}/repository/commits/${id}/signature`)

  assert.deepEqual(answer, { status: 404, body: { message: '404 Project Not Found' } })
})

test('keys of others that claim the key as a subkey do not keep it from being found', async () => {
  const { owner, made, add } = await world()
  const pair = await newPgpPair(owner.email)
  const { armor, enums, PacketList, PublicSubkeyPacket, readKey } = await import('openpgp')
  const [claimed] = (await readKey({ armoredKey: pair.publicKey })).toPacketList()
  for (let at = 0; at < 5; at++) {
    const other = await scene.user()
    const packets = (await readKey({ armoredKey: (await newPgpPair(other.email)).publicKey })).toPacketList()
    const subkey = new PublicSubkeyPacket()
    await subkey.read((claimed as { write(): Uint8Array }).write())
    const list = new PacketList()
    list.push(...packets, subkey)
    await add({ publicKey: armor(enums.armor.publicKey, list.write()).replaceAll('\r\n', '\n').trim() }, other)
  }
  await add(pair)

  assert.equal(statusOf(await made(pair.sign)), 'verified')
})
