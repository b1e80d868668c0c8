/** The options of the palette (⌘K): pages, then projects, groups and people that match. */
import { usersMatching } from '../../identity/users/queries.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import type { IconName } from '../../platform/pages/assets/icons.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { part } from '../../platform/pages/frame/document.ts'
import { html } from '../../platform/pages/html.ts'
import { groupPath } from '../../spaces/groups/pages/place.ts'
import { groupsMatching } from '../../spaces/groups/queries.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import { projectsMatching } from '../../spaces/projects/queries.ts'

/** Entries of each kind. */
const MOST = 6

/** A line of the palette. */
interface Option {
  readonly label: string
  readonly hint: string
  readonly icon: IconName
  readonly href: string
}

/** Pages that are reached from everywhere. */
const everywhere: readonly Option[] = [
  { label: 'Home', hint: 'Page', icon: 'home', href: '/' },
  { label: 'Explore projects', hint: 'Page', icon: 'globe', href: '/explore' },
  { label: 'New project', hint: 'Action', icon: 'plus', href: '/projects/new' },
  { label: 'New group', hint: 'Action', icon: 'plus', href: '/groups/new' },
  { label: 'To-dos', hint: 'Page', icon: 'tasklist', href: '/dashboard/todos' },
  { label: 'Settings', hint: 'Page', icon: 'gear', href: '/-/profile' },
  { label: 'API description', hint: 'Page', icon: 'book', href: '/-/docs' },
]

export const showPalette = pageEndpoint({
  route: 'GET /-/palette',
  summary: 'Show what the palette offers for a text',
  scope: inInstance,
  can: 'use_instance',
  params: { search: text('What was typed', { maxLength: 255, default: '' }) },
  async run({ db, actor, params }) {
    const search = params.search.trim()
    const [projects, groups, people] = await Promise.all([
      projectsMatching(db, actor, { ...(search ? { search } : { membership: true }), order_by: 'last_activity_at' })
        .limit(MOST)
        .execute(),
      search ? groupsMatching(db, actor, { search, all_available: true }).limit(MOST).execute() : [],
      search ? usersMatching(db, { search, active: true }, false).limit(MOST).execute() : [],
    ])
    const options: Option[] = [
      ...everywhere.filter(({ label }) => label.toLowerCase().includes(search.toLowerCase())),
      ...projects.map(project => ({ label: project.full_name, hint: 'Project', icon: 'repo' as const, href: projectPath(project) })),
      ...groups.map(group => ({ label: group.full_name, hint: 'Group', icon: 'organization' as const, href: groupPath(group) })),
      ...people.map(({ name, username }) => ({
        label: `${name} @${username}`,
        hint: 'Person',
        icon: 'person' as const,
        href: `/${username}`,
      })),
    ]
    if (options.length === 0) return part(html`<p class="empty muted">Nothing matches.</p>`)
    return part(
      html`${options.map(
        (option, index) =>
          html`<div role="option" id="palette-option-${index}" data-href="${option.href}" aria-selected="false">${icon(option.icon)}<span>${option.label}</span><span class="hint">${option.hint}</span></div>`,
      )}`,
    )
  },
})
