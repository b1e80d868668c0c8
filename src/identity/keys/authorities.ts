/**
 * Authorities whose certificates sign in to accounts: their public keys stand in a file of the operator, and what is revoked in another one. Both are
 * read with each sign-in, so that a change counts from then on.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { BlockList, isIP, isIPv6 } from 'node:net'
import type { Config } from '../../platform/config.ts'
import type { Db } from '../../platform/db/connection.ts'
import { withoutEnding } from '../../platform/patterns/ends.ts'
import { userByUsername } from '../users/queries.ts'
import { isOfAuthorities, type UserCertificate } from './certificate.ts'
import { parseKey } from './parse.ts'

/** The files of the operator that are asked about certificates. */
export type AuthorityFiles = Pick<Config, 'sshUserCaFile' | 'sshRevokedFile'>

/** Why a certificate opens nothing, for the log. */
export class CertificateRefused extends Error {}

/** Lines without empty ones and comments. */
const linesOf = async (file: string): Promise<string[]> =>
  (await readFile(file, 'utf8')).split(/\r?\n/).flatMap(line => (/^\s*(#|$)/.test(line) ? [] : [line.trim()]))

/** Fingerprints of the authorities that are trusted. @throws CertificateRefused for a line that is no public key: nothing is guessed */
async function trusted(file: string): Promise<ReadonlySet<string>> {
  const fingerprints = (await linesOf(file)).map(line => {
    const key = parseKey(line)
    if (!key || !isOfAuthorities(key)) throw new CertificateRefused(`${file} has a line that is no public key of an authority`)
    return key.fingerprintSha256
  })
  return new Set(fingerprints)
}

/** What a certificate can be revoked by. */
interface Revocable {
  readonly serial: bigint
  /** A digest of the key ID, which an authority makes as long as it likes. */
  readonly keyId: string
  /** The certified key and that of the authority, as SHA-256 in base64 without padding. */
  readonly key: string
  readonly authority: string
}

const digestOfId = (keyId: string): string => createHash('sha256').update(keyId).digest('base64url')

const revocable = ({ serial, keyId, key, authority }: UserCertificate): Revocable => ({
  serial,
  keyId: digestOfId(keyId),
  key: key.fingerprintSha256,
  authority,
})

/** What a certificate can be revoked by as a text of `\w` and `-`, for credentials that rest on it. */
export function markOf(certificate: UserCertificate): string {
  const { serial, keyId, key, authority } = revocable(certificate)
  return Buffer.from([serial, keyId, key, authority].join(' ')).toString('base64url')
}

/** Does what rests on a certificate still count: is its authority trusted, and none of what it can be revoked by? Both files are read. */
export async function isCertificateTrusted({ sshUserCaFile, sshRevokedFile }: AuthorityFiles, mark: string): Promise<boolean> {
  const [serial = '', keyId = '', key = '', authority = ''] = Buffer.from(mark, 'base64url').toString().split(' ')
  if (sshUserCaFile === undefined || !/^\d{1,20}$/.test(serial)) return false
  try {
    if (!(await trusted(sshUserCaFile)).has(authority)) return false
    return !(await isRevoked(sshRevokedFile, { serial: BigInt(serial), keyId, key, authority }))
  } catch (error) {
    if (error instanceof CertificateRefused) return false
    throw error
  }
}

/** @throws CertificateRefused for a file with a line of another form */
const isRevoked = async (file: string | undefined, certificate: Revocable): Promise<boolean> =>
  file !== undefined && (await linesOf(file)).some(line => isMeant(line, certificate, file))

/** Does a line of the file of revoked certificates mean this one? In the form of `ssh-keygen -k`. @throws CertificateRefused for one of another form */
function isMeant(line: string, { serial, keyId, key, authority }: Revocable, file: string): boolean {
  const [, word, value = ''] = /^(serial|id|key|sha256):\s*(.+)$/.exec(line) ?? []
  const own = [key, authority]
  if (word === 'id') return keyId === digestOfId(value)
  if (word === 'sha256') return own.includes(withoutEnding(value.replace(/^SHA256:/, ''), /=/))
  if (word === 'serial') {
    const [, from, to = from] = /^(\d{1,20})(?:\s*-\s*(\d{1,20}))?$/.exec(value) ?? []
    if (from !== undefined && to !== undefined) return serial >= BigInt(from) && serial <= BigInt(to)
  } else {
    const revoked = parseKey(word === 'key' ? value : line)
    if (revoked) return own.includes(revoked.fingerprintSha256)
  }
  throw new CertificateRefused(`${file} has a line that is not understood: until it is mended, no certificate counts`)
}

/** Is the address within those of the option, addresses and networks with commas? What is neither is refused. */
function isFrom(addresses: string, ip: string): boolean {
  const list = new BlockList()
  for (const entry of addresses.split(',')) {
    const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry.trim()) ?? []
    const bits = isIPv6(address) ? 128 : 32
    const length = prefix === undefined ? bits : Number(prefix)
    if (isIP(address) === 0 || length > bits) throw new CertificateRefused('its source-address is no list of addresses')
    list.addSubnet(address, length, isIPv6(address) ? 'ipv6' : 'ipv4')
  }
  const plain = ip.replace(/^::ffff:(?=[\d.]+$)/, '')
  return isIP(plain) !== 0 && list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}

/** The name that all clients sign in with: as a principal it names nobody. */
const LOGIN = 'git'

/**
 * The username that a certificate is for: its only principal; where that is `git`, the key ID. One without principals would be for everybody.
 * @throws CertificateRefused
 */
function usernameOf({ principals, keyId }: UserCertificate): string {
  const [name, ...more] = [...new Set(principals.filter(principal => principal !== LOGIN))]
  if (principals.length === 0) throw new CertificateRefused('it has no principals')
  if (more.length > 0) throw new CertificateRefused('it has several principals')
  return name ?? keyId
}

/**
 * The id of the user whom a certificate signs in.
 * @param from the address of the client
 * @throws CertificateRefused
 */
export async function holderOfCertificate(
  db: Db,
  { sshUserCaFile, sshRevokedFile }: AuthorityFiles,
  certificate: UserCertificate,
  { from, now }: { readonly from: string; readonly now: Date },
): Promise<number> {
  if (sshUserCaFile === undefined) throw new CertificateRefused('no authority is trusted')
  if (!(await trusted(sshUserCaFile)).has(certificate.authority)) throw new CertificateRefused('its authority is not trusted')
  const seconds = BigInt(Math.floor(now.getTime() / 1000))
  if (seconds < certificate.validAfter) throw new CertificateRefused('it is not valid yet')
  if (seconds >= certificate.validBefore) throw new CertificateRefused('it has expired')
  for (const [name, value] of certificate.critical) {
    if (name !== 'source-address') throw new CertificateRefused(`it asks for ${name}, which this server does not do`)
    if (!isFrom(value, from)) throw new CertificateRefused('it is for other addresses')
  }
  if (await isRevoked(sshRevokedFile, revocable(certificate))) throw new CertificateRefused('it is revoked')
  const username = usernameOf(certificate)
  const user = await userByUsername(db, username)
  // As authorities write names: in these letters.
  if (user?.kind !== 'human' || user.username !== username) throw new CertificateRefused('it names no account')
  return user.id
}
