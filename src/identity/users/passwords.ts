/**
 * Which passwords are accepted. A password is refused when it is the first that an attacker tries: one of the commonest, a simple pattern, or
 * the account's own name. Strength beyond that is not scored, so that generated and long ones always pass.
 */
import { isListed } from './common_passwords.ts'

/** Fewest characters of a password. */
const MIN_LENGTH = 8

/** Most characters: digests of longer ones add cost and no strength. */
export const MAX_PASSWORD_LENGTH = 128

/** Characters that must remain when the person's names are taken out. */
const MIN_OWN_LENGTH = 4

const COMMON = 'is too common: choose one that is not among the first that are guessed'

/** What of a person must not be their password. */
export interface PasswordOwner {
  readonly username?: string | undefined
  readonly name?: string | undefined
  readonly email?: string | undefined
}

/** What is wrong with this password for this person, in the words of a validation; empty when it is accepted. */
export async function passwordProblems(password: string, owner: PasswordOwner): Promise<string[]> {
  const length = [...password].length
  if (length < MIN_LENGTH) return [`is too short (minimum is ${MIN_LENGTH} characters)`]
  if (length > MAX_PASSWORD_LENGTH) return [`is too long (maximum is ${MAX_PASSWORD_LENGTH} characters)`]
  if (password.trim() === '') return ["can't be blank"]
  const folded = fold(password)
  if (isPattern(folded) || (await isCommon(folded))) return [COMMON]
  if (isMadeOfNames(folded, owner)) return ['must not be made of the username, the name or the email address']
  return []
}

const fold = (text: string): string => text.normalize('NFKC').trim().toLowerCase()

/** Digits and signs that stand for letters. */
const substitutes: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
}

/** Is it one of the commonest, as it is or with letters for the signs that commonly replace them? */
async function isCommon(folded: string): Promise<boolean> {
  const plain = folded.replace(/[@43!10$57]/g, sign => substitutes[sign] as string)
  return (await isListed(folded)) || (await isListed(plain))
}

/** Rows of keyboards and the orders that people count in. */
const sequences = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'qwertzuiop', 'azertyuiop', 'asdfghjkl', 'zxcvbnm']

/** Is it one short unit again and again, or a run of neighbouring characters? */
function isPattern(folded: string): boolean {
  if (/^(.{1,3})\1*$/su.test(folded) || /^(.{1,3})\1{2,}.{0,2}$/su.test(folded)) return true
  const reversed = [...folded].reverse().join('')
  return sequences.some(sequence => sequence.includes(folded) || sequence.includes(reversed))
}

/** Is next to nothing left of it without the person's names? */
function isMadeOfNames(folded: string, { username, name, email }: PasswordOwner): boolean {
  const parts = [email, email?.split('@')[0], username, name, name?.replace(/\s+/g, ''), ...(name?.split(/\s+/) ?? [])]
  const names = parts.flatMap(part => (part === undefined ? [] : fold(part))).filter(part => part.length >= 3)
  const longestFirst = [...new Set(names)].sort((a, b) => b.length - a.length)
  const rest = longestFirst.reduce((text, part) => text.replaceAll(part, ''), folded)
  return rest !== folded && rest.length < MIN_OWN_LENGTH
}
