/** What mails about an account say. Pure. */
import type { NewMail } from '../../platform/mail/outbox.ts'

type Text = Omit<NewMail, 'to'>

const OWN_ACCOUNT = 'You get this mail because it is about the safety of your account.'

/** The last sentence of mails about what an attacker may have done. */
const NOT_YOU = 'If it was not you, set a new password, and tell an administrator.'

/** A link with which a forgotten password is set again. */
export const passwordReset = (about: {
  readonly username: string
  readonly link: string
  readonly hours: number
  readonly expiresAt: Date
  /** The address that it was asked for from. */
  readonly ip: string
}): Text => ({
  kind: 'password_reset',
  subject: 'Set a new password',
  parts: [
    `A new password was asked for, for your account ${about.username}.`,
    { action: 'Set a new password', url: about.link },
    `The link works once, for ${about.hours} hours.`,
    { facts: { 'Asked from': about.ip } },
    'If it was not you, there is nothing to do: your password stays as it is.',
  ],
  reason: 'You get this mail because a new password was asked for with your address.',
  expiresAt: about.expiresAt,
})

/** The same for an account that was made without a password. */
export const firstPassword = (about: {
  readonly username: string
  readonly link: string
  readonly days: number
  readonly expiresAt: Date
}): Text => ({
  kind: 'first_password',
  subject: 'Your new account',
  parts: [
    `An account was made for you. Your username is ${about.username}.`,
    { action: 'Set your password', url: about.link },
    `The link works once, for ${about.days} days. Later, use “Forgot your password?” on the page to sign in.`,
  ],
  reason: 'You get this mail because an administrator made an account with your address.',
  expiresAt: about.expiresAt,
})

/** The password is another one. */
export const passwordChanged = (username: string): Text => ({
  kind: 'password_changed',
  subject: 'Your password was changed',
  parts: [`The password of your account ${username} was changed. All its sessions have ended.`, NOT_YOU],
  reason: OWN_ACCOUNT,
})

/** The primary address is another one; sent to the former one. */
export const emailChanged = (username: string, email: string): Text => ({
  kind: 'email_changed',
  subject: 'The email address of your account was changed',
  parts: [`The primary email address of your account ${username} was changed.`, { facts: { 'New address': email } }, NOT_YOU],
  reason: OWN_ACCOUNT,
})
