/** Authentication by public key: keys of users, deploy keys, and certificates of authorities that the instance trusts. */
import ssh2, { type AuthContext, type PublicKeyAuthContext } from 'ssh2'
import { CertificateRefused, holderOfCertificate, markOf } from '../../identity/keys/authorities.ts'
import { isCertificateType, isSignedBy, readCertificate } from '../../identity/keys/certificate.ts'
import { recordKeyUse } from '../../identity/keys/commands.ts'
import { fingerprintOf, type ParsedKey, parseKey } from '../../identity/keys/parse.ts'
import { connectingKey } from '../../identity/keys/queries.ts'
import { keyProblem } from '../../identity/keys/restrictions.ts'
import type { CredentialName } from '../../platform/access/current_actor.ts'
import { applicationSettings } from '../../platform/application_settings/queries.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Deps } from '../../platform/kernel/context.ts'

/** The login name of all clients; the key identifies the user. */
const LOGIN = 'git'

/**
 * Checks one attempt. A client may first offer a key without a signature, to learn whether it is known; this is how clients choose among
 * several keys.
 * @returns the key, once a signature has proved it. Its user is looked up before each command, and not kept.
 */
export async function judgeAttempt(attempt: AuthContext, deps: Deps, ip: string): Promise<CredentialName | 'offer' | 'refused'> {
  const { db } = deps.database
  const { now } = deps
  if (attempt.method !== 'publickey' || attempt.username !== LOGIN) return 'refused'
  if (isCertificateType(attempt.key.algo)) return judgeCertificate(attempt, deps, ip)
  const key = await connectingKey(db, fingerprintOf(attempt.key.data), now())
  if (!key || !(await isTaken(db, parseKey(key.key)))) return 'refused'
  if (!attempt.signature) return 'offer'
  if (!isSigned(attempt, key.key)) return 'refused'
  await recordKeyUse(db, key, now())
  return { kind: key.user_id === null ? 'deploy_key' : 'ssh_key', id: key.id }
}

/** The latest time that a Date can be. */
const LATEST = 8_640_000_000_000_000

/** The same for a certificate: it signs in the user whom it names, as long as it is valid. */
async function judgeCertificate(
  { key, signature, blob }: PublicKeyAuthContext,
  { config, database: { db }, log, now }: Deps,
  ip: string,
): Promise<CredentialName | 'offer' | 'refused'> {
  const certificate = config.sshUserCaFile === undefined ? undefined : readCertificate(key.data)
  if (!certificate || !(await isTaken(db, certificate.key))) return 'refused'
  const { serial, validBefore } = certificate
  // Any authority can write what it likes, of any length.
  const keyId = certificate.keyId.slice(0, 200)
  try {
    const userId = await holderOfCertificate(db, config, certificate, { from: ip, now: now() })
    if (!signature || !blob) return 'offer'
    if (!isSignedBy(certificate.verifier, blob, signature)) return 'refused'
    log.info({ user: userId, serial: String(serial), keyId, ip }, 'an SSH certificate signed in')
    return { kind: 'ssh_certificate', id: userId, ends: Math.min(Number(validBefore) * 1000, LATEST), mark: markOf(certificate) }
  } catch (error) {
    if (!(error instanceof CertificateRefused)) throw error
    log.warn({ reason: error.message, serial: String(serial), keyId, ip }, 'an SSH certificate was refused')
    return 'refused'
  }
}

/** Does the instance take keys of this type and size still? */
async function isTaken(db: Db, key: ParsedKey | undefined): Promise<boolean> {
  return key !== undefined && keyProblem(await applicationSettings(db), key) === undefined
}

/** Was this connection signed with the key? SHA-1, the old signature of RSA keys, is not accepted. */
function isSigned({ signature, blob, hashAlgo }: PublicKeyAuthContext, publicKey: string): boolean {
  const key = ssh2.utils.parseKey(publicKey)
  if (key instanceof Error || !signature || !blob) return false
  if (key.type === 'ssh-rsa' && hashAlgo === undefined) return false
  return key.verify(blob, signature, hashAlgo) === true
}
