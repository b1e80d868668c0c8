/** The options of the palette (⌘K): pages, then projects, groups and people that match. */
import { usersMatching } from '../../identity/users/queries.ts'
import { listIssues } from '../../planning/issues/lists/endpoints.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { optional, text } from '../../platform/kernel/declaration/types.ts'
import { answerOf } from '../../platform/pages/answers.ts'
import type { IconName } from '../../platform/pages/assets/icons.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { part } from '../../platform/pages/frame/document.ts'
import { type Theme, themeNames, themes } from '../../platform/pages/frame/theme.ts'
import { html } from '../../platform/pages/html.ts'
import { listMergeRequests } from '../../review/merge_requests/lists/endpoints.ts'
import { groupPath } from '../../spaces/groups/pages/place.ts'
import { groupsMatching } from '../../spaces/groups/queries.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import { projectsMatching } from '../../spaces/projects/queries.ts'
import { pagesNear, placeAround, settingsNear } from './settings.ts'

/** Entries of each kind. */
const MOST = 6

/** A line of the palette. */
interface Option {
  readonly label: string
  readonly hint: string
  readonly icon: IconName
  readonly href: string
  /** The colours that it shows, in place of another page. */
  readonly theme?: Theme
}

/** The fields of an issue or merge request that a line shows. */
interface Titled {
  readonly title: string
  readonly web_url: string
  readonly references: { readonly full: string }
}

/** Pages that are offered before anything is typed. */
const FIRST = 8

/** Pages that are reached from everywhere. */
const everywhere: readonly Option[] = [
  { label: 'Home', hint: 'Page', icon: 'home', href: '/' },
  { label: 'To-dos', hint: 'Page', icon: 'tasklist', href: '/dashboard/todos' },
  { label: 'Issues assigned to you', hint: 'Page', icon: 'issue-opened', href: '/dashboard/issues' },
  { label: 'Merge requests assigned to you', hint: 'Page', icon: 'git-pull-request', href: '/dashboard/merge_requests' },
  { label: 'New project', hint: 'Action', icon: 'plus', href: '/projects/new' },
  { label: 'Import project', hint: 'Action', icon: 'download', href: '/projects/import' },
  { label: 'New group', hint: 'Action', icon: 'plus', href: '/groups/new' },
  { label: 'New snippet', hint: 'Action', icon: 'plus', href: '/-/snippets/new' },
  { label: 'Set status', hint: 'Action', icon: 'smiley', href: '/-/profile/status' },
  { label: 'Settings', hint: 'Page', icon: 'gear', href: '/-/profile' },
  { label: 'Your projects', hint: 'Page', icon: 'repo', href: '/dashboard/projects' },
  { label: 'Starred projects', hint: 'Page', icon: 'star', href: '/dashboard/projects?filter=starred' },
  { label: 'Your groups', hint: 'Page', icon: 'organization', href: '/dashboard/groups' },
  { label: 'Explore projects', hint: 'Page', icon: 'globe', href: '/explore' },
  { label: 'Explore groups', hint: 'Page', icon: 'globe', href: '/explore/groups' },
  { label: 'Activity', hint: 'Page', icon: 'pulse', href: '/dashboard/activity' },
  { label: 'New access token', hint: 'Action', icon: 'key', href: '/-/profile/personal_access_tokens' },
  { label: 'Import group', hint: 'Action', icon: 'download', href: '/import/gitlab_group/new' },
  { label: 'Migrations from other servers', hint: 'Page', icon: 'server', href: '/import/bulk_imports' },
  { label: 'Add SSH key', hint: 'Action', icon: 'key', href: '/-/profile/keys/new' },
  { label: 'Change password', hint: 'Action', icon: 'lock', href: '/-/profile/password/edit' },
  { label: 'Sessions', hint: 'Page', icon: 'globe', href: '/-/profile/active_sessions' },
  { label: 'Preferences', hint: 'Page', icon: 'gear', href: '/-/profile/preferences' },
  { label: 'Sign out', hint: 'Action', icon: 'sign-out', href: '/users/sign_out' },
  { label: 'Help', hint: 'Page', icon: 'book', href: '/help' },
  { label: 'API', hint: 'Page', icon: 'code', href: '/-/docs' },
]

/** The colours: a script shows them at the moment they are chosen. */
const ofColours: readonly Option[] = themes.map(theme => ({
  label: `Colour theme: ${themeNames[theme]}`,
  hint: 'Action',
  icon: theme.startsWith('dark') ? 'moon' : 'sun',
  href: `/-/profile/preferences#${theme}`,
  theme,
}))

/** What administrators reach besides the pages of the administration. */
const ofAdministrators: readonly Option[] = [
  { label: 'New account', hint: 'Administration', icon: 'plus', href: '/admin/users/new' },
  { label: 'Settings of the instance', hint: 'Administration', icon: 'gear', href: '/admin/application_settings/general' },
]

/** Characters from which on titles are searched. */
const WORD = 3

export const showPalette = pageEndpoint({
  route: 'GET /-/palette',
  summary: 'Show what the palette offers for a text',
  scope: inInstance,
  can: 'use_instance',
  params: {
    search: text('What was typed', { maxLength: 255, default: '' }),
    from: optional(text('The path of the page on which it was typed; pages and settings of its place are offered', { maxLength: 2_048 })),
  },
  async run(ctx) {
    const { db, actor, params } = ctx
    const search = params.search.trim()
    const titled = { search, in: 'title', scope: 'all', state: 'opened', per_page: MOST }
    const place = search === '' ? undefined : await placeAround(ctx, params.from ?? '/')
    const near = search === '' ? [] : pagesNear(ctx, place, search)
    const [settings, projects, groups, people, issues, mergeRequests] = await Promise.all([
      search.length >= WORD ? settingsNear(ctx, place, search) : [],
      projectsMatching(db, actor, { ...(search ? { search } : { membership: true }), order_by: 'last_activity_at' })
        .limit(MOST)
        .execute(),
      search ? groupsMatching(db, actor, { search, all_available: true }).limit(MOST).execute() : [],
      search ? usersMatching(db, { search, active: true }, false).limit(MOST).execute() : [],
      search.length >= WORD ? answerOf(ctx, listIssues, titled).then(({ rows }) => rows as readonly Titled[]) : [],
      search.length >= WORD ? answerOf(ctx, listMergeRequests, titled).then(({ rows }) => rows as readonly Titled[]) : [],
    ])
    const pages = [...everywhere, ...(isAdmin(actor) ? ofAdministrators : []), ...ofColours]
    const item = ({ title, references, web_url }: Titled, icon: IconName): Option => ({
      label: title,
      hint: references.full,
      icon,
      href: new URL(web_url).pathname,
    })
    const reached = new Set(near.map(({ href }) => href))
    const options: Option[] = [
      ...near.map(({ where, ...page }) => ({ ...page, hint: where })),
      ...pages.filter(({ label }) => label.toLowerCase().includes(search.toLowerCase())).slice(0, search ? pages.length : FIRST),
      ...settings
        .filter(({ href }) => !reached.has(href))
        .slice(0, MOST)
        .map(({ label, where, href }) => ({ label, hint: where, icon: 'gear' as const, href })),
      ...projects.map(project => ({ label: project.full_name, hint: 'Project', icon: 'repo' as const, href: projectPath(project) })),
      ...groups.map(group => ({ label: group.full_name, hint: 'Group', icon: 'organization' as const, href: groupPath(group) })),
      ...people.map(({ name, username }) => ({
        label: `${name} @${username}`,
        hint: 'Person',
        icon: 'person' as const,
        href: `/${username}`,
      })),
      ...issues.map(issue => item(issue, 'issue-opened')),
      ...mergeRequests.map(mergeRequest => item(mergeRequest, 'git-pull-request')),
    ]
    if (options.length === 0) return part(html`<p class="empty muted">Nothing matches.</p>`)
    return part(
      html`${options.map(
        (option, index) =>
          html`<div role="option" id="palette-option-${index}" data-href="${option.href}"${option.theme !== undefined && html` data-theme="${option.theme}"`} aria-selected="false">${icon(option.icon)}<span>${option.label}</span><span class="hint">${option.hint}</span></div>`,
      )}`,
    )
  },
})
