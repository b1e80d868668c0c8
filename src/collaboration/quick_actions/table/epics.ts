/** The quick actions about epics: putting an issue into one or making it one (decision 38), and epics below epics. */
import { assignChild, unassignChild } from '../../../planning/epics/children/commands.ts'
import { promoteIssueToEpic } from '../../../planning/epics/issues/commands.ts'
import { planningPlaceOf } from '../../../spaces/places/project_places.ts'
import { type Action, change } from '../action.ts'
import { epicNamed, onPremium, onUltimate } from '../targets.ts'

const issue = ['issue'] as const

export const epicActions: Readonly<Record<string, Action<'issue'>>> = {
  epic: {
    on: issue,
    may: onPremium,
    async do(target, argument) {
      const found = await epicNamed(target, argument)
      return found && planningPlaceOf(target.place).above.includes(found.namespace_id) ? change({ epic_id: found.id }) : undefined
    },
  },
  remove_epic: { on: issue, may: onPremium, do: () => change({ epic_id: null }) },
  promote: {
    on: issue,
    // What has become an epic stays that one.
    may: target => onPremium(target) && !target.talked?.issue.promoted_to_epic_id,
    do: () => ({
      // Contract: what document 3 "Note created by the promote quick action" shows.
      told: { promote_to_epic: true },
      // Contract: refused with 400 for a project outside a group (decision 38).
      after: async (ctx, { project, issue }) => void (await promoteIssueToEpic(ctx, project, issue)),
    }),
  },
}

const epic = ['epic'] as const

/** Epics below epics, of the group or of one below it. What would make a circle or too many levels is refused. */
export const familyActions: Readonly<Record<string, Action<'epic'>>> = {
  parent_epic: {
    on: epic,
    may: onUltimate,
    async do(target, argument) {
      const parent = await epicNamed(target, argument)
      return parent && target.place.traversal_ids.includes(parent.namespace_id) ? change({ parent_id: parent.id }) : undefined
    },
  },
  remove_parent_epic: {
    on: epic,
    may: onUltimate,
    do: ({ talked }) => (talked?.epic.parent_id ? change({ parent_id: null }) : undefined),
  },
  child_epic: {
    on: epic,
    may: onUltimate,
    async do(target, argument) {
      const child = await epicNamed(target, argument)
      if (!child?.group_traversal_ids.includes(target.place.id)) return undefined
      return { told: { child_epic_id: child.id }, after: async (ctx, { epic }) => void (await assignChild(ctx, epic, child)) }
    },
  },
  remove_child_epic: {
    on: epic,
    may: onUltimate,
    async do(target, argument) {
      const child = await epicNamed(target, argument)
      if (!child || child.parent_id !== target.talked?.epic.id) return undefined
      return { told: { child_epic_id: child.id }, after: async ctx => void (await unassignChild(ctx, child)) }
    },
  },
}
