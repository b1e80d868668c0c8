/** Signatures of OpenPGP and keys that were made to mislead. Those of commits: src/code/repository/commits. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { config, createMessage, enums, generateKey, PacketList, readKey, readPrivateKey, SignaturePacket, sign } from 'openpgp'
import { armoured } from './armour.ts'
import { readSignature } from './packets.ts'
import { verifySignature } from './verify.ts'

const payload = Buffer.from('tree t\n')

async function pairOf(email: string) {
  const userIDs = [{ name: 'Ada', email }]
  const pair = await generateKey({ userIDs, subkeys: [{ sign: true }], format: 'armored' })
  return { publicKey: pair.publicKey, privateKey: await readPrivateKey({ armoredKey: pair.privateKey }) }
}

const asked = (key: string, signature: string) => verifySignature({ key, signature, payload, now: Date.now() })

test('a signature says who made it, and fits that key alone', async () => {
  const [ada, eve] = [await pairOf('Ada@example.com'), await pairOf('eve@example.com')]
  const message = await createMessage({ binary: new Uint8Array(payload) })
  const signature = await sign({ message, signingKeys: ada.privateKey, detached: true, format: 'armored' })

  assert.deepEqual(readSignature(signature as string), { count: 1, keyId: ada.privateKey.subkeys[0]?.getKeyID().toHex() })
  assert.deepEqual(await asked(ada.publicKey, signature as string), {
    isValid: true,
    userIds: [{ name: 'Ada', email: 'ada@example.com' }],
  })
  assert.equal((await asked(eve.publicKey, signature as string))?.isValid, false)
})

test('a signature of text, which leaves line ends open, is none of bytes', async () => {
  const { publicKey, privateKey } = await pairOf('ada@example.com')
  const message = await createMessage({ text: payload.toString() })
  const signature = (await sign({ message, signingKeys: privateKey, detached: true, format: 'armored' })) as string

  assert.equal(readSignature(signature)?.count, 1)
  assert.equal((await asked(publicKey, signature))?.isValid, false)
})

test('a subkey that has not signed that it is of the key signs for nobody', async () => {
  const [ada, eve] = [await pairOf('ada@example.com'), await pairOf('eve@example.com')]
  const message = await createMessage({ binary: new Uint8Array(payload) })
  const signature = (await sign({ message, signingKeys: ada.privateKey, detached: true, format: 'armored' })) as string
  // Eve binds Ada's subkey to her own key, which takes Eve's signature alone.
  const binding = new SignaturePacket()
  const [subkey] = (await readKey({ armoredKey: ada.publicKey })).subkeys
  Object.assign(binding, {
    signatureType: enums.signature.subkeyBinding,
    publicKeyAlgorithm: eve.privateKey.keyPacket.algorithm,
    hashAlgorithm: enums.hash.sha512,
    keyFlags: [enums.keyFlags.signData],
  })
  // The types leave out what the library needs here.
  const signing = binding as unknown as { sign(...given: unknown[]): Promise<void> }
  const { keyPacket } = eve.privateKey
  await signing.sign(keyPacket, { key: keyPacket, bind: subkey?.keyPacket }, new Date(), false, config)
  const packets = new PacketList()
  packets.push(
    ...((await readKey({ armoredKey: eve.publicKey })).toPacketList() as unknown as never[]),
    subkey?.keyPacket as never,
    binding as never,
  )
  const stolen = armoured('PUBLIC KEY BLOCK', Buffer.from(packets.write()))

  assert.equal((await readKey({ armoredKey: stolen })).getKeyIDs().length, 3)
  assert.equal((await asked(stolen, signature))?.isValid, false)
})

test('what is no key and no signature is not valid', async () => {
  const { publicKey } = await pairOf('ada@example.com')
  const rubbish = armoured('SIGNATURE', Buffer.from([0xc2, 3, 4, 0, 22]))

  assert.deepEqual(readSignature(rubbish), { count: 1, keyId: undefined })
  assert.equal((await asked(publicKey, rubbish))?.isValid, false)
  assert.deepEqual(await asked('no key', rubbish), { isValid: false, userIds: [] })
  assert.equal(readSignature(armoured('SIGNATURE', Buffer.from('Hello World!'))), undefined)
})
