/** What a search found, each kind in its own form (the JSON of the search API becomes HTML). */
import { avatar } from '../../../platform/pages/components/avatar.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { pageLink } from '../../../platform/pages/components/page_link.ts'
import { time } from '../../../platform/pages/components/time.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { groupPath } from '../../../spaces/groups/pages/place.ts'
import { itemList, type ListedItem } from '../../home/item_view.ts'
import { commitPage, revisionPage } from '../../repository/addresses.ts'
import type { SearchScope } from '../entity.ts'

/** What a page searches: what the API does, and groups, which it lists. */
export type PageScope = SearchScope | 'groups'

/** What scopes are called. */
export const scopeNames: Readonly<Record<PageScope, string>> = {
  projects: 'Projects',
  groups: 'Groups',
  issues: 'Issues',
  merge_requests: 'Merge requests',
  milestones: 'Milestones',
  users: 'People',
  notes: 'Comments',
  commits: 'Commits',
  blobs: 'Code',
}

interface FoundProject {
  readonly path_with_namespace: string
  readonly name_with_namespace: string
  readonly description: string | null
  readonly star_count: number
  readonly last_activity_at: string
}

interface FoundGroup {
  readonly full_path: string
  readonly full_name: string
  readonly description: string | null
}

interface FoundUser {
  readonly name: string
  readonly username: string
  readonly avatar_url: string | null
}

interface FoundMilestone {
  readonly title: string
  readonly web_url: string
  readonly state: string
  readonly due_date: string | null
}

interface FoundNote {
  readonly body: string
  readonly created_at: string
  readonly author: FoundUser
  readonly noteable_type: string
  readonly noteable_iid: number | null
  readonly id: number
}

interface FoundCommit {
  readonly id: string
  readonly title: string
  readonly author_name: string
  readonly committed_date: string
}

interface FoundBlob {
  readonly path: string
  readonly ref: string
  readonly startline: number
  readonly data: string
}

/** The project that was searched; undefined for a search of the instance or a group. */
export type Searched = { readonly full_path: string } | undefined

type View = (rows: readonly never[], project: Searched, words: string) => Html

const listOf = (items: readonly Html[]): Html => html`<ul class="list" data-list>${items.map(item => html`<li>${item}</li>`)}</ul>`

const projects = (rows: readonly FoundProject[]): Html =>
  listOf(
    rows.map(
      row =>
        html`${icon('repo')}<div class="main"><div class="title"><a href="/${row.path_with_namespace}">${row.name_with_namespace}</a></div>${row.description && html`<div class="muted small">${row.description}</div>`}</div><div class="facts"><span>${icon('star', 'Stars')} ${row.star_count}</span>${time(row.last_activity_at)}</div>`,
    ),
  )

/** Projects, each of which leads to what its own search finds. */
export const projectChoices = (rows: readonly unknown[], search: string, scope: PageScope): Html =>
  listOf(
    (rows as readonly FoundProject[]).map(
      row =>
        html`${icon('repo')}<div class="main"><div class="title"><a href="/${row.path_with_namespace}/-/search?${new URLSearchParams({ search, scope }).toString()}">${row.name_with_namespace}</a></div></div><div class="facts">${time(row.last_activity_at)}</div>`,
    ),
  )

const groups = (rows: readonly FoundGroup[]): Html =>
  listOf(
    rows.map(
      row =>
        html`${icon('organization')}<div class="main"><div class="title"><a href="${groupPath(row)}">${row.full_name}</a></div>${row.description && html`<div class="muted small">${row.description}</div>`}</div>`,
    ),
  )

const users = (rows: readonly FoundUser[]): Html =>
  listOf(
    rows.map(
      row =>
        html`${avatar(row, 32)}<div class="main"><div class="title"><a href="/${row.username}">${row.name}</a></div><div class="muted small">@${row.username}</div></div>`,
    ),
  )

const milestones = (rows: readonly FoundMilestone[]): Html =>
  listOf(
    rows.map(
      row =>
        html`${icon('milestone')}<div class="main"><div class="title">${pageLink(row.web_url, row.title)}</div><div class="facts"><span>${row.state}</span>${row.due_date !== null && html`<span>due ${row.due_date}</span>`}</div></div>`,
    ),
  )

const notes = (rows: readonly FoundNote[], project: Searched): Html =>
  listOf(
    rows.map(row => {
      const page = row.noteable_type === 'Issue' ? 'issues' : 'merge_requests'
      const name = `${row.noteable_type === 'Issue' ? '#' : '!'}${row.noteable_iid}`
      return html`${avatar(row.author, 32)}<div class="main"><div class="title">${pageLink(`/${project?.full_path}/-/${page}/${row.noteable_iid}#note_${row.id}`, `${row.author.name} on ${name}`)}</div><div class="muted">${row.body.slice(0, SHOWN)}</div><div class="facts">${time(row.created_at)}</div></div>`
    }),
  )

/** Characters of a comment that are shown. */
const SHOWN = 300

const commits = (rows: readonly FoundCommit[], project: Searched): Html =>
  listOf(
    rows.map(
      row =>
        html`${icon('git-commit')}<div class="main"><div class="title"><a href="${commitPage(project ?? { full_path: '' }, row.id)}">${row.title}</a></div><div class="facts"><span class="mono">${row.id.slice(0, 8)}</span><span>${row.author_name}</span>${time(row.committed_date)}</div></div>`,
    ),
  )

/** Characters of a line of code that are shown: some lines are whole files. */
const MOST_OF_LINE = 500
/** Those of them that are shown before the first match. */
const BEFORE_MATCH = 100

/** A line of a found file, with what was looked for marked; of a long one what is around the first match. */
function codeLine(line: string, words: string): Html {
  const sought = words.trim().toLowerCase()
  // Texts that change their length with the case of their letters have their matches elsewhere.
  const lower = line.toLowerCase().length === line.length ? line.toLowerCase() : line
  const first = sought === '' ? -1 : lower.indexOf(sought)
  const from = line.length <= MOST_OF_LINE || first < BEFORE_MATCH ? 0 : first - BEFORE_MATCH
  const to = from + MOST_OF_LINE
  const parts: Html[] = []
  let at = from
  for (let match = first; match !== -1 && match < to; match = lower.indexOf(sought, at)) {
    const end = Math.min(match + sought.length, to)
    parts.push(html`${line.slice(at, match)}<mark>${line.slice(match, end)}</mark>`)
    at = end
  }
  return html`${from > 0 && '…'}${parts}${line.slice(at, to)}${line.length > to && '…'}`
}

const blobs = (rows: readonly FoundBlob[], project: Searched, words: string): Html =>
  html`<div class="stack" data-list>${rows.map(({ path, ref, startline, data }) => {
    const file = revisionPage(project ?? { full_path: '' }, 'blob', ref, path)
    const lines = data.replace(/\n$/, '').split('\n')
    return html`<section class="panel" aria-label="${path}"><header>${icon('file')}<span class="title"><a class="quiet" href="${file}#L${startline}">${path}</a></span></header><table class="code"><tbody>${lines.map((line, index) => html`<tr><td class="number"><a href="${file}#L${startline + index}" data-line="${startline + index}" aria-label="Line ${startline + index}"></a></td><td class="text">${codeLine(line, words)}</td></tr>`)}</tbody></table></section>`
  })}</div>`

const items = (rows: readonly ListedItem[]): Html => itemList(rows)

const views = { projects, groups, issues: items, merge_requests: items, milestones, users, notes, commits, blobs } as unknown as Readonly<
  Record<PageScope, View>
>

/** The rows of a scope as a list. */
export const resultsView = (scope: PageScope, rows: readonly unknown[], project: Searched, words: string): Html =>
  views[scope](rows as never[], project, words)
