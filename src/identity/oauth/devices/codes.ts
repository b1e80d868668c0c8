/** The codes of the device grant: a long one for the device, a short one for people to type. Pure. */
import { randomInt } from 'node:crypto'
import type { Secrets } from '../../../platform/kernel/secrets.ts'

/** Consonants alone, none like another: no words come out, and all can be read aloud (RFC 8628 section 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8

/** A code to type, in two halves. */
export function newUserCode(): string {
  const letters = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`
}

/** Under what the code is found, however it was typed. */
export const userCodeDigest = (secrets: Secrets, typed: string): string =>
  secrets.sign(typed.toUpperCase().replace(/[^A-Z]/g, ''), 'oauth_device_grants.user_code')
