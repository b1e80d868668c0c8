/**
 * Short-lived credentials for LFS, issued by `git-lfs-authenticate` over SSH and in batch responses, so that no password or token is
 * repeated in a response. They are signed and not stored. Each names the credential that it was made for, which is looked up on every
 * use: revoking that revokes the token.
 */
import type { Actor, LfsLimits } from '../../platform/access/actor.ts'
import { type CredentialName, credentialNameOf } from '../../platform/access/current_actor.ts'
import type { Secrets } from '../../platform/kernel/secrets.ts'

export type LfsOperation = LfsLimits['operation']

/** The grant of a token. */
export interface LfsGrant extends LfsLimits {
  /** The credential that it was made for. */
  readonly holder: CredentialName
}

/** Lifetime of a token in seconds: long enough for a queue of large files; clients request another one when it expires. */
export const LFS_TOKEN_LIFETIME = 7_200

const PREFIX = 'lfs.'
const PURPOSE = 'lfs-token'

/** When a token ends that a caller gets now, in seconds since 1970: one that is got with another token ends with that one. */
export const endOfLfsToken = ({ lfs }: Actor, now: Date): number =>
  Math.min(Math.floor(now.getTime() / 1000) + LFS_TOKEN_LIFETIME, lfs?.until ?? Number.POSITIVE_INFINITY)

/** A token for this grant. */
export function signLfsToken(secrets: Secrets, grant: LfsGrant): string {
  const { kind, id } = grant.holder
  const payload = [kind, id, proofOf(grant.holder), grant.projectId, grant.operation, grant.until].join('.')
  return `${PREFIX}${payload}.${secrets.sign(payload, PURPOSE)}`
}

/** What a holder is looked up by beside its id, in letters of `\w` and `-`. */
function proofOf(holder: CredentialName): string {
  if (holder.kind === 'password') return holder.proof
  return holder.kind === 'ssh_certificate' ? `${holder.ends}-${holder.mark}` : '-'
}

/** The grant of a token; undefined for an invalid or expired one. */
export function readLfsToken(secrets: Secrets, token: string, now: Date): LfsGrant | undefined {
  const match = /^lfs\.(([a-z_]+)\.(\d{1,15})\.([\w-]+)\.(\d{1,15})\.(download|upload)\.(\d{1,12}))\.([\w-]+)$/.exec(token)
  if (!match) return undefined
  const [, payload = '', kind, id, proof = '', projectId, operation, expires, signature = ''] = match
  if (!secrets.verify(payload, PURPOSE, signature) || Number(expires) * 1000 <= now.getTime()) return undefined
  // The payload was written by `signLfsToken`: the kind is valid.
  const [, ends, mark] = /^(\d+)-(.+)$/.exec(proof) ?? []
  const more = kind === 'password' ? { proof } : kind === 'ssh_certificate' ? { ends: Number(ends), mark } : {}
  const name = { kind, id: Number(id), ...more } as CredentialName
  return { holder: name, projectId: Number(projectId), operation: operation as LfsOperation, until: Number(expires) }
}

/** Does the text have the form of such a token? */
export const looksLikeLfsToken = (text: string): boolean => text.startsWith(PREFIX)

/**
 * The credential and username for a token; undefined for callers who send their credential with each request. So do those with the password of a
 * directory, which alone knows whether it was changed.
 */
export function lfsHolderOf(actor: Actor): { readonly holder: CredentialName; readonly name: string } | undefined {
  if (actor.credential?.kind === 'password' && !actor.credential.isKeptHere) return undefined
  const holder = credentialNameOf(actor)
  return holder && { holder, name: actor.user?.username ?? 'deploy-key' }
}

/** The header that a client must send to use a grant, for `header` fields of the LFS protocol. */
export const lfsHeader = (name: string, token: string): { Authorization: string } => ({
  Authorization: `Basic ${Buffer.from(`${name}:${token}`).toString('base64')}`,
})
