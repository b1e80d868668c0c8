/** What mails about an address that is to be confirmed say. Pure. */
import type { NewMail } from '../../platform/mail/outbox.ts'
import { addressText, type LocatedAddress } from '../places/places.ts'

type Text = Omit<NewMail, 'to'>

/** What a confirmed address becomes: that of a new account, the primary one in place of another, or an additional one. */
export type Confirmed = 'first' | 'primary' | 'additional'

/** A link that confirms the address. */
export const confirmAddress = (about: {
  readonly username: string
  readonly as: Confirmed
  readonly link: string
  readonly days: number
  readonly expiresAt: Date
}): Text => ({
  kind: 'confirmation',
  says: ({ say }) => ({
    subject: say('confirmation.subject'),
    parts: [
      say(`confirmation.${about.as}`, { username: about.username }),
      { action: say('confirmation.action'), url: about.link },
      say('confirmation.lasts', { count: about.days }),
    ],
    reason: say('account.typed_reason'),
  }),
  expiresAt: about.expiresAt,
})

/** The same, to an address that is another account's already. */
export const addressInUse = (about: { readonly as: Confirmed; readonly link: string }): Text => ({
  kind: 'address_in_use',
  says: ({ say }) => ({
    subject: say('address_in_use.subject'),
    parts: [
      say(about.as === 'first' ? 'address_in_use.first' : 'address_in_use.other'),
      { action: say('password_reset.action'), url: about.link },
      say('address_in_use.not_you'),
    ],
    reason: say('account.typed_reason'),
  }),
})

/** Another primary address was asked for; sent to the present one. */
export const changeAsked = (about: { readonly username: string; readonly email: string; readonly from: LocatedAddress }): Text => ({
  kind: 'email_change_asked',
  says: words => ({
    subject: words.say('email_change_asked.subject'),
    parts: [
      words.say('email_change_asked.asked', { username: about.username }),
      { facts: { [words.say('fact.new_address')]: about.email, [words.say('fact.asked_from')]: addressText(words, about.from) } },
      words.say('account.not_you'),
    ],
    reason: words.say('account.reason'),
  }),
})
