/** How a migration goes: all of it in numbers, and each group and project. */
import type { EntityRow, MigrationRow } from '../../../integrations/bulk_imports/queries.ts'
import type { MigrationState } from '../../../integrations/bulk_imports/states.ts'
import { dataTable } from '../../../platform/pages/components/table.ts'
import { time } from '../../../platform/pages/components/time.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { withParameter } from '../../../platform/pages/lists.ts'
import { stateChip, stateChips } from '../reports.ts'
import { MIGRATIONS } from '../ways.ts'
import type { MigratedPlace } from './places.ts'

type Counts = readonly { readonly status: MigrationState; readonly count: number }[]

const order: readonly MigrationState[] = ['started', 'created', 'finished', 'failed']

/** The state of the whole, how far it is, and the filter by state. */
export function progressView(address: string, { status, url, created_at }: MigrationRow, counts: Counts, chosen: string | undefined): Html {
  const of = (state: MigrationState): number => counts.find(each => each.status === state)?.count ?? 0
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const ended = of('finished') + of('failed')
  const tab = (state: MigrationState | undefined, label: string, count: number) =>
    html`<a href="${withParameter(address, 'status', state)}"${state === chosen && html` aria-current="page"`}>${label} <span class="counter">${count}</span></a>`
  return html`<div class="row">${stateChip(status)}<span class="break">from ${url}</span><span>asked for ${time(created_at)}</span></div>
<p><progress max="${total}" value="${ended}" aria-label="Groups and projects that have ended"></progress> ${ended} of ${total} groups and projects have ended${status !== 'finished' && status !== 'failed' && ' so far; others are found on the way'}.</p>
<nav class="subnav" aria-label="State">${tab(undefined, 'All', total)}${order.filter(state => of(state) > 0).map(state => tab(state, stateChips[state]?.[0] ?? state, of(state)))}</nav>`
}

const steps: Readonly<Record<EntityRow['step'], string>> = {
  begin: 'begins',
  labels: 'labels',
  milestones: 'milestones',
  members: 'members',
  children: 'subgroups and projects',
  export: 'waits for the archive of the other server',
  import: 'reads the archive',
  rest: 'what is left',
  done: '',
}

interface Shown {
  readonly rows: readonly EntityRow[]
  /** How many parts of each could not come. */
  readonly missing: ReadonlyMap<number, number>
  readonly places: ReadonlyMap<number, MigratedPlace>
}

/** The groups and projects, with where they come to and what could not come. */
export function entityTable({ rows, missing, places }: Shown): Html {
  const toCome = ({ destination_namespace, destination_slug }: EntityRow) =>
    [destination_namespace, destination_slug].filter(Boolean).join('/')
  const place = (row: EntityRow) => {
    const made = places.get(row.id)
    return made ? html`<a class="break" href="${made.href}">${made.full_path}</a>` : html`<span class="muted break">${toCome(row)}</span>`
  }
  const absent = ({ id, bulk_import_id }: EntityRow) => {
    const count = missing.get(id) ?? 0
    return count > 0 && html`<a href="${MIGRATIONS}/${bulk_import_id}/entities/${id}">${count} missing</a>`
  }
  return dataTable({
    label: 'Groups and projects',
    rows,
    columns: [
      { title: 'There', cell: ({ source_full_path }) => html`<span class="break">${source_full_path}</span>` },
      { title: 'Kind', cell: ({ source_type }) => (source_type === 'group_entity' ? 'Group' : 'Project') },
      { title: 'Here', cell: place },
      {
        title: 'State',
        cell: ({ status, step }) =>
          html`${stateChip(status)}${status === 'started' && steps[step] && html` <span class="muted small">${steps[step]}</span>`}`,
      },
      { title: 'Report', cell: absent },
    ],
  })
}
