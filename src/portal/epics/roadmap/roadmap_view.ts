/** A roadmap as HTML: rows of bars over columns of time, drawn as SVG, and the same as a table for those who cannot see it. Pure. */
import { closedShare } from '../../../planning/shared/progress.ts'
import { chip } from '../../../platform/pages/components/chip.ts'
import { empty } from '../../../platform/pages/components/empty.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { pageLink } from '../../../platform/pages/components/page_link.ts'
import { dataTable } from '../../../platform/pages/components/table.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { progressWords } from '../../iterations/iterations_view.ts'
import type { EpicNode } from '../contents/load.ts'
import { datesText, epicIcon } from '../list_view.ts'
import { MOST_EPICS, MOST_ROWS, type Roadmap, type RoadmapMilestone } from './load.ts'
import { barOf, type Column, positionOf, type Scale, scales, shifted } from './timeframe.ts'

interface Controls {
  readonly base: string
  readonly scale: Scale
  readonly from: string | undefined
  readonly state: string
  readonly labels: string
  readonly search: string
  readonly columns: readonly Column[]
  /** Of the labels that can be chosen. */
  readonly names: readonly string[]
}

const scaleNames: Readonly<Record<Scale, string>> = { weeks: 'Weeks', months: 'Months', quarters: 'Quarters' }

const stateNames = [
  ['opened', 'Open'],
  ['closed', 'Closed'],
  ['all', 'Open and closed'],
] as const

/** Columns by which a step leads on. */
const STEP = 6

/** What is shown, and of which time. */
export function roadmapControls({ base, scale, from, state, labels, search, columns, names }: Controls): Html {
  const to = (changes: Readonly<Record<string, string | undefined>>): string => {
    const all = { scale, from, state, labels, search, ...changes }
    const query = new URLSearchParams(Object.entries(all).filter((entry): entry is [string, string] => Boolean(entry[1])))
    return `${base}?${query}`
  }
  const first = (columns[0] as Column).first
  return html`<form class="filter-bar" action="${base}" role="search"><input type="hidden" name="scale" value="${scale}">${from !== undefined && html`<input type="hidden" name="from" value="${from}">`}<label class="sr-only" for="roadmap-search">Find epics</label><input class="form-control" type="search" id="roadmap-search" name="search" value="${search}" placeholder="Words of the title or description" autocomplete="off" data-hotkey="f"><label class="sr-only" for="roadmap-state">State</label><select class="form-control form-select" id="roadmap-state" name="state">${stateNames.map(([value, label]) => html`<option value="${value}"${value === state && html` selected`}>${label}</option>`)}</select><label class="sr-only" for="roadmap-label">Label</label><select class="form-control form-select" id="roadmap-label" name="labels"><option value="">Any label</option>${names.map(name => html`<option value="${name}"${name === labels && html` selected`}>${name}</option>`)}</select><button class="btn">${icon('search')} Filter</button></form>
<div class="row apart list-controls"><nav class="subnav" aria-label="Scale">${scales.map(name => html`<a href="${to({ scale: name, from: undefined })}"${name === scale && html` aria-current="page"`}>${scaleNames[name]}</a>`)}</nav><nav class="row" aria-label="Time"><a class="btn btn-sm" href="${to({ from: shifted(scale, first, -STEP) })}" rel="prev">Earlier</a><a class="btn btn-sm" href="${to({ from: undefined })}">Today</a><a class="btn btn-sm" href="${to({ from: shifted(scale, first, STEP) })}" rel="next">Later</a></nav></div>`
}

/** The roadmap itself, and what it does not show. */
export function roadmapView(roadmap: Roadmap, columns: readonly Column[], today: string): Html {
  const { rows, undated, elsewhere, isCut, milestones } = roadmap
  const drawn: Drawn = { columns, now: todayAt(columns, today) }
  const isNone = rows.length === 0 && milestones.length === 0
  return html`${
    isNone
      ? empty({
          icon: 'project-roadmap',
          title: 'No epics in this time',
          says: 'Epics with a first or last day are shown here as bars. Their days are fixed, or come from the milestones of their issues.',
        })
      : html`<div class="panel scroll roadmap-box" tabindex="0" role="region" aria-label="Roadmap"><div class="roadmap">
<div class="roadmap-row roadmap-head"><div class="roadmap-name muted small">Epic</div><ol class="roadmap-columns">${columns.map(({ label, first, next }) => html`<li${today >= first && today < next && html` class="current"`}>${label}</li>`)}</ol></div>
${milestones.length > 0 && html`<ul class="plain-list roadmap-milestones">${milestones.map(milestone => milestoneRow(milestone, drawn))}</ul>`}
<ul class="plain-list">${rows.map(node => epicRow(node, drawn, 0))}</ul></div></div>
<details class="roadmap-table"><summary class="small muted">As a table</summary>${tableOf(rows, milestones)}</details>`
  }
${notes(elsewhere, isCut)}
${undated.length > 0 && html`<details class="section"><summary>${undated.length} without days</summary><ul class="list">${undated.map(({ title, href, state }) => html`<li>${epicIcon(state)}<div class="main"><div class="title"><a href="${href}">${title}</a></div></div></li>`)}</ul></details>`}`
}

function notes(elsewhere: number, isCut: boolean): Html | undefined {
  const said = [
    ...(elsewhere > 0 ? [`${elsewhere} ${elsewhere === 1 ? 'epic lies' : 'epics lie'} before or after this time.`] : []),
    ...(isCut ? [`At most ${MOST_ROWS} rows of the ${MOST_EPICS} latest epics are shown: filter them to see others.`] : []),
  ]
  return said.length === 0 ? undefined : html`<p class="muted">${said.join(' ')}</p>`
}

/** What every row is drawn with. */
interface Drawn {
  readonly columns: readonly Column[]
  /** Where today is, in columns; undefined where it is not shown. */
  readonly now: number | undefined
}

function todayAt(columns: readonly Column[], today: string): number | undefined {
  const isShown = today >= (columns[0] as Column).first && today < (columns.at(-1) as Column).next
  return isShown ? positionOf(columns, today) : undefined
}

/** Of a column, and of a row, in the drawing. It is stretched to the width of the page. */
const WIDTH = 100
const HEIGHT = 32

const at = (columns: number): string => (columns * WIDTH).toFixed(1)

/** The lines of the columns, and of today, as high as the row; and what stands on them, as high as a bar. */
const trackOf = ({ columns, now }: Drawn, says: string, body: Html | undefined): Html => {
  const line = (name: string, columns: number) =>
    html`<line class="${name}" x1="${at(columns)}" x2="${at(columns)}" y1="0" y2="${HEIGHT}"></line>`
  const layer = (name: string, drawn: Html) =>
    html`<svg class="${name}" viewBox="0 0 ${columns.length * WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${drawn}</svg>`
  const ground = html`${columns.slice(1).map((_, index) => line('grid', index + 1))}${now !== undefined && line('today', now)}`
  return html`<div class="roadmap-track" title="${says}">${layer('ground', ground)}${layer('bars', html`${body}`)}</div>`
}

function epicBar({ start_date, due_date, state, progress }: EpicNode, columns: readonly Column[]): Html | undefined {
  const bar = barOf(columns, start_date, due_date)
  if (!bar) return undefined
  const share = state === 'closed' ? 1 : closedShare(progress)
  const isLoose = start_date === null || due_date === null
  return html`<rect class="bar${state === 'closed' ? ' closed' : ''}${isLoose ? ' loose' : ''}" x="${at(bar.from)}" width="${at(bar.to - bar.from)}" y="8" height="16"></rect><rect class="done" x="${at(bar.from)}" width="${at((bar.to - bar.from) * share)}" y="8" height="16"></rect>`
}

/** Levels that are set off from each other; deeper ones stand like the last. */
const LEVELS = 4

function epicRow(node: EpicNode, drawn: Drawn, level: number): Html {
  const { title, href, state, confidential, progress, children } = node
  const says = `${title}: ${datesText(node) ?? 'without days'}; ${progressWords(progress)}`
  return html`<li><div class="roadmap-row"><div class="roadmap-name level-${Math.min(level, LEVELS)}"><div class="title">${epicIcon(state)} <a href="${href}">${title}</a>${confidential && html` ${icon('lock', 'Confidential')}`}</div><div class="muted small">${datesText(node) ?? 'without days'}</div></div>${trackOf(drawn, says, epicBar(node, drawn.columns))}</div>${children.length > 0 && html`<details><summary class="small muted roadmap-name level-${Math.min(level, LEVELS)}">${children.length} below</summary><ul class="plain-list">${children.map(child => epicRow(child, drawn, level + 1))}</ul></details>`}</li>`
}

function milestoneRow(milestone: RoadmapMilestone, drawn: Drawn): Html {
  const { title, href, start_date, due_date } = milestone
  const bar = barOf(drawn.columns, start_date ?? due_date, due_date)
  const body =
    bar &&
    html`<rect class="span" x="${at(bar.from)}" width="${at(bar.to - bar.from)}" y="14" height="4"></rect><line class="due" x1="${at(bar.to)}" x2="${at(bar.to)}" y1="6" y2="26"></line>`
  return html`<li><div class="roadmap-row"><div class="roadmap-name"><div class="title">${icon('milestone', 'Milestone')} ${pageLink(href, title)}</div><div class="muted small">${datesText(milestone)}</div></div>${trackOf(drawn, `${title}: ${datesText(milestone)}`, body)}</div></li>`
}

/** A line of the table. */
interface TableLine {
  readonly name: Html
  readonly state: Html | string
  readonly start_date: string | null
  readonly due_date: string | null
  readonly progress: string
}

/** The same as a table. */
function tableOf(rows: readonly EpicNode[], milestones: readonly RoadmapMilestone[]): Html {
  const lines = (nodes: readonly EpicNode[], above: string): TableLine[] =>
    nodes.flatMap(node => {
      const path = above === '' ? node.title : `${above} › ${node.title}`
      const line = {
        name: html`<a href="${node.href}">${path}</a>`,
        state: node.state === 'opened' ? chip('Open', 'success') : chip('Closed', 'done'),
        start_date: node.start_date,
        due_date: node.due_date,
        progress: progressWords(node.progress),
      }
      return [line, ...lines(node.children, path)]
    })
  const ofMilestones = milestones.map(({ title, href, start_date, due_date }) => ({
    name: pageLink(href, title),
    state: 'Milestone',
    start_date,
    due_date,
    progress: '',
  }))
  return dataTable<TableLine>({
    label: 'Roadmap as a table',
    rows: [...ofMilestones, ...lines(rows, '')],
    columns: [
      { title: 'Name', cell: ({ name }) => name },
      { title: 'State', cell: ({ state }) => state },
      { title: 'Begins', className: 'nowrap', cell: ({ start_date }) => start_date ?? '–' },
      { title: 'Ends', className: 'nowrap', cell: ({ due_date }) => due_date ?? '–' },
      { title: 'Progress', cell: ({ progress }) => progress },
    ],
  })
}
