/** What mails about an account say. Pure. */
import type { NewMail } from '../../platform/mail/outbox.ts'
import { addressText, type LocatedAddress } from '../places/places.ts'

type Text = Omit<NewMail, 'to'>

/** A link with which a forgotten password is set again. */
export const passwordReset = (about: {
  readonly username: string
  readonly link: string
  readonly hours: number
  readonly expiresAt: Date
  /** Where it was asked for. */
  readonly from: LocatedAddress
}): Text => ({
  kind: 'password_reset',
  says: words => ({
    subject: words.say('password_reset.subject'),
    parts: [
      words.say('password_reset.asked', { username: about.username }),
      { action: words.say('password_reset.action'), url: about.link },
      words.say('password_reset.lasts', { count: about.hours }),
      { facts: { [words.say('fact.asked_from')]: addressText(words, about.from) } },
      words.say('password_reset.not_you'),
    ],
    reason: words.say('password_reset.reason'),
  }),
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
  says: ({ say }) => ({
    subject: say('first_password.subject'),
    parts: [
      say('first_password.made', { username: about.username }),
      { action: say('first_password.action'), url: about.link },
      say('first_password.lasts', { count: about.days }),
    ],
    reason: say('first_password.reason'),
  }),
  expiresAt: about.expiresAt,
})

/** The password is another one. `passkeys`: what still signs in without it, with the days on which each was made. */
export const passwordChanged = (username: string, passkeys: readonly { readonly name: string; readonly created_at: string }[]): Text => ({
  kind: 'password_changed',
  says: ({ say, day }) => ({
    subject: say('password_changed.subject'),
    parts: [
      say('password_changed.changed', { username }),
      ...(passkeys.length === 0
        ? []
        : [
            say('password_changed.passkeys'),
            {
              facts: Object.fromEntries(
                passkeys.map(({ name, created_at }) => [name, say('password_changed.made_on', { day: day(created_at) })]),
              ),
            },
          ]),
      say('account.not_you'),
    ],
    reason: say('account.reason'),
  }),
})

/** Another address belongs to the account, or will once it is confirmed. */
export const emailAdded = (about: { readonly username: string; readonly email: string; readonly from: LocatedAddress }): Text => ({
  kind: 'email_added',
  says: words => ({
    subject: words.say('email_added.subject'),
    parts: [
      words.say('email_added.added', { username: about.username }),
      { facts: { [words.say('fact.address')]: about.email, [words.say('fact.added_from')]: addressText(words, about.from) } },
      words.say('account.not_you'),
    ],
    reason: words.say('account.reason'),
  }),
})

/** A sign-in from a network that is not known. */
export const newSignIn = (about: {
  readonly username: string
  readonly from: LocatedAddress
  readonly userAgent: string
  readonly at: Date
}): Text => ({
  kind: 'new_sign_in',
  says: words => ({
    subject: words.say('new_sign_in.subject'),
    parts: [
      words.say('new_sign_in.was', { username: about.username }),
      {
        facts: {
          [words.say('fact.from')]: addressText(words, about.from),
          [words.say('fact.with')]: about.userAgent,
          [words.say('fact.at')]: words.time(about.at),
        },
      },
      words.say('account.not_you'),
    ],
    reason: words.say('account.reason'),
  }),
})

/** The account takes no passwords, or no codes of its second factor, for a while. */
export const signInsPaused = (about: {
  readonly username: string
  readonly from: LocatedAddress
  readonly minutes: number
  readonly of: 'passwords' | 'codes'
  /** Ends it; undefined where it holds for one network alone. */
  readonly link: string | undefined
}): Text => ({
  kind: 'sign_ins_paused',
  says: words => ({
    subject: words.say(`sign_ins_paused.subject_${about.of}`),
    parts: [
      words.say(`sign_ins_paused.${about.of}`, { username: about.username, count: about.minutes }),
      { facts: { [words.say('fact.last_from')]: addressText(words, about.from) } },
      ...(about.link === undefined
        ? []
        : [{ action: words.say('sign_ins_paused.action'), url: about.link }, words.say('sign_ins_paused.lasts')]),
      words.say(`sign_ins_paused.not_you_${about.of}`),
    ],
    reason: words.say('account.reason'),
  }),
})

/** What became of the second factors of an account. `key`: the security key or passkey. */
export type SecondFactorChange =
  | 'on'
  | 'off'
  | 'off_by_administrator'
  | 'codes_made'
  /** With the recovery codes that are left. */
  | { readonly codesLeft: number }
  | { readonly added: string }
  | { readonly removed: string }

/** The second factors of the account have changed, or a recovery code was used. */
export const secondFactorChanged = (username: string, change: SecondFactorChange): Text => ({
  kind: 'second_factor',
  says: words => {
    const { say } = words
    const { subject, says } = secondFactorWords(words, change)
    return {
      subject,
      parts: [`${says} ${say('second_factor.account', { username })}`, say('account.not_you')],
      reason: say('account.reason'),
    }
  },
})

function secondFactorWords({ say }: Parameters<Text['says']>[0], change: SecondFactorChange) {
  if (typeof change === 'string') return { subject: say(`second_factor.${change}_subject`), says: say(`second_factor.${change}`) }
  if ('added' in change) return { subject: say('second_factor.added_subject'), says: say('second_factor.added', { key: change.added }) }
  if ('removed' in change)
    return { subject: say('second_factor.removed_subject'), says: say('second_factor.removed', { key: change.removed }) }
  const { codesLeft: count } = change
  const says = count === 0 ? say('second_factor.last_code_used') : say('second_factor.code_used', { count })
  return { subject: say('second_factor.code_used_subject'), says }
}

/** Credentials that end soon: their names, and their last days. */
export const expiring = (about: {
  readonly what: 'tokens' | 'keys'
  readonly ends: readonly { readonly name: string; readonly day: string }[]
  readonly link: string
}): Text => ({
  kind: `expiring_${about.what}`,
  says: ({ say, day }) => ({
    subject: say(`expiring.${about.what}_subject`),
    parts: [
      say(`expiring.${about.what}`),
      ...about.ends.map(end => ({ facts: { [say('fact.name')]: end.name, [say('fact.ends')]: day(end.day) } })),
      { action: say('expiring.action'), url: about.link },
    ],
    reason: say(`expiring.${about.what}_reason`),
  }),
})

/** The primary address is another one; sent to the former one. */
export const emailChanged = (username: string, email: string): Text => ({
  kind: 'email_changed',
  says: ({ say }) => ({
    subject: say('email_changed.subject'),
    parts: [say('email_changed.changed', { username }), { facts: { [say('fact.new_address')]: email } }, say('account.not_you')],
    reason: say('account.reason'),
  }),
})

/** Another account, at a provider, signs in to this one from now on. */
export const identityLinked = (about: { readonly username: string; readonly provider: string; readonly from: LocatedAddress }): Text => ({
  kind: 'identity_linked',
  says: words => ({
    subject: words.say('identity_linked.subject'),
    parts: [
      words.say('identity_linked.linked', { provider: about.provider, username: about.username }),
      { facts: { [words.say('fact.from')]: addressText(words, about.from) } },
      words.say('account.not_you'),
    ],
    reason: words.say('account.reason'),
  }),
})

/** An administrator has approved the account. */
export const accountApproved = (username: string, link: string): Text => ({
  kind: 'account_approved',
  says: ({ say }) => ({
    subject: say('account_approved.subject'),
    parts: [say('account_approved.approved', { username }), { action: say('account_approved.action'), url: link }],
    reason: say('account_approved.reason'),
  }),
})

/** There is another SSH key that opens the account. */
export const keyAdded = (about: { readonly title: string; readonly fingerprint: string; readonly link: string }): Text => ({
  kind: 'key_added',
  says: ({ say }) => ({
    subject: say('key_added.subject'),
    parts: [
      say('key_added.says'),
      { facts: { [say('fact.title')]: about.title, [say('fact.fingerprint')]: about.fingerprint } },
      { action: say('key_added.action'), url: about.link },
      say('key_added.not_you'),
    ],
    reason: say('account.reason'),
  }),
})

/** There is another access token of the account. */
export const tokenAdded = (about: { readonly name: string; readonly scopes: readonly string[]; readonly link: string }): Text => ({
  kind: 'token_added',
  says: ({ say }) => ({
    subject: say('token_added.subject'),
    parts: [
      say('token_added.says'),
      { facts: { [say('fact.name')]: about.name, [say('fact.scopes')]: about.scopes.join(', ') } },
      { action: say('token_added.action'), url: about.link },
      say('token_added.not_you'),
    ],
    reason: say('account.reason'),
  }),
})

/** What is known of a person can be downloaded. */
export const accountExported = (about: { readonly link: string; readonly hours: number }): Text => ({
  kind: 'account_exported',
  says: ({ say }) => ({
    subject: say('account_exported.subject'),
    parts: [
      say('account_exported.says'),
      { action: say('account_exported.action'), url: about.link },
      say('account_exported.lasts', { count: about.hours }),
      say('account.not_you'),
    ],
    reason: say('account.reason'),
  }),
})

/** An administrator has refused the account. */
export const accountRefused = (): Text => ({
  kind: 'account_refused',
  says: ({ say }) => ({
    subject: say('account_refused.subject'),
    parts: [say('account_refused.says')],
    reason: say('account.typed_reason'),
  }),
})

/** A person who signed up waits for an approval; sent to administrators. */
export const approvalAsked = (about: {
  readonly username: string
  readonly name: string
  readonly email: string
  readonly link: string
}): Text => ({
  kind: 'approval_asked',
  says: ({ say }) => ({
    subject: say('approval_asked.subject', { username: about.username }),
    parts: [
      say('approval_asked.says'),
      { facts: { [say('fact.name')]: about.name, [say('fact.username')]: about.username, [say('fact.address')]: about.email } },
      { action: say('approval_asked.action'), url: about.link },
    ],
    reason: say('approval_asked.reason'),
  }),
})
