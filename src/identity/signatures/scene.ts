/** Signatures for tests: keys of OpenPGP by the library, keys of SSH by `ssh-keygen`, and commits that have such signatures. */
import { execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { chmodSync, copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  createMessage,
  enums,
  generateKey,
  type KeyOptions,
  type PrivateKey,
  readPrivateKey,
  reformatKey,
  revokeKey,
  sign as signMessage,
} from 'openpgp'
import { testFolder } from '../../../test/folder.ts'
import type { Repository } from '../../platform/git/index.ts'
import { git } from '../../platform/git/scene.ts'
import { fieldOf } from '../keys/wire.ts'

/** Makes the text of a signature of these bytes. */
export type Sign = (payload: Buffer) => Promise<string>

/** A key of OpenPGP. */
export interface PgpPair {
  /** Armoured. */
  readonly publicKey: string
  /** Of the primary key, in capitals. */
  readonly keyId: string
  /** Of the subkeys, in capitals. */
  readonly subkeyIds: readonly string[]
  readonly privateKey: PrivateKey
  /** Signs, with a subkey that may sign where there is one. @param date default: now */
  sign(payload: Buffer, date?: Date): Promise<string>
}

const capitals = (key: { getKeyID(): { toHex(): string } }) => key.getKeyID().toHex().toUpperCase()

/** A new key of OpenPGP. */
export async function newPgpPair(email: string, options: Partial<KeyOptions> = {}): Promise<PgpPair> {
  const userIDs = [{ name: 'Ada Signer', email }]
  const { privateKey: armored, publicKey } = await generateKey({ subkeys: [], ...options, userIDs, format: 'armored' })
  const privateKey = await readPrivateKey({ armoredKey: armored })
  return {
    publicKey: publicKey.trim().replaceAll('\r\n', '\n'),
    keyId: capitals(privateKey),
    subkeyIds: privateKey.subkeys.map(capitals),
    privateKey,
    sign: (payload, date = new Date()) => signatureBy(privateKey, payload, date),
  }
}

async function signatureBy(signingKeys: PrivateKey, payload: Buffer, date: Date): Promise<string> {
  const message = await createMessage({ binary: new Uint8Array(payload) })
  const signature = await signMessage({ message, signingKeys, detached: true, date, format: 'armored' })
  return (signature as string).replaceAll('\r\n', '\n')
}

/** The public key with its revocation. */
export async function revoked({ privateKey }: PgpPair): Promise<string> {
  const reasonForRevocation = { flag: enums.reasonForRevocation.keyCompromised, string: 'lost' }
  const { publicKey } = await revokeKey({ key: privateKey, reasonForRevocation, format: 'armored' })
  return publicKey.trim().replaceAll('\r\n', '\n')
}

/** The same public key, as one that ends. @param seconds after it was made */
export async function expiring({ privateKey }: PgpPair, seconds: number): Promise<string> {
  const [userID] = privateKey.users.map(user => user.userID)
  const userIDs = [{ name: userID?.name ?? '', email: userID?.email ?? '' }]
  const date = privateKey.getCreationTime()
  const { publicKey } = await reformatKey({ privateKey, userIDs, date, keyExpirationTime: seconds, format: 'armored' })
  return publicKey.trim().replaceAll('\r\n', '\n')
}

/** A key of SSH in files of its own. */
export interface SshPair {
  /** `type base64`. */
  readonly publicKey: string
  /** The file of the private key. */
  readonly file: string
  /** SHA-256 in base64 without padding. */
  readonly fingerprint: string
  sign(payload: Buffer, options?: { readonly namespace?: string; readonly hash?: string }): Promise<string>
  /** Signs as OpenSSH did before: RSA with SHA-1. */
  signBySha1(payload: Buffer): Promise<string>
}

/** A new key of SSH. @param args of `ssh-keygen` that say which */
export async function newSshPair(args: readonly string[] = ['-t', 'ed25519']): Promise<SshPair> {
  const folder = await testFolder()
  const file = join(folder, 'key')
  execFileSync('ssh-keygen', ['-q', ...args, '-N', '', '-C', '', '-f', file])
  chmodSync(file, 0o600)
  const listed = execFileSync('ssh-keygen', ['-l', '-f', `${file}.pub`], { encoding: 'utf8' })
  const publicKey = readFileSync(`${file}.pub`, 'utf8').trim()
  return {
    publicKey,
    file,
    fingerprint: /SHA256:(\S+)/.exec(listed)?.[1] ?? '',
    signBySha1: async payload => {
      const pem = join(folder, 'pem')
      copyFileSync(file, pem)
      execFileSync('ssh-keygen', ['-q', '-p', '-m', 'PEM', '-N', '', '-f', pem])
      const blob = Buffer.from(publicKey.split(' ')[1] ?? '', 'base64')
      const signedBy = (signed: Buffer) => sign('sha1', signed, readFileSync(pem))
      return sshSignature(blob, payload, signed => Buffer.concat([Buffer.from('ssh-rsa'), signedBy(signed)].map(fieldOf)))
    },
    sign: async (payload, { namespace = 'git', hash = 'sha512' } = {}) => {
      const flags = ['-Y', 'sign', '-n', namespace, '-O', `hashalg=${hash}`, '-f', file]
      return execFileSync('ssh-keygen', flags, { input: payload, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] })
    },
  }
}

/** The signature of a payload, in the text form of SSH. */
function sshSignature(publicKey: Buffer, payload: Buffer, signWith: (signed: Buffer) => Buffer): string {
  const [namespace, reserved, hash] = ['git', '', 'sha512'].map(text => Buffer.from(text)) as [Buffer, Buffer, Buffer]
  const digest = createHash('sha512').update(payload).digest()
  const signed = Buffer.concat([Buffer.from('SSHSIG'), ...[namespace, reserved, hash, digest].map(fieldOf)])
  const fields = [publicKey, namespace, reserved, hash, signWith(signed)].map(fieldOf)
  const bytes = Buffer.concat([Buffer.from('SSHSIG'), Buffer.from([0, 0, 0, 1]), ...fields])
  const lines = bytes.toString('base64').match(/.{1,70}/g) ?? []
  return ['-----BEGIN SSH SIGNATURE-----', ...lines, '-----END SSH SIGNATURE-----', ''].join('\n')
}

/** A security key without the hardware (OpenSSH, PROTOCOL.u2f). */
export function securityKey(kind: 'ed25519' | 'ecdsa') {
  const application = Buffer.from('ssh:')
  const pair = kind === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const type = kind === 'ed25519' ? 'sk-ssh-ed25519@openssh.com' : 'sk-ecdsa-sha2-nistp256@openssh.com'
  const { x = '', y = '' } = pair.publicKey.export({ format: 'jwk' })
  const [left, right] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
  const point = kind === 'ed25519' ? [left] : [Buffer.from('nistp256'), Buffer.concat([Buffer.from([4]), left, right])]
  const blob = Buffer.concat([Buffer.from(type), ...point, application].map(fieldOf))
  const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest()
  const number = (bytes: Buffer) => fieldOf((bytes[0] as number) > 0x7f ? Buffer.concat([Buffer.from([0]), bytes]) : bytes)
  const signatureOf = (bytes: Buffer): Buffer => {
    if (kind === 'ed25519') return sign(null, bytes, pair.privateKey)
    const both = sign('sha256', bytes, { key: pair.privateKey, dsaEncoding: 'ieee-p1363' })
    return Buffer.concat([number(both.subarray(0, 32)), number(both.subarray(32))])
  }
  return {
    publicKey: `${type} ${blob.toString('base64')}`,
    /** @param flags what the key says of itself: 1 where a person touched it */
    sign: async (payload: Buffer, flags: number): Promise<string> =>
      sshSignature(blob, payload, signed => {
        const state = Buffer.from([flags, 0, 0, 0, 7])
        const bytes = Buffer.concat([sha256(application), state, sha256(signed)])
        return Buffer.concat([fieldOf(Buffer.from(type)), fieldOf(signatureOf(bytes)), state])
      }),
  }
}

export interface SignedCommitOptions {
  readonly email: string
  /** In seconds since 1970; default: now. */
  readonly at?: number
  readonly message?: string
  /** Changes the commit after it was signed. */
  readonly forge?: (payload: string) => string
}

/** Puts a commit with this signature on `main` of a repository, and returns its id. */
export async function commitSigned(repository: Repository, signature: Sign | string, options: SignedCommitOptions): Promise<string> {
  const { email, at = Math.floor(Date.now() / 1000), message = 'Signed\n', forge = same } = options
  const [head] = git(repository, ['for-each-ref', '--format=%(objectname)', 'refs/heads/main']).split('\n')
  const tree = head ? git(repository, ['rev-parse', 'main^{tree}']) : git(repository, ['mktree'])
  const person = `Ada <${email}> ${at} +0000`
  const payload = [`tree ${tree}`, ...(head ? [`parent ${head}`] : []), `author ${person}`, `committer ${person}`, '', message].join('\n')
  const text = typeof signature === 'string' ? signature : await signature(Buffer.from(payload))
  const header = `gpgsig ${text.trimEnd().replaceAll('\n', '\n ')}`
  const object = forge(payload).replace('\n\n', `\n${header}\n\n`)
  const id = git(repository, ['hash-object', '-t', 'commit', '-w', '--literally', '--stdin'], object)
  git(repository, ['update-ref', 'refs/heads/main', id])
  return id
}

const same = (payload: string): string => payload
