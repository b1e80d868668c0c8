/** Cards: what a reference names, in a few lines. Pure. */
import type { StatusRow } from '../../identity/user_status/queries.ts'
import type { UserRow } from '../../identity/users/queries.ts'
import type { Commit } from '../../platform/git/index.ts'
import { avatar, type Pictured, people } from '../../platform/pages/components/avatar.ts'
import { chip, type Tone, visibilityChip } from '../../platform/pages/components/chip.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { time } from '../../platform/pages/components/time.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { statusView } from '../people/status_view.ts'

/** The JSON of an item of any kind, as far as a card shows it. */
export interface ShownItem {
  readonly title: string
  readonly state: string
  readonly created_at: string
  readonly references: { readonly full: string }
  readonly author: Pictured
  readonly assignees?: readonly Pictured[]
  readonly milestone?: { readonly title: string } | null
  readonly labels?: readonly (string | { readonly name: string })[]
  readonly due_date?: string | null
  readonly confidential?: boolean
  readonly draft?: boolean
  readonly source_branch?: string
  readonly target_branch?: string
}

const states: Readonly<Record<string, readonly [says: string, tone: Tone]>> = {
  opened: ['Open', 'success'],
  closed: ['Closed', 'danger'],
  merged: ['Merged', 'done'],
  locked: ['Being merged', 'attention'],
  active: ['Open', 'success'],
}

const stateOf = (state: string): Html => {
  const [says, tone] = states[state] ?? ([state, 'plain'] as const)
  return chip(says, tone)
}

/** Labels that a card shows. */
const FEW = 5

const card = (head: Html, title: string, facts: Html): Html =>
  html`<div class="row">${head}</div><p class="strong hover-card-title">${title}</p><div class="facts">${facts}</div>`

export function itemCard(item: ShownItem, reference: string): Html {
  const { title, state, created_at, references, author, assignees = [], milestone, labels = [], due_date } = item
  const names = labels.map(label => (typeof label === 'string' ? label : label.name))
  return card(
    html`${stateOf(state)}${item.draft && chip('Draft')}${item.confidential && chip('Confidential', 'attention', 'lock')}<span class="muted small">${references.full.endsWith(reference) ? references.full : reference}</span>`,
    title,
    html`<span>by ${author.name} ${time(created_at)}</span>${item.source_branch !== undefined && html`<span class="mono">${item.source_branch} → ${item.target_branch}</span>`}${milestone && html`<span>${icon('milestone', 'Milestone')} ${milestone.title}</span>`}${due_date && html`<span>${icon('calendar', 'Due')} ${due_date}</span>`}${names.slice(0, FEW).map(name => chip(name))}${names.length > FEW && html`<span>+${names.length - FEW}</span>`}${people(assignees.map(person => ['Assigned to', person]))}`,
  )
}

interface ShownMilestone {
  readonly title: string
  readonly state: string
  readonly start_date: string | null
  readonly due_date: string | null
  readonly expired: boolean
}

export const milestoneCard = ({ title, state, start_date, due_date, expired }: ShownMilestone, place: string): Html =>
  card(
    html`${stateOf(state)}${expired && state === 'active' && chip('Overdue', 'danger')}<span class="muted small">${place}</span>`,
    title,
    html`<span>${icon('calendar', 'Dates')} ${start_date === null && due_date === null ? 'No dates' : `${start_date ?? ''} to ${due_date ?? 'no end'}`}</span>`,
  )

export const commitCard = ({ id, title, author }: Commit): Html =>
  card(
    html`${icon('git-commit', 'Commit')}<span class="mono small">${id.slice(0, 8)}</span>`,
    title || id.slice(0, 8),
    html`<span>by ${author.name} ${time(author.date)}</span>`,
  )

type ShownUser = Pick<UserRow, 'name' | 'username' | 'avatar_url' | 'bio' | 'job_title' | 'organization' | 'kind'>

export const userCard = ({ name, username, avatar_url, bio, job_title, organization, kind }: ShownUser, status: StatusRow): Html =>
  card(
    html`${avatar({ name, avatar_url }, 32)}<span class="muted">@${username}</span>${kind !== 'human' && chip('Bot')}`,
    name,
    html`${statusView(status)}${[job_title, organization].filter(Boolean).length > 0 && html`<span>${[job_title, organization].filter(Boolean).join(' at ')}</span>`}${bio && html`<span>${bio.slice(0, 200)}</span>`}`,
  )

export const groupCard = ({
  name,
  full_path,
  visibility,
  description,
}: {
  readonly name: string
  readonly full_path: string
  readonly visibility: string
  readonly description: string | null
}): Html =>
  card(
    html`${icon('organization', 'Group')}<span class="muted">${full_path}</span>${visibilityChip(visibility)}`,
    name,
    html`${description && html`<span>${description.slice(0, 200)}</span>`}`,
  )
