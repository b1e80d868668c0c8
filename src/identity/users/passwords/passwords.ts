/**
 * Which passwords are accepted. A password is refused when it is among the first that an attacker tries: a common one, a walk on the keyboard,
 * a date, a repetition, words with a year behind them, or the user's own names. It is judged as a reader sees it, too: without what cannot be
 * seen, and with Latin letters for those that only look like them.
 */
import unhomoglyph from 'unhomoglyph'
import { isGuessable } from './password_strength.ts'

/** Shortest password in characters, whatever the setting. */
const MIN_LENGTH = 8

/** Longest password in characters: digests of longer ones add cost and no strength. */
export const MAX_PASSWORD_LENGTH = 128

/** Characters that must remain when the names are taken out; of fewer than `LONG_REST` two must be letters. */
const [MIN_REST, LONG_REST] = [4, 8]

/** What the program is called, and what it is like. */
const OWN_NAMES = ['ingot', 'gitlab', 'git']

/** The names of the user that must not be the password. */
export interface PasswordOwner {
  readonly username?: string | undefined
  readonly name?: string | undefined
  readonly email?: string | undefined
}

/**
 * What is wrong with a password, in the words of a validation; empty when it is accepted.
 * @param owners the user, before and after a change
 * @param host of the instance: its names are guessed, too
 * @param shortest in characters (`minimum_password_length`)
 */
export async function passwordProblems(
  password: string,
  owners: readonly PasswordOwner[],
  host = '',
  shortest: number = MIN_LENGTH,
): Promise<string[]> {
  const length = [...password].length
  if (length < shortest) return [`is too short (minimum is ${shortest} characters)`]
  if (length > MAX_PASSWORD_LENGTH) return [`is too long (maximum is ${MAX_PASSWORD_LENGTH} characters)`]
  const seen = seenAs(password)
  if (seen === '') return ["can't be blank"]
  const names = namesIn(owners.flatMap(({ username = '', name = '', email = '' }) => [username, name, email]))
  if (isMadeOfNames(seen.toLowerCase(), names)) return ['must not be made of the username, the name or the email address']
  if (await isGuessable({ readings: readingsOf(password, seen), words: [...names, ...namesIn([host]), ...OWN_NAMES] }))
    return ['must not contain commonly used combinations of words and letters']
  return []
}

/** The text without spaces, accents and what has no shape, and with Latin letters for those of other scripts that look the same. */
const seenAs = (text: string): string =>
  [
    ...text
      .normalize('NFKC')
      .normalize('NFD')
      .replace(/[\p{M}\p{C}\p{Z}]/gu, ''),
  ]
    .map(character => (character <= '\x7f' ? character : unhomoglyph(character)))
    .join('')

/** What a guess may begin or end with besides: a few signs. */
const SIGNS_AROUND = 3

/** As it is; as it looks; without signs at its ends, or without the same one between each two of its characters. */
function readingsOf(password: string, seen: string): string[] {
  const bare = seen.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
  const isApart = /^[\p{L}\p{N}]([^\p{L}\p{N}]+)(?:[\p{L}\p{N}]\1)*[\p{L}\p{N}]?$/u.test(seen)
  return [
    ...new Set([
      password.normalize('NFKC'),
      seen,
      ...(seen.length - bare.length <= SIGNS_AROUND ? [bare] : []),
      ...(isApart ? [seen.replace(/[^\p{L}\p{N}]/gu, '')] : []),
    ]),
  ]
}

/** The names, whole and in parts, as they look in small letters. */
function namesIn(texts: readonly string[]): string[] {
  const parts = texts.flatMap(whole => [whole, ...whole.split('@'), ...whole.split(/[^\p{L}\p{N}]+/u)])
  return [...new Set(parts.map(part => seenAs(part).toLowerCase()))].filter(part => part.length >= 3).sort((a, b) => b.length - a.length)
}

/** Is next to nothing left of it without the names? */
function isMadeOfNames(seen: string, names: readonly string[]): boolean {
  const rest = names.reduce((text, part) => text.replaceAll(part, ''), seen)
  if (rest === seen) return false
  return rest.length < MIN_REST || (rest.length < LONG_REST && (rest.match(/\p{L}/gu) ?? []).length < 2)
}
