/** What mails about an address that is to be confirmed say. Pure. */
import type { NewMail } from '../../platform/mail/outbox.ts'
import { NOT_YOU, OWN_ACCOUNT } from './texts.ts'

type Text = Omit<NewMail, 'to'>

/** What a confirmed address becomes: that of a new account, the primary one in place of another, or an additional one. */
export type Confirmed = 'first' | 'primary' | 'additional'

const asked: Readonly<Record<Confirmed, (account: string) => string>> = {
  first: account => `An account with this address was made on this server: ${account}.`,
  primary: account => `The account ${account} on this server is to have this address as its primary one.`,
  additional: account => `The account ${account} on this server is to have this address as an additional one.`,
}

const REASON = 'You get this mail because your address was typed on this server. If it was not you, there is nothing to do.'

/** A link that confirms the address. */
export const confirmAddress = (about: {
  readonly username: string
  readonly as: Confirmed
  readonly link: string
  readonly days: number
  readonly expiresAt: Date
}): Text => ({
  kind: 'confirmation',
  subject: 'Confirm your email address',
  parts: [
    asked[about.as](about.username),
    { action: 'Confirm the address', url: about.link },
    `The link works once, for ${about.days} days. Do not use it if the account is not yours.`,
  ],
  reason: REASON,
  expiresAt: about.expiresAt,
})

/** The same, to an address that is another account's already. */
export const addressInUse = (about: { readonly as: Confirmed; readonly link: string }): Text => ({
  kind: 'address_in_use',
  subject: 'You have an account already',
  parts: [
    about.as === 'first'
      ? 'Someone signed up with this address, which an account on this server has already. The new account does not get it.'
      : 'Someone wants to add this address to another account. An account on this server has it already, and keeps it.',
    { action: 'Set a new password', url: about.link },
    'If it was not you, there is nothing to do.',
  ],
  reason: REASON,
})

/** Another primary address was asked for; sent to the present one. */
export const changeAsked = (about: { readonly username: string; readonly email: string; readonly ip: string }): Text => ({
  kind: 'email_change_asked',
  subject: 'Another email address for your account',
  parts: [
    `Another primary email address was asked for, for your account ${about.username}. It takes effect when it is confirmed.`,
    { facts: { 'New address': about.email, 'Asked from': about.ip } },
    NOT_YOU,
  ],
  reason: OWN_ACCOUNT,
})
