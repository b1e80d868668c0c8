/** The frame around every page: the global bar, the bar of the place, and the document itself. */
import type { ActingUser } from '../../access/actor.ts'
import { defaultPreferences, type Preferences } from '../../access/preferences.ts'
import { assetPath } from '../assets/files.ts'
import { avatar } from '../components/avatar.ts'
import { icon } from '../components/icon.ts'
import { type Html, html } from '../html.ts'
import { keyboardHelp, paletteDialog } from './dialogs.ts'
import type { Appearance, Counter, MenuLink } from './parts.ts'
import type { Place, Side } from './place.ts'
import { placeBar } from './place_bar.ts'
import { sideNavigation } from './side_navigation.ts'
import { type Theme, themeAttributes, themeNames, themes } from './theme.ts'

/** Everything that a document shows. */
export interface Framed {
  readonly title: string
  readonly feed?: { readonly title: string; readonly href: string }
  readonly body: Html
  /** `own`: the body has its `h1`. */
  readonly heading?: 'own'
  readonly width?: 'narrow' | 'medium' | 'wide' | 'full'
  readonly place?: Place
  /** Built scripts that only some pages load, by their plain names. */
  readonly scripts?: readonly string[]
  /** An administrator acts as the person. */
  readonly isImpersonated: boolean
  /** Whether the administrator is in admin mode; undefined where there is none, and for other people. */
  readonly adminMode: boolean | undefined
  readonly person: Pick<ActingUser, 'name' | 'username' | 'avatar_url' | 'admin'> | undefined
  readonly counters: readonly Counter[]
  /** What administrators say to all readers. */
  readonly banners: Html | undefined
  readonly notifications: Html | undefined
  readonly appearance: Appearance
  /** What the page shows, for its stream of changes. */
  readonly live: readonly string[]
  /** When the page was made; only with `live`. */
  readonly madeAt?: Date
  readonly creations: readonly MenuLink[]
  readonly csrf: string | undefined
  readonly theme: Theme
  readonly preferences: Preferences
  readonly notice: string | undefined
  /** Path and query of the page, to come back to. */
  readonly address: string
}

/**
 * What style sheets and scripts read of the preferences. On the body, which Turbo replaces with each page, so that a change is seen immediately;
 * the first name is one that `relative-time` reads.
 */
const preferred = ({ time_display_relative, tab_width, layout }: Preferences): Html =>
  html`${!time_display_relative && html` data-prefers-absolute-time="true"`}${tab_width !== defaultPreferences.tab_width && html` data-tab-width="${tab_width}"`}${layout === 'fluid' && html` data-layout="fluid"`}`

/** Where the button of the bar leads that says as whom one acts. */
export const STOP_ACTING_PATH = '/users/impersonation/stop'

/** Where admin mode is entered and left. */
export const ADMIN_MODE_PATH = '/admin/session'

/** A whole HTML document. `csrf` lets scripts of ours write by cookie: they send it as `X-CSRF-Token`. */
export const framed = (shown: Framed): Html =>
  html`<!doctype html>
<html lang="en" ${themeAttributes(shown.theme)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${shown.title} · ${shown.place && `${shown.place.crumbs.map(({ label }) => label).join(' / ')} · `}Ingot</title>
${shown.appearance.favicon === undefined ? html`<link rel="icon" type="image/svg+xml" href="${assetPath('logo.svg')}">` : html`<link rel="icon" href="${shown.appearance.favicon}">`}
<link rel="stylesheet" href="${assetPath('main.css')}" data-turbo-track="reload">${
    shown.feed &&
    html`
<link rel="alternate" type="application/atom+xml" title="${shown.feed.title}" href="${shown.feed.href}">`
  }
<script type="module" src="${assetPath('main.js')}" data-turbo-track="reload"></script>
${shown.scripts?.map(name => html`<script type="module" src="${assetPath(name)}" data-turbo-track="dynamic"></script>`)}
${shown.csrf !== undefined && html`<meta name="csrf-token" content="${shown.csrf}">`}
${shown.person && html`<meta name="person" content="${shown.person.username}">`}
</head>
<body${preferred(shown.preferences)}>
<a class="skip-link" href="#content">Skip to the content</a>
${shown.appearance.header}
${actingBar(shown)}
${globalBar(shown)}
${shown.banners}
${shown.place && placeBar(shown.place)}
<main id="content" class="page${shown.width && !shown.place?.side ? ` ${shown.width}` : ''}" tabindex="-1">
${shown.notice !== undefined && html`<div class="notice success" role="status">${icon('check')}<span>${shown.notice}</span></div>`}
${besideSide(
  shown.place?.side,
  shown.width,
  html`${shown.heading !== 'own' && html`<div class="heading"><h1>${shown.title}</h1></div>`}
${shown.body}`,
)}
</main>
<footer class="footer row apart"><span>Ingot</span><nav aria-label="About" class="row"><a class="quiet" href="/explore">Explore</a><a class="quiet" href="/help">Help</a><a class="quiet" href="/-/docs">API</a></nav></footer>
${shown.appearance.footer}
${shown.notifications}
<div id="announcements" class="sr-only" aria-live="polite"></div>
${keyboardHelp(shown)}
${shown.person && paletteDialog()}
${shown.live.length > 0 && shown.madeAt && html`<live-updates data-on="${shown.live.join(' ')}" data-since="${shown.madeAt.getTime()}"></live-updates>`}
</body>
</html>
`

/** The body of a page with the navigation of its place beside it, where that has one. */
const besideSide = (side: Side | undefined, width: Framed['width'], body: Html): Html =>
  side
    ? html`<div class="columns navigated">${sideNavigation(side)}<div class="beside${width ? ` ${width}` : ''}">${body}</div></div>`
    : body

/** What an administrator sees above all else while they act as another user. */
const actingBar = ({ isImpersonated, person, csrf }: Framed): Html | undefined =>
  isImpersonated && person && csrf !== undefined
    ? html`<aside class="acting-bar" aria-label="Acting as another user">${icon('eye')}<span>You act as <strong>${person.name}</strong> (@${person.username}). What you do is recorded under your own name.</span><form method="post" action="${STOP_ACTING_PATH}"><input type="hidden" name="authenticity_token" value="${csrf}"><button class="btn btn-sm">Stop</button></form></aside>`
    : undefined

const globalBar = ({ person, adminMode, counters, creations, csrf, theme, address, appearance, place }: Framed): Html => {
  const within = searchWithin(place)
  return html`<header class="global-bar">
<a class="brand" href="/" data-hotkey="g h">${appearance.logo === undefined ? html`<img src="${assetPath('logo.svg')}" alt="" width="28" height="28">` : html`<img class="own-logo" src="${appearance.logo}" alt="">`}<span>Ingot</span></a>
<form class="search" action="${within?.href ?? '/search'}" role="search" aria-label="${within ? 'In this place' : 'Everywhere'}"><label class="sr-only" for="global-search">Search</label><input class="form-control input-sm" type="search" id="global-search" name="search" placeholder="${within ? `Search in ${within.name}` : 'Search'}" data-hotkey="/,s">${person && html`<kbd aria-hidden="true" data-mod-key="K">Ctrl K</kbd>`}</form>
<nav class="end" aria-label="Global">
${creations.length > 0 && menu('Create new', html`${icon('plus')}${icon('triangle-down')}`, creations.map(menuLink))}
${adminMode && html`<a class="bar-button" href="/admin" title="Admin mode is on" aria-label="Administration: admin mode is on">${icon('shield-lock')}</a>`}
${globalCounters(counters)}
${themeMenu(theme)}
${person ? personMenu({ person, adminMode, csrf, address }, counters) : html`<a class="btn btn-sm btn-primary" href="/users/sign_in?${new URLSearchParams({ redirect: address }).toString()}">Sign in</a>`}
</nav>
</header>`
}

/** The search of the place that a page belongs to, and what the place is called; undefined where it has none. */
function searchWithin(place: Place | undefined): { readonly href: string; readonly name: string } | undefined {
  const href = place?.tabs.find(({ key }) => key === 'search')?.href
  const name = place?.crumbs.at(-1)?.label
  return href === undefined || name === undefined ? undefined : { href, name }
}

/** The id of the counters in the global bar, by which a stream replaces them. */
export const COUNTERS_ID = 'global-counters'

/** The numbers of the global bar. */
export const globalCounters = (counters: readonly Counter[]): Html =>
  html`<div id="${COUNTERS_ID}" class="bar-counters">${counters.map(
    ({ label, icon: name, href, count, hotkey }) =>
      html`<a class="bar-button" href="${href}" data-hotkey="${hotkey}" title="${label}" aria-label="${label}: ${count}">${icon(name)}${count > 0 && html`<span class="counter">${count > 999 ? '999+' : count}</span>`}</a>`,
  )}</div>`

const menu = (label: string, face: Html, items: readonly Html[]): Html =>
  html`<details class="menu"><summary class="bar-button" aria-label="${label}" title="${label}">${face}</summary><div class="menu-items">${items}</div></details>`

const menuLink = ({ label, icon: name, href }: MenuLink): Html => html`<a href="${href}">${icon(name)}${label}</a>`

/** Buttons for scripts: without one it is not shown, and the preferences have the same choice as a form. */
const themeMenu = (theme: Theme): Html =>
  html`<div class="for-scripts">${menu(
    'Colours',
    icon('sun'),
    themes.map(
      name =>
        html`<button type="button" data-choose-theme="${name}"${name === theme && html` aria-current="true"`}>${icon(name.startsWith('dark') ? 'moon' : 'sun')}${themeNames[name]}</button>`,
    ),
  )}</div>`

function personMenu(
  { person, adminMode, csrf, address }: Pick<Framed, 'adminMode' | 'csrf' | 'address'> & { person: NonNullable<Framed['person']> },
  counters: readonly Counter[],
): Html {
  const links: MenuLink[] = [
    { label: 'Profile', icon: 'person', href: `/${person.username}` },
    { label: 'Set status', icon: 'smiley', href: '/-/profile/status' },
    ...counters.map(({ label, icon: name, href }) => ({ label, icon: name, href })),
    { label: 'Your projects', icon: 'repo', href: '/dashboard/projects' },
    { label: 'Your groups', icon: 'organization', href: '/dashboard/groups' },
    { label: 'Settings', icon: 'gear', href: '/-/profile' },
    { label: 'Help', icon: 'book', href: '/help' },
    ...(person.admin ? [{ label: 'Administration', icon: 'server', href: '/admin' } as const] : []),
    ...(adminMode === false
      ? [
          {
            label: 'Enter admin mode',
            icon: 'shield-lock',
            href: `${ADMIN_MODE_PATH}/new?${new URLSearchParams({ redirect: address })}`,
          } as const,
        ]
      : []),
  ]
  return menu(`Menu of ${person.name}`, avatar(person, 32), [
    html`<div class="heading-text">${person.name}<br>@${person.username}</div>`,
    ...links.map(menuLink),
    ...(adminMode && csrf !== undefined
      ? [
          html`<form method="post" action="${ADMIN_MODE_PATH}/destroy" data-turbo="false"><input type="hidden" name="authenticity_token" value="${csrf}"><button>${icon('shield-lock')}Leave admin mode</button></form>`,
        ]
      : []),
    html`<hr>${csrf === undefined ? menuLink({ label: 'Sign out', icon: 'sign-out', href: '/users/sign_out' }) : html`<form method="post" action="/users/sign_out" data-turbo="false"><input type="hidden" name="authenticity_token" value="${csrf}"><button>${icon('sign-out')}Sign out</button></form>`}`,
  ])
}
