/** The attributes of a SCIM user as providers write them, and the account's attributes made from them (document 1, mapping table). */
import { isEmail } from '../../../identity/emails/commands.ts'
import { refused } from './refusals.ts'

/** Maximum characters of names and ids. */
export const MAX_TEXT = 255
/** Maximum characters of an email address (RFC 5321). */
const MAX_EMAIL = 254

/** The name of a person, whole or in parts. */
export interface Name {
  readonly formatted?: string | undefined
  readonly familyName?: string | undefined
  readonly givenName?: string | undefined
}

/** One of a person's email addresses. */
export interface Email {
  readonly value?: string | undefined
  readonly type?: string | undefined
  readonly primary?: boolean | undefined
}

/** The full name, joined from its parts if the provider sends only those. @throws Refusal 400 `invalidValue` */
export function fullName({ formatted, familyName, givenName }: Name): string {
  const parts = [givenName, familyName].filter(part => part !== undefined && part.trim() !== '')
  return checkedText('name.formatted', formatted?.trim() ? formatted : parts.join(' '))
}

/** The email of the account: the one of type work, else the primary one, else the first. @throws Refusal 400 `invalidValue` */
export function workEmail(emails: readonly Email[]): string {
  const email = emails.find(({ type }) => type?.toLowerCase() === 'work') ?? emails.find(({ primary }) => primary) ?? emails[0]
  return checkedEmail(email?.value)
}

/** A valid email address. @throws Refusal 400 `invalidValue` */
export function checkedEmail(value: unknown): string {
  if (typeof value !== 'string' || value.length > MAX_EMAIL || !isEmail(value))
    throw refused('invalidValue', 'The email address is invalid')
  return value
}

/** A text that is not blank and not too long. @throws Refusal 400 `invalidValue` */
export function checkedText(name: string, value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '') throw refused('invalidValue', `${name} must be a text`)
  if (value.length > MAX_TEXT) throw refused('invalidValue', `${name} is too long (maximum is ${MAX_TEXT} characters)`)
  return value
}
