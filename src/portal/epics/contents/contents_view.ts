/** What is in an epic, as HTML: the tree of epics below it, and its issues; those who plan add, order and remove. Pure. */
import type { Context } from '../../../platform/kernel/context.ts'
import { type Pictured, people } from '../../../platform/pages/components/avatar.ts'
import { chip } from '../../../platform/pages/components/chip.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { actionButton } from '../../../platform/pages/forms/action.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { datesText, epicIcon, progressCell } from '../list_view.ts'
import type { Contents, EpicNode } from './load.ts'

/** The JSON of an issue, as far as its epic shows it. */
export interface IssueOfEpic {
  readonly id: number
  readonly title: string
  readonly web_url: string
  readonly state: string
  readonly weight: number | null
  readonly confidential: boolean
  readonly references: { readonly full: string }
  readonly assignees: readonly Pictured[]
  readonly milestone: { readonly title: string } | null
}

interface Frame {
  /** The path of the epic's page. */
  readonly page: string
  readonly mayPlan: boolean
}

/** A form behind a button, which a frame loads when it is opened. */
const opened = (page: string, address: string, face: string): Html =>
  html`<details class="menu side-menu"><summary class="btn btn-sm">${icon('plus')} ${face}</summary><div class="menu-items"><turbo-frame id="${address.replaceAll('/', '-')}" target="_top" loading="lazy" src="${page}/${address}"><a href="${page}/${address}">${face}</a></turbo-frame></div></details>`

/** Both parts of what is in an epic. */
export function contentsView(ctx: Pick<Context, 'actor' | 'deps'>, contents: Contents, frame: Frame): Html {
  const { children, issues, isCut, hasTree } = contents
  const { page, mayPlan } = frame
  const isEmpty = children.length === 0 && issues.length === 0
  if (isEmpty && !mayPlan) return html`<p class="muted">Nothing is in this epic that you may see.</p>`
  const buttons = (parts: readonly Html[]): Html | undefined => (mayPlan ? html`<div class="row">${parts}</div>` : undefined)
  return html`${
    hasTree &&
    html`<section class="section" aria-label="Epics in it"><div class="row apart part-head"><h2>Epics</h2>${buttons([opened(page, 'children/new', 'New epic'), opened(page, 'children/add', 'Add an epic')])}</div>${children.length === 0 ? html`<p class="muted">No epic is in it.</p>` : html`<ul class="list tree">${children.map((node, index) => childItem(ctx, frame, node, [children[index - 1], children[index + 1]]))}</ul>`}${isCut.epics && html`<p class="muted">More epics are in it than are shown here.</p>`}</section>`
  }
<section class="section" aria-label="Issues in it"><div class="row apart part-head"><h2>Issues</h2>${buttons([opened(page, 'issues/add', 'Add an issue')])}</div>${issues.length === 0 ? html`<p class="muted">No issue is in it.</p>` : html`<ul class="list">${issues.map((issue, index) => issueItem(ctx, frame, issue, [issues[index - 1], issues[index + 1]]))}</ul>`}${isCut.issues && html`<p class="muted">More issues are in it than are shown here.</p>`}</section>`
}

/** What can be done with a part of the epic. `at`: its address; `around`: what stands before and after it. */
function partButtons(
  ctx: Pick<Context, 'actor' | 'deps'>,
  at: string,
  title: string,
  [before, after]: readonly [{ readonly id: number } | undefined, { readonly id: number } | undefined],
): Html {
  return html`<div class="row tight">${before && actionButton(ctx, { to: `${at}/move`, face: icon('arrow-up'), label: `Move up: ${title}`, look: 'bare', sends: { move_after_id: before.id } })}${after && actionButton(ctx, { to: `${at}/move`, face: icon('arrow-down'), label: `Move down: ${title}`, look: 'bare', sends: { move_before_id: after.id } })}${actionButton(ctx, { to: `${at}/remove`, face: icon('x'), label: `Take out of the epic: ${title}`, look: 'bare' })}</div>`
}

const confidentialChip = chip('Confidential', 'attention', 'lock')

/** An epic of the tree; undefined `around`: it is not the page's own child, and is ordered on the page of its parent. */
function childItem(
  ctx: Pick<Context, 'actor' | 'deps'>,
  frame: Frame,
  node: EpicNode,
  around: readonly [EpicNode | undefined, EpicNode | undefined] | undefined,
): Html {
  const { id, title, href, state, confidential, progress, children } = node
  const days = datesText(node)
  return html`<li>${epicIcon(state)}<div class="main"><div class="title"><a href="${href}">${title}</a>${confidential && html` ${confidentialChip}`}</div>${days !== undefined && html`<div class="facts"><span>${icon('calendar', 'Days')} ${days}</span></div>`}</div>${progressCell(progress)}${frame.mayPlan && around && partButtons(ctx, `${frame.page}/children/${id}`, title, around)}${children.length > 0 && html`<details class="below" open><summary class="small muted">${children.length} below</summary><ul class="list tree">${children.map(child => childItem(ctx, frame, child, undefined))}</ul></details>`}</li>`
}

function issueItem(
  ctx: Pick<Context, 'actor' | 'deps'>,
  { page, mayPlan }: Frame,
  issue: IssueOfEpic,
  around: readonly [IssueOfEpic | undefined, IssueOfEpic | undefined],
): Html {
  const { id, title, web_url, state, weight, confidential, references, assignees, milestone } = issue
  return html`<li>${state === 'opened' ? icon('issue-opened', 'Open') : icon('issue-closed', 'Closed')}<div class="main"><div class="title"><a href="${web_url}">${title}</a>${confidential && html` ${confidentialChip}`}</div><div class="facts"><span>${references.full}</span>${milestone && html`<span>${icon('milestone', 'Milestone')} ${milestone.title}</span>`}${weight !== null && html`<span>weight ${weight}</span>`}</div></div><div class="facts">${people(assignees.map(person => ['Assigned to', person]))}</div>${mayPlan && partButtons(ctx, `${page}/issues/${id}`, title, around)}</li>`
}
