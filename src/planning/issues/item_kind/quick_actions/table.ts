/** Quick actions of issues only: dates, weights, iterations, and relations to other issues and projects. */

import { sql } from 'kysely'
import { splitAtReferences } from '../../../../collaboration/markdown/references.ts'
import type { Noteable } from '../../../../collaboration/notes/items/noteable.ts'
import { type Actions, change, type ItemTypes, type Target } from '../../../../collaboration/quick_actions/action.ts'
import { LONGEST_DATE, readDay } from '../../../../collaboration/quick_actions/table/dates.ts'
import { mayPlan, mayUpdate, onPremium, onUltimate } from '../../../../collaboration/quick_actions/targets.ts'
import { anyOf } from '../../../../platform/db/statements/any.ts'
import { badRequest } from '../../../../platform/kernel/errors.ts'
import { planningPlaceOf } from '../../../../spaces/places/places.ts'
import type { ProjectWithRole } from '../../../../spaces/projects/scope.ts'
import { itemNamed } from '../../../shared/quick_actions/named.ts'
import { type IssueChanges, updateIssue } from '../../changes/update.ts'
import { linkIssues } from '../../links/commands.ts'
import type { IssueRow } from '../../queries.ts'
import { cloneIssue, moveIssue } from '../../relocation/commands.ts'
import type { NoteableIssue } from '../noteable.ts'

/** Issues as the type parameter of quick actions. */
export interface IssueTypes extends ItemTypes {
  readonly place: ProjectWithRole
  readonly noteable: NoteableIssue
  readonly row: IssueRow
  readonly changes: IssueChanges
}

/** Issues that one `/relate` names: each is looked for by itself. */
const MOST_RELATED = 20

/** The word by which `/clone` takes the notes along. */
const WITH_NOTES = '--with_notes'

const healthStatuses = ['on_track', 'needs_attention', 'at_risk'] as const

/** The iteration of a group above that an argument names: `*iteration:12`, `*iteration:"Title"`. */
async function iterationNamed({ ctx, place }: Target<IssueTypes>, argument: string): Promise<number | undefined> {
  const [, id, quoted, word] = argument.match(/^\*iteration:(?:(\d{1,18})|"([^"]+)"|(\S+))$/) ?? []
  const title = quoted ?? word
  if (id === undefined && title === undefined) return undefined
  const found = await ctx.db
    .selectFrom('iterations')
    .select('id')
    .where('namespace_id', '=', anyOf(planningPlaceOf(place).above))
    .where(id === undefined ? 'title' : 'id', '=', (id === undefined ? title : Number(id)) as never)
    .executeTakeFirst()
  return found?.id
}

/** Actions that set attributes of an issue. */
export const issueAttributeActions: Actions<IssueTypes> = {
  due: {
    argument: ['today', 'tomorrow', 'in 3 days', 'next week', 'in 2 weeks', 'next month'],
    longest: LONGEST_DATE,
    may: mayPlan,
    do({ ctx }, argument) {
      const due_date = readDay(argument, ctx.now)
      return due_date === undefined ? undefined : change({ due_date })
    },
  },
  remove_due_date: { may: mayPlan, do: () => change({ due_date: null }) },
  iteration: {
    argument: 'iteration',
    may: onPremium,
    async do(target, argument) {
      const iteration_id = await iterationNamed(target, argument)
      return iteration_id === undefined ? undefined : change({ iteration_id })
    },
  },
  remove_iteration: { may: onPremium, do: () => change({ iteration_id: null }) },
  weight: {
    may: onPremium,
    do: (_target, argument) => (/^\d{1,9}$/.test(argument) ? change({ weight: Number(argument) }) : undefined),
  },
  clear_weight: { may: onPremium, do: () => change({ weight: null }) },
  health_status: {
    argument: healthStatuses,
    may: onUltimate,
    do(_target, argument) {
      const health_status = healthStatuses.find(status => status === argument.toLowerCase())
      return health_status && change({ health_status })
    },
  },
  clear_health_status: { may: onUltimate, do: () => change({ health_status: null }) },
  confidential: {
    may: target => target.noteable === undefined || mayPlan(target),
    do: () => change({ confidential: true }),
  },
  promote_to_incident: {
    may: target => mayUpdate(target) && (target.sofar.issue_type ?? target.noteable?.item.issue_type ?? 'issue') === 'issue',
    do: () => change({ issue_type: 'incident' }),
  },
}

/** Actions that refer to other issues and projects. */
export const issueRelationActions: Actions<IssueTypes> = {
  move: {
    argument: 'project',
    once: true,
    may: target => target.noteable !== undefined && mayUpdate(target),
    do: (_target, path) =>
      path === ''
        ? undefined
        : { reported: { target_project: path }, after: async (ctx, { project, item }) => void (await moveIssue(ctx, project, item, path)) },
  },
  clone: {
    argument: 'project',
    once: true,
    may: target => target.noteable !== undefined && mayPlan(target),
    do({ place }, argument) {
      const withNotes = argument.includes(WITH_NOTES)
      const path = argument.replace(WITH_NOTES, '').trim()
      const to = path === '' ? place.full_path : path
      return {
        reported: { clone_target_project: to },
        after: async (ctx, { project, item }) => void (await cloneIssue(ctx, project, item, to, withNotes)),
      }
    },
  },
  relate: {
    argument: 'issue',
    may: mayPlan,
    async do(target, argument) {
      const named = splitAtReferences(argument).flatMap(piece => (typeof piece === 'object' && piece.kind === 'issue' ? [piece.text] : []))
      if (named.length > MOST_RELATED) throw badRequest(`/relate takes ${MOST_RELATED} issues at most, not ${named.length}`)
      const found: Noteable[] = []
      for (const text of named) {
        const other = await itemNamed(target, text, 'issue')
        if (other) found.push(other)
      }
      if (found.length === 0) return undefined
      return {
        reported: { related_issues: found.map(({ item }) => item.id) },
        async after(ctx, { item: issue }) {
          const linked = await ctx.db
            .selectFrom('issue_links')
            .select(sql<number>`source_id + target_id - ${issue.id}::bigint`.as('id'))
            .where(({ or, eb }) => or([eb('source_id', '=', issue.id), eb('target_id', '=', issue.id)]))
            .execute()
          const known = new Set([issue.id, ...linked.map(({ id }) => id)])
          for (const other of found) {
            if (known.has(other.item.id)) continue
            known.add(other.item.id)
            await linkIssues(ctx, issue, { target_project_id: String(other.project?.id), target_issue_iid: other.item.iid })
          }
        },
      }
    },
  },
  duplicate: {
    argument: 'issue',
    may: target => target.noteable !== undefined && mayUpdate(target),
    async do(target, argument) {
      const other = await itemNamed(target, argument, 'issue')
      if (!other || other.item.id === target.noteable?.item.id) return undefined
      return {
        reported: { canonical_issue_id: other.item.id },
        after: async (ctx, { project, item }) =>
          void (await updateIssue(ctx, project, item, { state_event: 'close', duplicated_to_id: other.item.id })),
      }
    },
  },
}
