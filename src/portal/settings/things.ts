/** One's own keys, addresses, and what applications were granted. */
import { addOwnEmail, listOwnEmails, removeOwnEmail } from '../../identity/emails/endpoints.ts'
import { commitEmailOf } from '../../identity/emails/private_email.ts'
import { addOwnGpgKey, listOwnGpgKeys, removeOwnGpgKey } from '../../identity/gpg_keys/endpoints.ts'
import { NO_GPG_KEY, parseGpgKey } from '../../identity/gpg_keys/parse.ts'
import { addOwnKey, listOwnKeys, removeOwnKey } from '../../identity/keys/endpoints.ts'
import { NO_SSH_KEY } from '../../identity/keys/parse.ts'
import { listOwnGrants, revokeOwnGrant } from '../../identity/oauth/grants/endpoints.ts'
import { userById } from '../../identity/users/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { time } from '../../platform/pages/components/time.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { ownThings } from './own_things.ts'
import { PRIMARY, SETTINGS } from './place.ts'

interface Key {
  readonly id: number
  readonly title: string
  readonly key: string
  readonly created_at: string
  readonly expires_at: string | null
}

/** Characters of a key that a list shows. */
const SHOWN = 60

export const keys = ownThings<Key>({
  name: 'keys',
  title: 'SSH keys',
  icon: 'key',
  purpose: 'With the public half of your key here, git clones and pushes over SSH without a password.',
  list: listOwnKeys,
  row: ({ title, key, created_at, expires_at }) =>
    html`<div class="title">${title}</div><div class="mono muted">${key.slice(0, SHOWN)}…</div><div class="facts"><span>Added ${time(created_at)}</span>${expires_at !== null && html`<span>ends ${time(expires_at)}</span>`}</div>`,
  labelOf: ({ title }) => title,
  idOf: ({ id }) => id,
  remove: { of: removeOwnKey, idParam: 'key_id', button: 'Remove', notice: 'The key opens nothing any more.' },
  add: {
    of: addOwnKey,
    title: 'Add key',
    fields: [
      { name: 'title', hint: 'So that you know which machine has it.' },
      {
        name: 'key',
        label: 'Public key',
        control: 'textarea',
        hint: 'The contents of a file that ends in .pub, as ~/.ssh/id_ed25519.pub.',
        invalid: NO_SSH_KEY,
      },
    ],
    notice: 'The key was added.',
  },
})

interface GpgKey {
  readonly id: number
  readonly key: string
  readonly created_at: string
}

/** The names of a key that a list shows, with as many characters. */
const NAMES = 5
const NAME = 120

/** What tells a GPG key from others: whose it says that it is, and its fingerprint. */
function gpgKeyFacts({ id, key }: GpgKey): { readonly title: string; readonly names: readonly string[]; readonly fingerprint: string } {
  const parsed = parseGpgKey(key)
  const [title = `Key ${id}`, ...names] = parsed?.userIds.slice(0, NAMES).map(name => name.slice(0, NAME)) ?? []
  return { title, names, fingerprint: parsed?.fingerprint.toUpperCase().match(/.{4}/g)?.join(' ') ?? '' }
}

export const gpgKeys = ownThings<GpgKey>({
  name: 'gpg_keys',
  title: 'GPG keys',
  icon: 'shield-lock',
  purpose: 'Public keys with which others check your signatures.',
  list: listOwnGpgKeys,
  row(key) {
    const { title, names, fingerprint } = gpgKeyFacts(key)
    return html`<div class="title break">${title}</div>${names.map(name => html`<div class="break">${name}</div>`)}<div class="mono muted break">${fingerprint}</div><div class="facts"><span>Added ${time(key.created_at)}</span></div>`
  },
  labelOf: key => gpgKeyFacts(key).title,
  idOf: ({ id }) => id,
  remove: { of: removeOwnGpgKey, idParam: 'key_id', button: 'Remove', notice: 'The key was removed.' },
  add: {
    of: addOwnGpgKey,
    title: 'Add GPG key',
    fields: [{ name: 'key', label: 'Public key', control: 'textarea', hint: 'As gpg --armor --export writes it.', invalid: NO_GPG_KEY }],
    notice: 'The key was added.',
  },
})

interface Address {
  readonly id: number
  readonly email: string
  readonly confirmed_at: string | null
}

/** The primary address, with the one that is to become it. */
async function primaryAddress({ db, actor }: Context): Promise<Html | undefined> {
  const user = actor.user && (await userById(db, actor.user.id))
  if (!user) return undefined
  const waits = user.unconfirmed_email
  return html`<section class="section"><div class="row"><strong class="break">${user.email}</strong> ${chip('Primary', 'accent')} ${user.confirmed_at === null && chip('Not confirmed', 'attention')} <a class="btn btn-sm" href="${PRIMARY}">Change<span class="sr-only"> the primary address</span></a></div><p class="muted small">Commits that you make here have the address <span class="mono break">${commitEmailOf(user)}</span>. <a href="${SETTINGS}#commit_email">Change<span class="sr-only"> the address of commits</span></a>. Commits with <span class="mono break">${user.private_email}</span> are yours too, and nobody learns an address of yours from it: <code class="break">git config user.email ${user.private_email}</code></p>${waits !== null && html`<div class="row"><span class="break">${waits}</span> ${chip('Not confirmed', 'attention')} <a href="${sendAgain(waits)}">Send the link again</a></div><p class="muted small">It becomes the primary address once you open the link that was sent to it.</p>`}</section>`
}

/** Where a link for an address is asked for again. */
const sendAgain = (email: string): string => `/users/confirmation/new?${new URLSearchParams({ email }).toString()}`

export const emails = ownThings<Address>({
  name: 'emails',
  title: 'Additional email addresses',
  icon: 'mail',
  purpose: 'Commits with these addresses count as yours.',
  before: primaryAddress,
  list: listOwnEmails,
  row: ({ email, confirmed_at }) =>
    html`<div class="title">${email} ${confirmed_at === null && chip('Not confirmed', 'attention')}</div>${confirmed_at === null && html`<div class="facts"><a href="${sendAgain(email)}">Send the link again</a></div>`}`,
  labelOf: ({ email }) => email,
  idOf: ({ id }) => id,
  remove: { of: removeOwnEmail, idParam: 'email_id', button: 'Remove', notice: 'The address was removed.' },
  add: {
    of: addOwnEmail,
    title: 'Add address',
    fields: [{ name: 'email', label: 'Address', hint: '' }],
    notice: 'The address was added. It counts once you open the link that is sent to it.',
  },
})

interface Grant {
  readonly id: number
  /** Null where a password was exchanged without an application. */
  readonly application: { readonly application_name: string } | null
  readonly scopes: readonly string[]
  readonly created_at: string
}

const grantName = (application: Grant['application']): string => application?.application_name ?? 'Password, without an application'

export const grants = ownThings<Grant>({
  name: 'applications',
  title: 'Authorised applications',
  icon: 'link',
  purpose: 'Applications that you let act for you appear here; you can take it back.',
  list: listOwnGrants,
  row: ({ application, scopes, created_at }) =>
    html`<div class="title">${grantName(application)}</div><div class="facts"><span>${scopes.join(', ')}</span><span>since ${time(created_at)}</span></div>`,
  labelOf: ({ application }) => grantName(application),
  idOf: ({ id }) => id,
  remove: { of: revokeOwnGrant, idParam: 'id', button: 'Revoke', notice: 'The application has no access any more.' },
})
