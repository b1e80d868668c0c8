/** The view of an account: who it is, beside one of its tabs. */
import type { UserRow } from '../../identity/users/queries.ts'
import { avatar } from '../../platform/pages/components/avatar.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { time } from '../../platform/pages/components/time.ts'
import { type Html, html } from '../../platform/pages/html.ts'

const tabs = {
  overview: { label: 'Overview', href: (username: string) => `/${username}` },
  activity: { label: 'Activity', href: (username: string) => `/users/${username}/activity` },
  starred: { label: 'Starred', href: (username: string) => `/users/${username}/starred` },
} as const

export type ProfileTab = keyof typeof tabs

type Profile = Pick<
  UserRow,
  'name' | 'username' | 'bio' | 'avatar_url' | 'job_title' | 'organization' | 'location' | 'website_url' | 'kind' | 'created_at'
>

export const profileView = (user: Profile, current: ProfileTab, body: Html): Html =>
  html`<div class="columns navigated"><aside class="stack" aria-label="About">${avatar(user, 160)}<div><h1>${user.name}</h1><p class="muted">@${user.username} ${user.kind !== 'human' && chip('Bot')}</p></div>${user.bio && html`<p>${user.bio}</p>`}
<ul class="plain-list small muted">${fact('briefcase', [user.job_title, user.organization].filter(Boolean).join(' at '))}${fact('location', user.location)}${user.website_url && html`<li>${icon('link')} <a href="${user.website_url}" rel="me nofollow noopener noreferrer">${user.website_url.replace(/^https?:\/\//, '')}</a></li>`}<li>${icon('calendar')} Since ${time(user.created_at)}</li></ul></aside>
<section><nav class="subnav" aria-label="About ${user.name}">${Object.entries(tabs).map(([key, { label, href }]) => html`<a href="${href(user.username)}"${key === current && html` aria-current="page"`}>${label}</a>`)}</nav>
${body}</section></div>`

const fact = (name: 'briefcase' | 'location', text: string | null | undefined): Html | undefined =>
  text ? html`<li>${icon(name)} ${text}</li>` : undefined
