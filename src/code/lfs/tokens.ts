/**
 * Short-lived credentials for LFS: what `git-lfs-authenticate` over SSH gives, and what transfers are told to send, so that
 * nobody's password or token is repeated in an answer. They are signed and kept nowhere. Each names the credential that it was made for,
 * which is looked up on every use: what ends that ends them.
 */
import type { Actor, LfsLimits } from '../../platform/access/actor.ts'
import { type CredentialName, credentialNameOf } from '../../platform/access/current_actor.ts'
import type { Secrets } from '../../platform/kernel/secrets.ts'

export type LfsOperation = LfsLimits['operation']

/** What a token opens. */
export interface LfsGrant extends LfsLimits {
  /** The credential that it was made for. */
  readonly holder: CredentialName
}

/** Seconds that a token lasts: a queue of large files takes its time, and clients ask again when it is over. */
export const LFS_TOKEN_LIFETIME = 7_200

const PREFIX = 'lfs.'
const PURPOSE = 'lfs-token'

/** A token for this grant. */
export function signLfsToken(secrets: Secrets, grant: LfsGrant, now: Date): string {
  const expires = Math.floor(now.getTime() / 1000) + LFS_TOKEN_LIFETIME
  const { kind, id } = grant.holder
  const proof = grant.holder.kind === 'password' ? grant.holder.proof : '-'
  const payload = [kind, id, proof, grant.projectId, grant.operation, expires].join('.')
  return `${PREFIX}${payload}.${secrets.sign(payload, PURPOSE)}`
}

/** What a token opens now; undefined for what is no such token, was altered, or is over. */
export function readLfsToken(secrets: Secrets, token: string, now: Date): LfsGrant | undefined {
  const match = /^lfs\.(([a-z_]+)\.(\d{1,15})\.([\w-]+)\.(\d{1,15})\.(download|upload)\.(\d{1,12}))\.([\w-]+)$/.exec(token)
  if (!match) return undefined
  const [, payload = '', kind, id, proof = '', projectId, operation, expires, signature = ''] = match
  if (!secrets.verify(payload, PURPOSE, signature) || Number(expires) * 1000 <= now.getTime()) return undefined
  // What is signed was written above: the kind is one that there is.
  const name = { kind, id: Number(id), ...(kind === 'password' && { proof }) } as CredentialName
  return { holder: name, projectId: Number(projectId), operation: operation as LfsOperation }
}

/** Is this meant to be such a token? */
export const looksLikeLfsToken = (text: string): boolean => text.startsWith(PREFIX)

/** Who can be given a token, with the name to send along with it; undefined for callers who send their credential with each request. */
export function lfsHolderOf(actor: Actor): { readonly holder: CredentialName; readonly name: string } | undefined {
  const holder = credentialNameOf(actor)
  return holder && { holder, name: actor.user?.username ?? 'deploy-key' }
}

/** What a client must send to act under a grant: for `header` fields of the LFS protocol. */
export const lfsHeader = (name: string, token: string): { Authorization: string } => ({
  Authorization: `Basic ${Buffer.from(`${name}:${token}`).toString('base64')}`,
})
