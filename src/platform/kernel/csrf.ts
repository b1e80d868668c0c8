/**
 * CSRF tokens prove that a write by cookie comes from a page of ours, which alone can read them. Each answer has another mask for its token: answers are compressed,
 * and by the length of those that repeat what an attacker sent, a text that is always the same could be guessed (BREACH).
 */
import { randomBytes } from 'node:crypto'
import { type Actor, csrfSubject } from '../access/actor.ts'
import type { Secrets } from './secrets.ts'

const PURPOSE = 'csrf'

/** The token of each request: all forms of a page have the same. */
const made = new WeakMap<Actor, string>()

/** The token for the pages of a request; undefined without a session. */
export function csrfToken(actor: Actor, secrets: Secrets): string | undefined {
  const subject = csrfSubject(actor)
  if (subject === undefined) return undefined
  const token = made.get(actor) ?? csrfTokenFor(subject, secrets)
  made.set(actor, token)
  return token
}

/** A token for what `csrfSubject` names, with a mask of its own. */
export const csrfTokenFor = (subject: string, secrets: Secrets): string => masked(secrets.sign(subject, PURPOSE))

/** Is it a token for what `csrfSubject` names? */
export function isCsrfToken(secrets: Secrets, subject: string, given: string): boolean {
  const bytes = Buffer.from(given, 'base64url')
  const half = bytes.length / 2
  if (!Number.isInteger(half)) return false
  return secrets.verify(subject, PURPOSE, xor(bytes.subarray(0, half), bytes.subarray(half)).toString('base64url'))
}

function masked(token: string): string {
  const bytes = Buffer.from(token, 'base64url')
  const mask = randomBytes(bytes.length)
  return Buffer.concat([mask, xor(mask, bytes)]).toString('base64url')
}

const xor = (one: Buffer, other: Buffer): Buffer => Buffer.from(one.map((byte, index) => byte ^ (other[index] as number)))
