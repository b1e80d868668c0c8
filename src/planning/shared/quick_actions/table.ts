/** Quick actions of several item kinds: labels, milestones and copying of metadata. */
import { type Action, type Actions, change, type ItemChanges } from '../../../collaboration/quick_actions/action.ts'
import { mayPlan } from '../../../collaboration/quick_actions/targets.ts'
import { labelsById } from '../../labels/queries.ts'
import { itemNamed, labelsNamed, milestoneNamed, type PlannedInProject } from './named.ts'

/** A change of labels from the labels that an argument names; nothing if it names none. */
const labels =
  (
    made: (names: string[], ids: number[]) => { readonly changes: ItemChanges; readonly reported: Readonly<Record<string, unknown>> },
  ): Action['do'] =>
  async (target, argument) => {
    const found = await labelsNamed(target, argument)
    if (found.length === 0) return undefined
    return made(
      found.map(({ name }) => name),
      found.map(({ id }) => id),
    )
  }
const withoutLabels = labels((remove_labels, ids) => change({ remove_labels }, { remove_label_ids: ids }))

/** The actions of all items. */
export const labelActions: Actions = {
  label: {
    names: ['labels'],
    argument: 'label',
    may: mayPlan,
    do: labels((add_labels, ids) => change({ add_labels }, { add_label_ids: ids })),
  },
  unlabel: {
    names: ['remove_label'],
    argument: 'label',
    may: mayPlan,
    do: (target, argument) =>
      argument === '' ? change({ labels: [], add_labels: [] }, { label_ids: [] }) : withoutLabels(target, argument),
  },
  relabel: {
    argument: 'label',
    may: mayPlan,
    do: labels((names, ids) => change({ labels: names, add_labels: [] }, { label_ids: ids })),
  },
}

/** The actions of items of projects. */
export const milestoneActions: Actions<PlannedInProject> = {
  milestone: {
    argument: 'milestone',
    may: mayPlan,
    async do(target, argument) {
      const milestone_id = await milestoneNamed(target, argument)
      return milestone_id === undefined ? undefined : change({ milestone_id })
    },
  },
  remove_milestone: { may: mayPlan, do: () => change({ milestone_id: null }) },
  copy_metadata: {
    argument: 'issue',
    may: mayPlan,
    async do(target, argument) {
      const other = (await itemNamed(target, argument, 'issue')) ?? (await itemNamed(target, argument, 'merge_request'))
      if (!other) return undefined
      const { item, project } = other
      const labels = [...(await labelsById(target.ctx.db, item.label_ids)).values()]
      // Milestones of another project cannot be used here.
      const milestone =
        project?.id === target.place.id && item.milestone_id !== null && item.milestone_id !== undefined
          ? { milestone_id: item.milestone_id }
          : {}
      return change(
        { add_labels: labels.map(({ name }) => name), ...milestone },
        { add_label_ids: labels.map(({ id }) => id), ...milestone },
      )
    },
  },
}
