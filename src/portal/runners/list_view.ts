/** The list of the runners of a project or group. Pure. */
import type { RunnerRow } from '../../ci/runners/queries.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { plainText } from '../../platform/pages/frame/plain_text.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { withParameter } from '../../platform/pages/lists.ts'
import { type RunnersPlace, runnerButtons, runnerItem, runnerName, runnerStates, runnerTypes } from './runner_view.ts'

/** A runner, and whether the caller manages it. */
export type ListedRunner = RunnerRow & { readonly managed: boolean }

export interface RunnersView extends RunnersPlace {
  readonly address: string
  readonly noun: 'project' | 'group'
  readonly sent: Readonly<Record<string, string>>
  readonly rows: readonly ListedRunner[]
  readonly links: Html | undefined
  readonly registration: Html
  /** Of a project: may runners of the instance take its jobs? Undefined where the caller may not say. */
  readonly shared: boolean | undefined
  /** What the instance says about its runners. */
  readonly sharedText: string | null
  /** Runners of other projects of the caller, which the project may have too. */
  readonly others: readonly RunnerRow[]
}

const types = ['project_type', 'group_type', 'instance_type'] as const

export function runnersView(view: RunnersView): Html {
  const { ctx, base, address, noun, sent, rows, links, registration, shared, sharedText, others } = view
  const isFiltered = ['type', 'status', 'tag_list'].some(name => sent[name] !== undefined)
  return html`<div class="heading"><h1>Runners</h1></div>
${registration}
${sharedText && html`<div class="notice section"><div>${plainText(sharedText)}</div></div>`}${shared !== undefined && html`<div class="panel section"><div class="body row apart"><span>Runners of the instance ${shared ? 'may take' : 'take no'} jobs of the project.</span>${actionButton(ctx, { to: `${base}/toggle_shared_runners`, face: shared ? 'Do without them' : 'Let them take jobs', label: shared ? 'Do without them: runners of the instance' : 'Let them take jobs: runners of the instance', sends: { shared_runners_enabled: String(!shared) } })}</div></div>`}
<section class="section"><h2>Runners that can take jobs of the ${noun}</h2>
<nav class="subnav" aria-label="Kind"><a href="${withParameter(address, 'type', undefined)}"${sent.type === undefined && html` aria-current="page"`}>All</a>${types.filter(type => noun === 'project' || type !== 'project_type').map(type => html`<a href="${withParameter(address, 'type', type)}"${sent.type === type && html` aria-current="page"`}>${runnerTypes[type]}</a>`)}</nav>
<form class="filter-bar section" action="${base}">${sent.type !== undefined && html`<input type="hidden" name="type" value="${sent.type}">`}<label class="sr-only" for="status">Status</label><select class="form-control form-select" id="status" name="status"><option value="">Any status</option>${runnerStates.map(([value, word]) => html`<option value="${value}"${sent.status === value && html` selected`}>${word}</option>`)}</select><label class="sr-only" for="tag_list">Tags</label><input class="form-control" id="tag_list" name="tag_list" value="${sent.tag_list ?? ''}" placeholder="Tags, with commas between" autocapitalize="none"><button class="btn">Filter</button></form>
${rows.length > 0 ? html`<ul class="list" data-list>${rows.map(row => runnerItem(view, row, buttonsOf(view, row)))}</ul>${links}` : none(isFiltered)}</section>
${others.length > 0 && html`<section class="section"><h2>Runners of your other projects</h2><ul class="list" data-list>${others.map(row => runnerItem(view, row, actionButton(ctx, { to: `${base}/enable`, face: html`${icon('plus')} Enable`, label: `Enable ${runnerName(row)}`, sends: { runner_id: row.id } }), false))}</ul></section>`}`
}

const buttonsOf = (view: RunnersView, row: ListedRunner): Html | undefined => (row.managed ? runnerButtons(view, row) : undefined)

const none = (isFiltered: boolean): Html =>
  isFiltered
    ? empty({ icon: 'server', title: 'No runners', says: 'None is like this.' })
    : empty({ icon: 'server', title: 'No runners', says: 'Jobs wait until a runner takes them. Register one by the line above.' })
