/** Who connects? Public keys alone are asked for: those of people, and deploy keys. */
import { createHash } from 'node:crypto'
import ssh2, { type AuthContext, type PublicKeyAuthContext } from 'ssh2'
import { noteKeyUse } from '../../identity/keys/commands.ts'
import { connectingKey } from '../../identity/keys/queries.ts'
import type { CredentialName } from '../../platform/access/current_actor.ts'
import type { Deps } from '../../platform/kernel/context.ts'

/** The name that everybody connects by; the key says who it is. */
const LOGIN = 'git'

/**
 * Judges one attempt. A key may first be offered without a signature: it is then told to be known or not, which is how
 * clients choose among several keys.
 * @returns the key once a signature has proved it. Who comes with it is asked before each command, and not kept.
 */
export async function judgeAttempt(attempt: AuthContext, { database: { db }, now }: Deps): Promise<CredentialName | 'offer' | 'refused'> {
  if (attempt.method !== 'publickey' || attempt.username !== LOGIN) return 'refused'
  const fingerprint = createHash('sha256').update(attempt.key.data).digest('base64').replace(/=+$/, '')
  const key = await connectingKey(db, fingerprint, now())
  if (!key) return 'refused'
  if (!attempt.signature) return 'offer'
  if (!isSigned(attempt, key.key)) return 'refused'
  await noteKeyUse(db, key, now())
  return { kind: key.user_id === null ? 'deploy_key' : 'ssh_key', id: key.id }
}

/** Was this very connection signed with the key? SHA-1, the old signature of RSA keys, proves nothing any more. */
function isSigned({ signature, blob, hashAlgo }: PublicKeyAuthContext, publicKey: string): boolean {
  const key = ssh2.utils.parseKey(publicKey)
  if (key instanceof Error || !signature || !blob) return false
  if (key.type === 'ssh-rsa' && hashAlgo === undefined) return false
  return key.verify(blob, signature, hashAlgo) === true
}
