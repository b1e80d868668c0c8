/** Approvals in the merge box: who approved, and each rule with who can approve for it. Pure. */
import type { Context } from '../../../platform/kernel/context.ts'
import { avatar, type Pictured } from '../../../platform/pages/components/avatar.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { actionButton } from '../../../platform/pages/forms/action.ts'
import { csrfField } from '../../../platform/pages/forms/declare.ts'
import { type Html, html } from '../../../platform/pages/html.ts'

type Person = Pictured & { readonly id: number; readonly username: string }

/** The JSON of an approval rule with its state, as far as the box shows it. */
export interface ShownRule {
  readonly id: number | null
  readonly name: string
  readonly rule_type: string
  readonly approvals_required: number
  readonly eligible_approvers: readonly Person[]
  readonly approved_by: readonly Person[]
  readonly approved: boolean
  readonly section: string | null
}

/** The JSON of approvals, as far as the box shows it. */
export interface ShownApprovals {
  readonly user_has_approved: boolean
  readonly user_can_approve: boolean
  readonly approved: boolean
  readonly approved_by: readonly { readonly user: Person }[]
  readonly approvals_required?: number
  readonly approvals_left?: number
  readonly require_password_to_approve?: boolean
}

export interface ApprovalsPart extends ShownApprovals {
  readonly rules: readonly ShownRule[]
  /** Has the merge request rules of its own? */
  readonly areOwn: boolean
  readonly mayChange: boolean
}

/** People who can approve that are named; the others are counted. */
const MOST_NAMED = 5

const named = (people: readonly Person[]): Html =>
  html`${people.slice(0, MOST_NAMED).map(person => html`<a class="quiet nowrap" href="/${person.username}" title="${person.name}">${avatar(person, 20)} ${person.name}</a> `)}${people.length > MOST_NAMED && html`<span class="muted">and ${people.length - MOST_NAMED} more</span>`}`

/** The button of the caller: to approve, or to take an approval back. */
export function approveButton(ctx: Context, approvals: ShownApprovals, page: string, sha: string | null): Html | undefined {
  if (approvals.user_has_approved) return actionButton(ctx, { to: `${page}/unapprove`, face: 'Take back' })
  if (!approvals.user_can_approve) return undefined
  if (approvals.require_password_to_approve)
    return html`<form class="row" method="post" action="${page}/approve">${csrfField(ctx)}${sha !== null && html`<input type="hidden" name="sha" value="${sha}">`}<label class="sr-only" for="approval-password">Your password</label><input class="form-control input-sm" type="password" id="approval-password" name="approval_password" autocomplete="current-password" placeholder="Your password" required><button class="btn btn-sm btn-primary">Approve</button></form>`
  return actionButton(ctx, { to: `${page}/approve`, face: 'Approve', look: 'primary', sends: sha === null ? {} : { sha } })
}

/**
 * Who can give an approval that is missing, said to the caller: to approve is also open to people whom no rule that is not met counts, where only
 * code owners are waited for, say.
 */
export function whoCanApprove({ user_can_approve, rules }: ApprovalsPart, userId: number | undefined): string {
  if (!user_can_approve) return 'The rules above say who can approve.'
  const isCounted = rules.some(
    ({ approved, rule_type, eligible_approvers }) =>
      !approved && (rule_type === 'any_approver' || eligible_approvers.some(({ id }) => id === userId)),
  )
  return isCounted ? 'You may approve.' : 'Your approval would not count for it: the rules above say whose does.'
}

/** Each rule with its state. */
export function rulesView(approvals: ApprovalsPart, page: string): Html {
  const { rules, mayChange, areOwn } = approvals
  if (rules.length === 0)
    return html`${mayChange && html`<p class="small"><a href="${page}/approval_rules/new">Add an approval rule</a></p>`}`
  return html`<details class="approval-rules"><summary class="small">${rules.length} approval ${rules.length === 1 ? 'rule' : 'rules'}${areOwn && ' of this merge request'}</summary><ul class="plain-list">${rules.map(rule => html`<li class="row">${icon(rule.approved ? 'check' : 'clock', rule.approved ? 'Met' : 'Not met yet')}<span><strong>${rule.name}</strong> ${rule.rule_type === 'code_owner' && html`<span class="muted">Code owners${rule.section !== null && html`, ${rule.section}`}</span> `}<span class="muted">${rule.approved_by.length} of ${rule.approvals_required}</span> ${rule.approved_by.length > 0 && html`<span class="muted">by</span> ${named(rule.approved_by)}`}${rule.approved && rule.approved_by.length < rule.approvals_required && html`<span class="muted">No more people can approve for it, so no more are asked for</span>`}${!rule.approved && html`<span class="muted">${rule.rule_type === 'any_approver' ? 'Anyone who may approve' : rule.eligible_approvers.length === 0 ? 'Nobody can approve for it' : html`Can approve: ${named(rule.eligible_approvers.filter(({ id }) => !rule.approved_by.some(person => person.id === id)))}`}</span>`}</span>${mayChange && areOwn && rule.id !== null && rule.rule_type !== 'code_owner' && html`<a class="small" href="${page}/approval_rules/${rule.id}/edit">Change<span class="sr-only"> the rule ${rule.name}</span></a>`}</li>`)}</ul>${mayChange && html`<p class="small"><a href="${page}/approval_rules/new">Add an approval rule</a>${!areOwn && html` <span class="muted">Rules of the merge request take the place of the project’s.</span>`}</p>`}</details>`
}
