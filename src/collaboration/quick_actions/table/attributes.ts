/** The quick actions that give a thing attributes: all of them together become one change of it. */
import { type Action, all, both, change, type ProjectNoun, rowOf, type Target } from '../action.ts'
import { iterationNamed, labelsNamed, mayPlan, mayUpdate, milestoneNamed, onPremium, onUltimate } from '../targets.ts'
import { readDay } from './dates.ts'

const isIn = ({ talked }: Target, state: 'opened' | 'closed'): boolean => talked !== undefined && rowOf(talked).state === state

/** Labels that an argument names, as one of the changes of labels; nothing where it names none. */
const labels =
  (made: (names: string[], ids: number[]) => ReturnType<typeof change>): Action['do'] =>
  async (target, argument) => {
    const found = await labelsNamed(target, argument)
    if (found.length === 0) return undefined
    return made(
      found.map(({ name }) => name),
      found.map(({ id }) => id),
    )
  }
const withoutLabels = labels((remove_labels, ids) => change({ remove_labels }, { remove_label_ids: ids }))

/** Those of all things. */
export const attributeActions: Readonly<Record<string, Action>> = {
  close: {
    on: all,
    may: target => mayUpdate(target) && isIn(target, 'opened'),
    do: () => change({ state_event: 'close' }),
  },
  reopen: {
    on: all,
    may: target => mayUpdate(target) && isIn(target, 'closed'),
    do: () => change({ state_event: 'reopen' }),
  },
  title: {
    on: all,
    may: mayUpdate,
    do: (_target, title) => (title === '' || title.length > 255 ? undefined : change({ title })),
  },
  label: {
    on: all,
    names: ['labels'],
    may: mayPlan,
    do: labels((add_labels, ids) => change({ add_labels }, { add_label_ids: ids })),
  },
  unlabel: {
    on: all,
    names: ['remove_label'],
    may: mayPlan,
    do: (target, argument) =>
      argument === '' ? change({ labels: [], add_labels: [] }, { label_ids: [] }) : withoutLabels(target, argument),
  },
  relabel: {
    on: all,
    may: mayPlan,
    do: labels((names, ids) => change({ labels: names, add_labels: [] }, { label_ids: ids })),
  },
}

/** Those of issues and merge requests alike. */
export const projectAttributeActions: Readonly<Record<string, Action<ProjectNoun>>> = {
  milestone: {
    on: both,
    may: mayPlan,
    async do(target, argument) {
      const milestone_id = await milestoneNamed(target, argument)
      return milestone_id === undefined ? undefined : change({ milestone_id })
    },
  },
  remove_milestone: { on: both, may: mayPlan, do: () => change({ milestone_id: null }) },
  lock: { on: both, may: mayPlan, do: () => change({ discussion_locked: true }) },
  unlock: { on: both, may: mayPlan, do: () => change({ discussion_locked: false }) },
}

const healthStatuses = ['on_track', 'needs_attention', 'at_risk'] as const

const issue = ['issue'] as const

/** Those of issues alone. */
export const issueAttributeActions: Readonly<Record<string, Action<'issue'>>> = {
  due: {
    on: issue,
    may: mayPlan,
    do({ ctx }, argument) {
      const due_date = readDay(argument, ctx.now)
      return due_date === undefined ? undefined : change({ due_date })
    },
  },
  remove_due_date: { on: issue, may: mayPlan, do: () => change({ due_date: null }) },
  iteration: {
    on: issue,
    may: onPremium,
    async do(target, argument) {
      const iteration_id = await iterationNamed(target, argument)
      return iteration_id === undefined ? undefined : change({ iteration_id })
    },
  },
  remove_iteration: { on: issue, may: onPremium, do: () => change({ iteration_id: null }) },
  weight: {
    on: issue,
    may: onPremium,
    do: (_target, argument) => (/^\d{1,9}$/.test(argument) ? change({ weight: Number(argument) }) : undefined),
  },
  clear_weight: { on: issue, may: onPremium, do: () => change({ weight: null }) },
  health_status: {
    on: issue,
    may: onUltimate,
    do(_target, argument) {
      const health_status = healthStatuses.find(status => status === argument.toLowerCase())
      return health_status && change({ health_status })
    },
  },
  clear_health_status: { on: issue, may: onUltimate, do: () => change({ health_status: null }) },
  confidential: {
    on: issue,
    may: target => target.talked === undefined || mayPlan(target),
    do: () => change({ confidential: true }),
  },
  promote_to_incident: {
    on: issue,
    may: target => mayUpdate(target) && (target.sofar.issue_type ?? target.talked?.issue.issue_type ?? 'issue') === 'issue',
    do: () => change({ issue_type: 'incident' }),
  },
}
