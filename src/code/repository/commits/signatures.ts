/**
 * What the signatures of commits and tags are worth: who made them, and whether the account that has the key is the one that the commit names. The rules
 * are those of docs/user (signed commits). Nothing of it is kept but whether a signature fits a key, which cannot change: keys come and go, accounts are
 * blocked, addresses are confirmed and removed.
 */
import { createHash } from 'node:crypto'
import { completeKeyIds, gpgKeysByKeyId } from '../../../identity/gpg_keys/key_ids.ts'
import type { GpgKeyRow } from '../../../identity/gpg_keys/queries.ts'
import type { KeyRow } from '../../../identity/keys/queries.ts'
import { type Signer, signersById, sshKeysByFingerprint } from '../../../identity/signatures/queries.ts'
import { isSignatureOf, readSshSignature, type SshSignature } from '../../../identity/signatures/ssh.ts'
import { outsideTransaction } from '../../../platform/db/handles.ts'
import { ImmutableCache, type ObjectId, type Repository, readSigned, type SignedObject } from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { readSignature, type SignatureFacts } from '../../../platform/openpgp/packets.ts'
import { type CertifiedUserId, type SignatureVerdict, signatureLimits, verifySignature } from '../../../platform/openpgp/verify.ts'

/** What is documented for `verification_status` (commits API). */
export type VerificationStatus =
  | 'verified'
  | 'unverified'
  | 'unverified_key'
  | 'unknown_key'
  | 'same_user_different_email'
  | 'other_user'
  | 'multiple_signatures'

/** Why a signature is not verified, where the status leaves it open. */
export type Doubt =
  | 'malformed'
  | 'too_large'
  | 'not_checked'
  | 'does_not_fit'
  | 'key_expired'
  | 'account_inactive'
  | 'address_not_confirmed'

/** A signature and what it is worth. */
export interface JudgedSignature {
  /** The commit, or the object of the tag. */
  readonly id: ObjectId
  readonly type: 'PGP' | 'SSH' | 'X509'
  readonly status: VerificationStatus
  readonly doubt?: Doubt
  /** What the signature names its key by: an ID of 16 hex digits in capitals, or SHA-256 in base64; undefined where it does not. */
  readonly keyName?: string | undefined
  readonly gpgKey?: GpgKeyRow
  /** Of the key's user IDs the one with a confirmed address of its owner, or else the first. */
  readonly userId?: CertifiedUserId | undefined
  readonly sshKey?: KeyRow
  readonly owner?: Signer | undefined
}

/** A commit or an annotated tag whose signature is in question. */
export interface Signed {
  readonly id: ObjectId
  /** Who made it, as it says itself. */
  readonly email: string
  /** When, as it says itself. */
  readonly date: string
}

type Read =
  | { readonly kind: 'PGP'; readonly facts: SignatureFacts | undefined }
  | { readonly kind: 'SSH'; readonly facts: SshSignature | undefined }
  | { readonly kind: 'X509' }

/** A question with what was read of its object. */
interface Case extends Signed {
  readonly object: SignedObject
  readonly read: Read
}

/** The namespace of git's signatures. */
const NAMESPACE = 'git'

/** Milliseconds for the signatures of one page together; those that are left are not checked. */
const TIME = 10_000

/** States of accounts whose keys count: one that was not used for long lost nothing by it. */
const trustedStates: readonly string[] = ['active', 'deactivated']

/**
 * The signatures among these objects of a repository, by id; those without one are left out. One exchange with git, and as many statements however many
 * there are.
 */
export async function judgeSignatures(
  { db, deps, now }: Pick<Context, 'db' | 'deps' | 'now'>,
  repository: Repository,
  asked: readonly Signed[],
): Promise<ReadonlyMap<ObjectId, JudgedSignature>> {
  const objects =
    asked.length === 0
      ? []
      : await readSigned(
          repository,
          asked.map(({ id }) => id),
        )
  const cases = objects.flatMap((object, index): Case[] => (object ? [{ ...(asked[index] as Signed), object, read: readOf(object) }] : []))
  const keyIds = cases.flatMap(({ read }) => (read.kind === 'PGP' ? (read.facts?.keyId ?? []) : []))
  if (keyIds.length > 0) await completeKeyIds(deps.database)
  const gpgKeys = await gpgKeysByKeyId(db, keyIds)
  const sshKeys = await sshKeysByFingerprint(
    db,
    cases.flatMap(({ read }) => (read.kind === 'SSH' ? (read.facts?.fingerprint ?? []) : [])),
  )
  const owners = await signersById(
    db,
    [...[...gpgKeys.values()].flat(), ...sshKeys.values()].map(({ user_id }) => user_id),
  )
  const judge = new Judge({ gpgKeys, sshKeys, owners }, now)
  const judged = new Map<ObjectId, JudgedSignature>()
  for (const one of cases) judged.set(one.id, await judge.judge(one))
  return judged
}

function readOf({ signature }: SignedObject): Read {
  if (signature.startsWith('-----BEGIN SSH SIGNATURE-----')) return { kind: 'SSH', facts: readSshSignature(signature) }
  if (signature.startsWith('-----BEGIN SIGNED MESSAGE-----')) return { kind: 'X509' }
  return { kind: 'PGP', facts: readSignature(signature) }
}

interface Known {
  readonly gpgKeys: ReadonlyMap<string, readonly GpgKeyRow[]>
  /** By SHA-256. */
  readonly sshKeys: ReadonlyMap<string, KeyRow>
  readonly owners: ReadonlyMap<number, Signer>
}

class Judge {
  readonly #known: Known
  readonly #now: Date
  readonly #end = performance.now() + TIME

  constructor(known: Known, now: Date) {
    this.#known = known
    this.#now = now
  }

  async judge(one: Case): Promise<JudgedSignature> {
    const { id, object, read } = one
    // Contract: signatures of X.509 are named and not verified: the instance has no list of authorities (commits API, 14.0).
    if (read.kind === 'X509') return { id, type: 'X509', status: 'unverified' }
    const unverified = (doubt: Doubt): JudgedSignature => ({ id, type: read.kind, status: 'unverified', doubt })
    const { payload, signature } = object
    if (signature.length > signatureLimits.signature || payload.length > signatureLimits.payload) return unverified('too_large')
    if (read.kind === 'PGP' && isSeveral(signature, read.facts)) return { id, type: 'PGP', status: 'multiple_signatures' }
    if (!read.facts) return unverified('malformed')
    return read.kind === 'PGP' ? this.#ofPgp(one, read.facts) : this.#ofSsh(one, read.facts)
  }

  #ofSsh({ id, object, email, date }: Case, facts: SshSignature): JudgedSignature {
    const sshKey = this.#known.sshKeys.get(facts.fingerprint)
    const owner = sshKey && this.#known.owners.get(sshKey.user_id)
    const about = { id, type: 'SSH', keyName: facts.fingerprint, ...(sshKey ? { sshKey } : {}), owner } as const
    if (!isSignatureOf(facts, object.payload, NAMESPACE)) return { ...about, status: 'unverified', doubt: 'does_not_fit' }
    if (!sshKey || !owner) return { ...about, status: 'unknown_key' }
    if (!trustedStates.includes(owner.state)) return { ...about, status: 'unverified_key', doubt: 'account_inactive' }
    const isExpired = sshKey.expires_at !== null && Date.parse(date) > Date.parse(sshKey.expires_at)
    if (isExpired) return { ...about, status: 'unverified', doubt: 'key_expired' }
    return { ...about, status: owner.emails.includes(email.toLowerCase()) ? 'verified' : 'other_user' }
  }

  async #ofPgp(one: Case, { keyId }: SignatureFacts): Promise<JudgedSignature> {
    const { id, object } = one
    const named = { id, type: 'PGP', keyName: keyId?.toUpperCase() } as const
    const candidates = (keyId !== undefined && this.#known.gpgKeys.get(keyId)) || []
    let found: { readonly gpgKey: GpgKeyRow; readonly verdict: SignatureVerdict | undefined } | undefined
    for (const gpgKey of candidates) {
      const verdict = await this.#verdict(object, gpgKey.key)
      if (!found || verdict?.isValid) found = { gpgKey, verdict }
      if (verdict?.isValid) break
    }
    if (!found) return { ...named, status: 'unknown_key' }
    const { gpgKey, verdict } = found
    const owner = this.#known.owners.get(gpgKey.user_id)
    const about = { ...named, gpgKey, owner }
    if (!verdict || !owner) return { ...about, status: 'unverified', doubt: 'not_checked' }
    const confirmed = verdict.userIds.filter(userId => owner.emails.includes(userId.email))
    return { ...about, userId: confirmed[0] ?? verdict.userIds[0], ...worth(one, verdict, owner, confirmed) }
  }

  async #verdict(object: SignedObject, key: string): Promise<SignatureVerdict | undefined> {
    const digest = createHash('sha256').update(key).digest('base64')
    const question = `${object.id} ${digest} ${this.#now.toISOString().slice(0, 10)}`
    const known = verdicts.known(question)
    if (!known && performance.now() > this.#end) return undefined
    const { payload, signature } = object
    const verify = () => verifySignature({ key, signature, payload, now: this.#now.getTime() })
    // The cache hands one question on to all who ask meanwhile: a transaction must not be the one whose question ends without an answer.
    const ask = () => verdicts.get(question, verify)
    return known ? ask() : outsideTransaction(verdicts, question, ask)
  }
}

/** User IDs of a verdict that is kept. */
const FEW = 10

/**
 * Which signatures fit which keys, on this day: signatures may end, and keys may begin. What took too long is not kept, since the machine may have been
 * busy.
 */
const verdicts = new ImmutableCache<SignatureVerdict | undefined>(2_000, verdict => verdict !== undefined && verdict.userIds.length <= FEW)

/** Is it more than one signature? Then it is open which of them counts. */
const isSeveral = (signature: string, facts: SignatureFacts | undefined): boolean =>
  (facts?.count ?? 0) > 1 || signature.split('-----BEGIN ').length > 2

function worth(
  { email }: Signed,
  { isValid }: SignatureVerdict,
  owner: Signer,
  confirmed: readonly CertifiedUserId[],
): Pick<JudgedSignature, 'status' | 'doubt'> {
  if (!trustedStates.includes(owner.state)) return { status: 'unverified_key', doubt: 'account_inactive' }
  if (confirmed.length === 0) return { status: 'unverified_key', doubt: 'address_not_confirmed' }
  if (!isValid) return { status: 'unverified', doubt: 'does_not_fit' }
  const address = email.toLowerCase()
  if (confirmed.some(userId => userId.email === address)) return { status: 'verified' }
  return { status: owner.emails.includes(address) ? 'same_user_different_email' : 'other_user' }
}
