/** Quick actions on people: assignees and reviewers. */
import { type Action, type Actions, change, type Effect, type ItemChanges, type ItemTypes, type Target } from '../action.ts'
import { mayPlan, peopleNamed } from '../targets.ts'

type Lister<T extends ItemTypes> = (target: Target<T>) => readonly number[]

/** The three actions on a list of people. Contract: it holds one user on tier `free` (public behaviour at 14.0). */
export function listOfPeople<T extends ItemTypes>(now: Lister<T>, set: (ids: readonly number[]) => Effect<T>) {
  const action = (names: readonly string[], act: Action<T>['do'], may: Action<T>['may'] = mayPlan): Action<T> => ({
    names,
    argument: 'user',
    may,
    do: act,
  })
  return {
    add: (...names: string[]) =>
      action(names, async (target, argument) => {
        const named = await peopleNamed(target, argument)
        if (named.length === 0) return undefined
        return set(target.ctx.tier === 'free' ? named : [...new Set([...now(target), ...named])])
      }),
    remove: (...names: string[]) =>
      action(names, async (target, argument) => {
        if (argument === '' || target.ctx.tier === 'free') return set([])
        const named = await peopleNamed(target, argument)
        return named.length === 0 ? undefined : set(now(target).filter(id => !named.includes(id)))
      }),
    replace: (...names: string[]) =>
      action(
        names,
        async (target, argument) => {
          const named = await peopleNamed(target, argument)
          return named.length === 0 ? undefined : set(named)
        },
        target => target.ctx.tier !== 'free' && mayPlan(target),
      ),
  }
}

/** Items with assignees. */
interface Assignable extends ItemTypes {
  readonly changes: ItemChanges & { readonly assignee_ids?: readonly number[] | undefined }
}

const assignees = listOfPeople<Assignable>(
  ({ sofar, noteable }) => sofar.assignee_ids ?? noteable?.item.assignee_ids ?? [],
  assignee_ids => change({ assignee_ids }),
)

/** The actions of items with assignees. */
export const assigneeActions: Actions<Assignable> = {
  assign: assignees.add(),
  unassign: assignees.remove('remove_assignee'),
  reassign: assignees.replace(),
}
