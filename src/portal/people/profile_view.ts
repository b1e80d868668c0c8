/** The view of an account: who it is, beside one of its tabs. */
import type { StatusRow } from '../../identity/user_status/queries.ts'
import type { UserRow } from '../../identity/users/queries.ts'
import { avatar } from '../../platform/pages/components/avatar.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { time } from '../../platform/pages/components/time.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { statusView } from './status_view.ts'

const tabs = {
  overview: { label: 'Overview', href: (username: string) => `/${username}` },
  activity: { label: 'Activity', href: (username: string) => `/users/${username}/activity` },
  starred: { label: 'Starred', href: (username: string) => `/users/${username}/starred` },
} as const

export type ProfileTab = keyof typeof tabs

type Profile = Pick<
  UserRow,
  | 'name'
  | 'username'
  | 'bio'
  | 'avatar_url'
  | 'job_title'
  | 'organization'
  | 'location'
  | 'website_url'
  | 'kind'
  | 'created_at'
  | 'public_email'
  | 'linkedin'
  | 'twitter'
  | 'skype'
>

export const profileView = (user: Profile, status: StatusRow, current: ProfileTab, body: Html): Html =>
  html`<div class="columns navigated"><aside class="stack about" aria-label="About">${avatar(user, 160)}<div><h1>${user.name}</h1><p class="muted">@${user.username} ${user.kind !== 'human' && chip('Bot')}</p></div>${statusView(status)}${user.bio && html`<p>${user.bio}</p>`}
<ul class="plain-list small muted">${fact('briefcase', [user.job_title, user.organization].filter(Boolean).join(' at '))}${fact('location', user.location)}${user.website_url && html`<li>${icon('link')} <a href="${user.website_url}" rel="me nofollow noopener noreferrer">${user.website_url.replace(/^https?:\/\//, '')}</a></li>`}${elsewhere('mail', user.public_email, { label: 'Email', base: 'mailto:' })}${elsewhere('link', user.linkedin, { label: 'LinkedIn', base: 'https://www.linkedin.com/in/' })}${elsewhere('link', user.twitter, { label: 'Twitter', base: 'https://twitter.com/' })}${elsewhere('comment', user.skype, { label: 'Skype' })}<li>${icon('calendar')} Since ${time(user.created_at)}</li></ul></aside>
<section><nav class="subnav" aria-label="About ${user.name}">${Object.entries(tabs).map(([key, { label, href }]) => html`<a href="${href(user.username)}"${key === current && html` aria-current="page"`}>${label}</a>`)}</nav>
${body}</section></div>`

const fact = (name: 'briefcase' | 'location', text: string | null | undefined): Html | undefined =>
  text ? html`<li>${icon(name)} ${text}</li>` : undefined

/** Where else the user is found. What was given as an address is a link as it is, a name one to its page where that is known. */
function elsewhere(
  name: 'mail' | 'link' | 'comment',
  given: string | null,
  { label, base }: { readonly label: string; readonly base?: string },
): Html | undefined {
  if (!given) return undefined
  const isAddress = /^https?:\/\//i.test(given)
  const href = isAddress
    ? given
    : base === undefined
      ? undefined
      : base === 'mailto:'
        ? `${base}${given}`
        : `${base}${encodeURIComponent(given.replace(/^@/, ''))}`
  const face = html`${icon(name)}<span class="sr-only">${label}:</span> `
  return html`<li class="break">${face}${href === undefined ? given : html`<a href="${href}" rel="me nofollow noopener noreferrer">${given.replace(/^https?:\/\//, '')}</a>`}</li>`
}
