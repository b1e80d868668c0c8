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

/** The password is another one. `passkeys`: what still signs in without it, with the days on which each was made. */
export const passwordChanged = (username: string, passkeys: readonly { readonly name: string; readonly created_at: string }[]): Text => ({
  kind: 'password_changed',
  subject: 'Your password was changed',
  parts: [
    `The password of your account ${username} was changed. All its sessions have ended.`,
    ...(passkeys.length === 0
      ? []
      : [
          'These passkeys go on signing in to it. Remove those that are not yours in the settings of your account.',
          { facts: Object.fromEntries(passkeys.map(({ name, created_at }) => [name, `made on ${created_at.slice(0, 10)}`])) },
        ]),
    NOT_YOU,
  ],
  reason: OWN_ACCOUNT,
})

/** Another address belongs to the account, or will once it is confirmed. */
export const emailAdded = (about: { readonly username: string; readonly email: string; readonly ip: string }): Text => ({
  kind: 'email_added',
  subject: 'An address was added to your account',
  parts: [
    `An email address was added to your account ${about.username}. Once it is confirmed, a forgotten password can be set with it.`,
    { facts: { Address: about.email, 'Added from': about.ip } },
    NOT_YOU,
  ],
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

/** The account takes no passwords, or no codes of its second factor, for a while. */
export const signInsPaused = (about: {
  readonly username: string
  readonly ip: string
  readonly minutes: number
  readonly of: 'passwords' | 'codes'
  /** Ends it; undefined where it holds for one network alone. */
  readonly link: string | undefined
}): Text => ({
  kind: 'sign_ins_paused',
  subject: `Too many wrong ${about.of} for your account`,
  parts: [
    `Your account ${about.username} takes no ${about.of} for ${about.minutes} minutes, but from networks where you signed in lately: too many wrong ones were given.`,
    { facts: { 'The last one from': about.ip } },
    ...(about.link === undefined
      ? []
      : [{ action: 'Unlock the account', url: about.link }, 'The link works once, until the account takes passwords again by itself.']),
    about.of === 'passwords'
      ? 'If it was not you, there is nothing to do: another password than yours was tried, and your sessions and tokens go on.'
      : 'A code is asked for after the password. If it was not you, another person knows your password: change it.',
  ],
  reason: OWN_ACCOUNT,
})

/** Words about the second factors of an account. */
export const secondFactorChanged = (about: {
  readonly username: string
  readonly change:
    | 'on'
    | 'off'
    | 'off_by_administrator'
    | 'codes_made'
    | 'code_used'
    | { readonly added: string }
    | { readonly removed: string }
  /** Recovery codes that are left. */
  readonly left?: number
}): Text => {
  const { subject, says } = secondFactorWords(about.change, about.left ?? 0)
  return { kind: 'second_factor', subject, parts: [`${says} Your account is ${about.username}.`, NOT_YOU], reason: OWN_ACCOUNT }
}

type SecondFactorChange = Parameters<typeof secondFactorChanged>[0]['change']

function secondFactorWords(change: SecondFactorChange, left: number): { readonly subject: string; readonly says: string } {
  if (typeof change === 'object')
    return 'added' in change
      ? { subject: 'A security key or passkey was added', says: `“${change.added}” was added to your account and can be used to sign in.` }
      : { subject: 'A security key or passkey was removed', says: `“${change.removed}” was removed from your account.` }
  switch (change) {
    case 'on':
      return {
        subject: 'Two-factor authentication is on',
        says: 'Two-factor authentication was turned on: from now on you sign in with a second factor besides your password.',
      }
    case 'off':
      return {
        subject: 'Two-factor authentication is off',
        says: 'Two-factor authentication was turned off: your password alone opens your account again.',
      }
    case 'off_by_administrator':
      return {
        subject: 'Two-factor authentication was turned off by an administrator',
        says: 'An administrator turned two-factor authentication off for you: your password alone opens your account again.',
      }
    case 'codes_made':
      return { subject: 'New recovery codes', says: 'New recovery codes were made. Those of before open nothing any more.' }
    case 'code_used':
      return {
        subject: 'A recovery code was used',
        says: `There was a sign-in with a recovery code. ${left === 0 ? 'None is left: make new ones.' : `${left} of them ${left === 1 ? 'is' : 'are'} left.`}`,
      }
  }
}

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

/** There is another SSH key that opens the account. */
export const keyAdded = (about: { readonly title: string; readonly fingerprint: string; readonly link: string }): Text => ({
  kind: 'key_added',
  subject: 'An SSH key was added to your account',
  parts: [
    'Who has this key reads and writes your repositories.',
    { facts: { Title: about.title, Fingerprint: about.fingerprint } },
    { action: 'See your SSH keys', url: about.link },
    'If it was not you, remove the key, set a new password, and tell an administrator.',
  ],
  reason: OWN_ACCOUNT,
})

/** There is another access token of the account. */
export const tokenAdded = (about: { readonly name: string; readonly scopes: readonly string[]; readonly link: string }): Text => ({
  kind: 'token_added',
  subject: 'An access token was added to your account',
  parts: [
    'Programs that have this token act in your name.',
    { facts: { Name: about.name, Scopes: about.scopes.join(', ') } },
    { action: 'See your access tokens', url: about.link },
    'If it was not you, revoke the token, set a new password, and tell an administrator.',
  ],
  reason: OWN_ACCOUNT,
})

/** What is known of a person can be downloaded. */
export const accountExported = (about: { readonly link: string; readonly hours: number }): Text => ({
  kind: 'account_exported',
  subject: 'Your data is ready',
  parts: [
    'The archive with your data that was asked for is ready.',
    { action: 'Download your data', url: about.link },
    `It can be downloaded for ${about.hours} hours.`,
    NOT_YOU,
  ],
  reason: OWN_ACCOUNT,
})

/** An administrator has refused the account. */
export const accountRefused = (): Text => ({
  kind: 'account_refused',
  subject: 'Your account was not approved',
  parts: ['An account that was asked for with this address was refused by an administrator, and is deleted.'],
  reason: 'You get this mail because your address was typed on this server. If it was not you, there is nothing to do.',
})

/** A person who signed up waits for an approval; sent to administrators. */
export const approvalAsked = (about: {
  readonly username: string
  readonly name: string
  readonly email: string
  readonly link: string
}): Text => ({
  kind: 'approval_asked',
  subject: `${about.username} waits for approval`,
  parts: [
    'A person signed up, and their account waits for the approval of an administrator.',
    { facts: { Name: about.name, Username: about.username, Address: about.email } },
    { action: 'See who waits', url: about.link },
  ],
  reason: 'You get this mail because you are an administrator of this server.',
})
