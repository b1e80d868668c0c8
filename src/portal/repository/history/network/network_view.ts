/** The view of the graph of commits: a table, and in each of its rows the part of the drawing that is beside it. Pure. */
import type { Commit } from '../../../../platform/git/index.ts'
import { icon } from '../../../../platform/pages/components/icon.ts'
import { time } from '../../../../platform/pages/components/time.ts'
import { type Html, html } from '../../../../platform/pages/html.ts'
import { commitPage, revisionPage } from '../../addresses.ts'
import { type Accounts, personView } from '../people.ts'
import type { DrawnRow } from './lanes.ts'
import type { NamedCommit } from './queries.ts'

/** Of a row and of a lane, in px. The style sheet has the same height for rows. */
const HEIGHT = 32
const WIDTH = 14

/** Lanes have one of so many colours, and are drawn beside each other; those beyond lie on the last one. */
const COLOURS = 8
export const MOST_LANES = 20

/** Names of branches and tags beside a commit. */
const MOST_NAMES = 3

/** What a page of the graph shows. */
export interface NetworkView {
  readonly project: { readonly full_path: string }
  readonly rows: readonly (DrawnRow & { readonly commit: Commit })[]
  readonly names: ReadonlyMap<string, readonly NamedCommit[]>
  readonly accounts: Accounts
  /** The commit that the address names. */
  readonly current: string
}

export const networkTable = (view: NetworkView): Html => {
  const lanes = Math.max(1, ...view.rows.flatMap(({ lane, passing, leaving }) => [lane, ...passing, ...leaving].map(at => at + 1)))
  return html`<div class="panel scroll" tabindex="0" role="region" aria-label="Graph"><table class="network" data-list><thead class="sr-only"><tr><th scope="col">Parents</th><th scope="col">Commit</th><th scope="col">Author</th><th scope="col">Committed</th></tr></thead>
<tbody>${view.rows.map(row => networkRow(view, row, lanes))}</tbody></table></div>`
}

function networkRow({ project, names, accounts, current }: NetworkView, row: NetworkView['rows'][number], lanes: number): Html {
  const { id, title, author, committer, parent_ids } = row.commit
  const { name, email } = author
  return html`
<tr id="c${id.slice(0, 12)}"${id === current && html` aria-current="true"`}><td class="graph"><span class="sr-only">${parentsText(parent_ids)}</span>${drawing(row, lanes)}</td><td class="title"><div>${namesView(project, names.get(id) ?? [])}<a href="${commitPage(project, id)}" title="${title}">${title || 'No message'}</a></div></td><td class="person">${personView(accounts, { name, email })}</td><td class="when muted">${time(committer.date)}</td></tr>`
}

const parentsText = (parents: readonly string[]): string =>
  parents.length === 0
    ? 'The first commit'
    : `${parents.length > 1 ? 'Merge of ' : ''}${parents.map(parent => parent.slice(0, 8)).join(', ')}`

const namesView = (project: NetworkView['project'], names: readonly NamedCommit[]): Html | undefined =>
  names.length === 0
    ? undefined
    : html`<span class="names">${names.slice(0, MOST_NAMES).map(({ type, name }) => html`<a class="chip${type === 'branch' ? ' accent' : ''}" href="${revisionPage(project, 'network', name)}" title="${name}">${icon(type === 'tag' ? 'tag' : 'git-branch', type)}<span class="truncate">${name}</span></a> `)}${names.length > MOST_NAMES && html`<span class="muted small">and ${names.length - MOST_NAMES} more</span> `}</span>`

const centre = (lane: number): number => lane * WIDTH + WIDTH / 2
const colour = (lane: number): string => `lane-${lane % COLOURS}`

/** The part of the graph in a row: what passes, what comes from above, what goes to parents, and the commit on top. */
function drawing({ lane, isReached, passing, leaving, commit }: NetworkView['rows'][number], lanes: number): Html {
  const [x, middle] = [centre(lane), HEIGHT / 2]
  const line = (of: number, path: string) => html`<path class="${colour(of)}" d="${path}"/>`
  const bend = (to: number) => (to === x ? `M${x} ${middle}V${HEIGHT}` : `M${x} ${middle}C${x} ${HEIGHT} ${to} ${middle} ${to} ${HEIGHT}`)
  return html`<svg width="${lanes * WIDTH}" height="${HEIGHT}" viewBox="0 0 ${lanes * WIDTH} ${HEIGHT}" aria-hidden="true">${passing.map(at => line(at, `M${centre(at)} 0V${HEIGHT}`))}${isReached && line(lane, `M${x} 0V${middle}`)}${leaving.map(at => line(at === lane ? lane : at, bend(centre(at))))}<circle class="${colour(lane)}${commit.parent_ids.length > 1 ? ' merge' : ''}" cx="${x}" cy="${middle}" r="4"/></svg>`
}
