/** The quick actions that name people: whom a thing is assigned to, and who is asked to review. */
import { type Action, both, change, type Effect, type Noun, type ProjectNoun, rowOf, type Target } from '../action.ts'
import { mayPlan, peopleNamed } from '../targets.ts'

type Lister<N extends Noun> = (target: Target<N>) => readonly number[]

/** The three ways of naming people for one list of them. Contract: it holds one person on tier `free` (public behaviour at 14.0). */
function people<N extends Noun>(on: readonly N[], now: Lister<N>, set: (ids: readonly number[]) => Effect<N>) {
  const action = (names: readonly string[], act: Action<N>['do'], may: Action<N>['may'] = mayPlan): Action<N> => ({
    on,
    names,
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

const assignees = people(
  both,
  ({ sofar, talked }) => sofar.assignee_ids ?? (talked ? rowOf<ProjectNoun>(talked).assignee_ids : []),
  assignee_ids => change({ assignee_ids }),
)
const reviewers = people<'merge_request'>(
  ['merge_request'],
  ({ sofar, talked }) => sofar.reviewer_ids ?? talked?.mergeRequest.reviewer_ids ?? [],
  reviewer_ids => change({ reviewer_ids }),
)

export const assigneeActions: Readonly<Record<string, Action<ProjectNoun>>> = {
  assign: assignees.add(),
  unassign: assignees.remove('remove_assignee'),
  reassign: assignees.replace(),
}

export const reviewerActions: Readonly<Record<string, Action<'merge_request'>>> = {
  assign_reviewer: reviewers.add('reviewer', 'request_review'),
  unassign_reviewer: reviewers.remove('remove_reviewer'),
  reassign_reviewer: reviewers.replace(),
}
