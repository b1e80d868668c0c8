/** Authentication by public key: keys of users, and deploy keys. */
import { createHash } from 'node:crypto'
import ssh2, { type AuthContext, type PublicKeyAuthContext } from 'ssh2'
import { recordKeyUse } from '../../identity/keys/commands.ts'
import { parseKey } from '../../identity/keys/parse.ts'
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
export async function judgeAttempt(attempt: AuthContext, { database: { db }, now }: Deps): Promise<CredentialName | 'offer' | 'refused'> {
  if (attempt.method !== 'publickey' || attempt.username !== LOGIN) return 'refused'
  const fingerprint = createHash('sha256').update(attempt.key.data).digest('base64').replace(/=+$/, '')
  const key = await connectingKey(db, fingerprint, now())
  if (!key || !(await isTaken(db, key.key))) return 'refused'
  if (!attempt.signature) return 'offer'
  if (!isSigned(attempt, key.key)) return 'refused'
  await recordKeyUse(db, key, now())
  return { kind: key.user_id === null ? 'deploy_key' : 'ssh_key', id: key.id }
}

/** Does the instance take keys of this type and size still? */
async function isTaken(db: Db, text: string): Promise<boolean> {
  const parsed = parseKey(text)
  return parsed !== undefined && keyProblem(await applicationSettings(db), parsed) === undefined
}

/** Was this connection signed with the key? SHA-1, the old signature of RSA keys, is not accepted. */
function isSigned({ signature, blob, hashAlgo }: PublicKeyAuthContext, publicKey: string): boolean {
  const key = ssh2.utils.parseKey(publicKey)
  if (key instanceof Error || !signature || !blob) return false
  if (key.type === 'ssh-rsa' && hashAlgo === undefined) return false
  return key.verify(blob, signature, hashAlgo) === true
}
