/** What mails about an account say. Pure. */
import type { NewMail } from '../../platform/mail/outbox.ts'

type Text = Omit<NewMail, 'to'>

/** Why mails about an account are sent. */
export const OWN_ACCOUNT = 'You get this mail because it is about the safety of your account.'

/** The last sentence of mails about what an attacker may have done. */
export const NOT_YOU = 'If it was not you, set a new password, and tell an administrator.'

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

/** A sign-in from a network that is not known. */
export const newSignIn = (about: {
  readonly username: string
  readonly ip: string
  readonly userAgent: string
  readonly at: Date
}): Text => ({
  kind: 'new_sign_in',
  subject: 'New sign-in to your account',
  parts: [
    `There was a sign-in to your account ${about.username} from a network that it was not used from lately.`,
    { facts: { From: about.ip, With: about.userAgent, At: `${about.at.toISOString().slice(0, 16).replace('T', ' ')} UTC` } },
    NOT_YOU,
  ],
  reason: OWN_ACCOUNT,
})

/** The account takes no passwords for a while. */
export const signInsPaused = (about: { readonly username: string; readonly ip: string; readonly minutes: number }): Text => ({
  kind: 'sign_ins_paused',
  subject: 'Too many wrong passwords for your account',
  parts: [
    `Your account ${about.username} takes no passwords for ${about.minutes} minutes, but from networks where you signed in lately: too many wrong ones were given.`,
    { facts: { 'The last one from': about.ip } },
    'If it was not you, there is nothing to do: another password than yours was tried.',
  ],
  reason: OWN_ACCOUNT,
})

/** Credentials that end soon: their names, and their last days. */
export const expiring = (about: {
  readonly what: 'access tokens' | 'SSH keys'
  readonly ends: readonly { readonly name: string; readonly day: string }[]
  readonly link: string
}): Text => ({
  kind: about.what === 'SSH keys' ? 'expiring_keys' : 'expiring_tokens',
  subject: `Some of your ${about.what} end soon`,
  parts: [
    `These ${about.what} end within a week. What uses them stops then.`,
    ...about.ends.map(({ name, day }) => ({ facts: { Name: name, Ends: day } })),
    { action: 'Make others', url: about.link },
  ],
  reason: `You get this mail once for each of your ${about.what} that ends.`,
})

/** The primary address is another one; sent to the former one. */
export const emailChanged = (username: string, email: string): Text => ({
  kind: 'email_changed',
  subject: 'The email address of your account was changed',
  parts: [`The primary email address of your account ${username} was changed.`, { facts: { 'New address': email } }, NOT_YOU],
  reason: OWN_ACCOUNT,
})

/** Another account, at a provider, signs in to this one from now on. */
export const identityLinked = (about: { readonly username: string; readonly provider: string; readonly ip: string }): Text => ({
  kind: 'identity_linked',
  subject: 'A sign-in was linked to your account',
  parts: [
    `Your account at ${about.provider} was linked to your account ${about.username}: it signs you in from now on.`,
    { facts: { From: about.ip } },
    NOT_YOU,
  ],
  reason: OWN_ACCOUNT,
})

/** An administrator has approved the account. */
export const accountApproved = (username: string, link: string): Text => ({
  kind: 'account_approved',
  subject: 'Your account was approved',
  parts: [`Your account ${username} was approved by an administrator.`, { action: 'Sign in', url: link }],
  reason: 'You get this mail because you signed up with this address.',
})
