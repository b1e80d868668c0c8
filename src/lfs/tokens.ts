/**
 * Short-lived credentials for LFS: what `git-lfs-authenticate` over SSH gives, and what transfers are told to send, so that
 * nobody's password or token is repeated in an answer. They are signed and kept nowhere.
 */
import type { Actor } from '../access/actor.ts'
import type { Secrets } from '../kernel/secrets.ts'

export type LfsOperation = 'download' | 'upload'

/** Who is given a token: a person, or a machine by its deploy key. */
export type LfsHolder = { readonly userId: number } | { readonly deployKeyId: number }

/** What a token opens. */
export interface LfsGrant {
  readonly holder: LfsHolder
  readonly projectId: number
  /** `upload` includes `download`. */
  readonly operation: LfsOperation
}

/** Seconds that a token lasts: a queue of large files takes its time, and clients ask again when it is over. */
export const LFS_TOKEN_LIFETIME = 7_200

const PREFIX = 'lfs.'
const PURPOSE = 'lfs-token'

/** A token for this grant. */
export function signLfsToken(secrets: Secrets, grant: LfsGrant, now: Date): string {
  const expires = Math.floor(now.getTime() / 1000) + LFS_TOKEN_LIFETIME
  const holder = 'userId' in grant.holder ? `u${grant.holder.userId}` : `k${grant.holder.deployKeyId}`
  const payload = [holder, grant.projectId, grant.operation, expires].join('.')
  return `${PREFIX}${payload}.${secrets.sign(payload, PURPOSE)}`
}

/** What a token opens now; undefined for what is no such token, was altered, or is over. */
export function readLfsToken(secrets: Secrets, token: string, now: Date): LfsGrant | undefined {
  const match = /^lfs\.(([uk])(\d{1,15})\.(\d{1,15})\.(download|upload)\.(\d{1,12}))\.([\w-]+)$/.exec(token)
  if (!match) return undefined
  const [, payload = '', kind, id, projectId, operation, expires, signature = ''] = match
  if (!secrets.verify(payload, PURPOSE, signature) || Number(expires) * 1000 <= now.getTime()) return undefined
  const holder = kind === 'u' ? { userId: Number(id) } : { deployKeyId: Number(id) }
  return { holder, projectId: Number(projectId), operation: operation as LfsOperation }
}

/** Is this meant to be such a token? */
export const looksLikeLfsToken = (text: string): boolean => text.startsWith(PREFIX)

/** Who can be given a token, with the name to send along with it; undefined for callers who sign each request themselves. */
export function lfsHolderOf({ user, credential }: Actor): { readonly holder: LfsHolder; readonly name: string } | undefined {
  // A token for the user would outlive the job, and reach further than it.
  if (credential?.kind === 'job_token') return undefined
  if (user) return { holder: { userId: user.id }, name: user.username }
  return credential?.kind === 'deploy_key' ? { holder: { deployKeyId: credential.id }, name: 'deploy-key' } : undefined
}

/** What a client must send to act under a grant: for `header` fields of the LFS protocol. */
export const lfsHeader = (name: string, token: string): { Authorization: string } => ({
  Authorization: `Basic ${Buffer.from(`${name}:${token}`).toString('base64')}`,
})
