/** The quick actions that give an issue attributes: all of them together become one change of it. */
import { isEmojiName } from '../markdown/document.ts'
import type { Action } from './actions.ts'
import { readDay } from './dates.ts'
import { iterationNamed, labelsNamed, mayPlan, mayUpdate, milestoneNamed, onPremium, peopleNamed, type Target } from './targets.ts'

const assigneesOf = ({ issue, sofar }: Target): readonly number[] => sofar.assignee_ids ?? issue?.assignee_ids ?? []

const assign = (assignee_ids: readonly number[]) => ({ changes: { assignee_ids }, told: { assignee_ids } })

/** Weight, health and iterations belong to paid tiers. */
const onUltimate = (target: Target) => target.ctx.tier === 'ultimate' && mayPlan(target)

const healthStatuses = ['on_track', 'needs_attention', 'at_risk'] as const

export const attributeActions: Readonly<Record<string, Action>> = {
  close: {
    may: target => mayUpdate(target) && target.issue?.state === 'opened',
    do: () => ({ changes: { state_event: 'close' }, told: { state_event: 'close' } }),
  },
  reopen: {
    may: target => mayUpdate(target) && target.issue?.state === 'closed',
    do: () => ({ changes: { state_event: 'reopen' }, told: { state_event: 'reopen' } }),
  },
  title: {
    may: mayUpdate,
    do: (_target, title) => (title === '' || title.length > 255 ? undefined : { changes: { title }, told: { title } }),
  },
  due: {
    may: mayPlan,
    do({ ctx }, argument) {
      const due_date = readDay(argument, ctx.now)
      return due_date === undefined ? undefined : { changes: { due_date }, told: { due_date } }
    },
  },
  remove_due_date: { may: mayPlan, do: () => ({ changes: { due_date: null }, told: { due_date: null } }) },
  label: {
    names: ['labels'],
    may: mayPlan,
    async do(target, argument) {
      const labels = await labelsNamed(target, argument)
      if (labels.length === 0) return undefined
      return { changes: { add_labels: labels.map(({ name }) => name) }, told: { add_label_ids: labels.map(({ id }) => id) } }
    },
  },
  unlabel: {
    names: ['remove_label'],
    may: mayPlan,
    async do(target, argument) {
      if (argument === '') return { changes: { labels: [], add_labels: [] }, told: { label_ids: [] } }
      const labels = await labelsNamed(target, argument)
      if (labels.length === 0) return undefined
      return { changes: { remove_labels: labels.map(({ name }) => name) }, told: { remove_label_ids: labels.map(({ id }) => id) } }
    },
  },
  relabel: {
    may: mayPlan,
    async do(target, argument) {
      const labels = await labelsNamed(target, argument)
      if (labels.length === 0) return undefined
      return { changes: { labels: labels.map(({ name }) => name), add_labels: [] }, told: { label_ids: labels.map(({ id }) => id) } }
    },
  },
  assign: {
    may: mayPlan,
    async do(target, argument) {
      const people = await peopleNamed(target, argument)
      if (people.length === 0) return undefined
      return assign(target.ctx.tier === 'free' ? people : [...new Set([...assigneesOf(target), ...people])])
    },
  },
  unassign: {
    names: ['remove_assignee'],
    may: mayPlan,
    async do(target, argument) {
      if (argument === '' || target.ctx.tier === 'free') return assign([])
      const people = await peopleNamed(target, argument)
      return people.length === 0 ? undefined : assign(assigneesOf(target).filter(id => !people.includes(id)))
    },
  },
  reassign: {
    may: target => target.ctx.tier !== 'free' && mayPlan(target),
    async do(target, argument) {
      const people = await peopleNamed(target, argument)
      return people.length === 0 ? undefined : assign(people)
    },
  },
  milestone: {
    may: mayPlan,
    async do(target, argument) {
      const milestone_id = await milestoneNamed(target, argument)
      return milestone_id === undefined ? undefined : { changes: { milestone_id }, told: { milestone_id } }
    },
  },
  remove_milestone: { may: mayPlan, do: () => ({ changes: { milestone_id: null }, told: { milestone_id: null } }) },
  iteration: {
    may: onPremium,
    async do(target, argument) {
      const iteration_id = await iterationNamed(target, argument)
      return iteration_id === undefined ? undefined : { changes: { iteration_id }, told: { iteration_id } }
    },
  },
  remove_iteration: { may: onPremium, do: () => ({ changes: { iteration_id: null }, told: { iteration_id: null } }) },
  weight: {
    may: onPremium,
    do(_target, argument) {
      const weight = /^\d{1,9}$/.test(argument) ? Number(argument) : undefined
      return weight === undefined ? undefined : { changes: { weight }, told: { weight } }
    },
  },
  clear_weight: { may: onPremium, do: () => ({ changes: { weight: null }, told: { weight: null } }) },
  health_status: {
    may: onUltimate,
    do(_target, argument) {
      const health_status = healthStatuses.find(status => status === argument.toLowerCase())
      return health_status && { changes: { health_status }, told: { health_status } }
    },
  },
  clear_health_status: { may: onUltimate, do: () => ({ changes: { health_status: null }, told: { health_status: null } }) },
  confidential: {
    may: target => target.issue === undefined || mayPlan(target),
    do: () => ({ changes: { confidential: true }, told: { confidential: true } }),
  },
  lock: { may: mayPlan, do: () => ({ changes: { discussion_locked: true }, told: { discussion_locked: true } }) },
  unlock: { may: mayPlan, do: () => ({ changes: { discussion_locked: false }, told: { discussion_locked: false } }) },
  promote_to_incident: {
    may: target => mayUpdate(target) && (target.sofar.issue_type ?? target.issue?.issue_type ?? 'issue') === 'issue',
    do: () => ({ changes: { issue_type: 'incident' }, told: { issue_type: 'incident' } }),
  },
}

/** The name of the emoji that an argument names, `:tada:` or `tada`. */
export function emojiNamed(argument: string): string | undefined {
  const name = argument.match(/^:?([a-z0-9_+-]+):?$/)?.[1]
  return name !== undefined && isEmojiName(name) ? name : undefined
}
