/** The payload of issues (webhook events, 14.0). */

import { presentTimeStats } from '../../../collaboration/time_tracking/time_stats.ts'
import { presentSummary } from '../../../identity/users/entity.ts'
import { type UserRow, usersById } from '../../../identity/users/queries.ts'
import type { IssueRow } from '../../../planning/issues/queries.ts'
import { labelsById } from '../../../planning/labels/queries.ts'
import type { ChangeSet } from '../../../platform/events/audit/kinds.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'
import { projectPart, repositoryPart, userPart } from './project.ts'

/** The action on an issue; undefined in a test of a hook. */
export interface IssueAction {
  readonly action: 'open' | 'update' | 'close' | 'reopen' | undefined
  readonly changes: ChangeSet
}

/** Contract: payloads contain states also as numbers. */
const stateIds: Readonly<Record<string, number>> = { opened: 1, closed: 2 }

type People = Awaited<ReturnType<typeof usersById>>
type Labels = Awaited<ReturnType<typeof labelsById>>

/** The payload of an action on an issue. */
export async function issuePayload(
  ctx: Context,
  project: ProjectRow,
  issue: IssueRow,
  user: UserRow | undefined,
  { action, changes }: IssueAction,
): Promise<object> {
  const named = (field: string) => [changes[field]?.from, changes[field]?.to].flatMap(ids => (ids as number[] | undefined) ?? [])
  const people = await usersById(ctx.db, [...new Set([...issue.assignee_ids, ...named('assignees')])])
  const labels = await labelsById(ctx.db, [...new Set([...issue.label_ids, ...named('labels')])])
  const assignees = peopleIn(issue.assignee_ids, people, ctx)
  const shownLabels = labelsIn(issue.label_ids, labels)
  return {
    object_kind: 'issue',
    event_type: issue.confidential ? 'confidential_issue' : 'issue',
    user: userPart(user, ctx),
    project: projectPart(project, ctx),
    object_attributes: { ...attributesOf(issue, project, ctx), labels: shownLabels, ...(action ? { action } : {}) },
    labels: shownLabels,
    changes: shownChanges(changes, people, labels, stateIds, ctx),
    repository: repositoryPart(project, ctx),
    ...(assignees.length > 0 ? { assignees } : {}),
  }
}

/** The fields of an issue in payloads, without its labels. */
export const attributesOf = (row: IssueRow, project: ProjectRow, { url }: Context) => ({
  id: row.id,
  iid: row.iid,
  title: row.title,
  description: row.description,
  assignee_id: row.assignee_ids[0] ?? null,
  assignee_ids: row.assignee_ids,
  author_id: row.author_id,
  project_id: row.project_id,
  milestone_id: row.milestone_id,
  confidential: row.confidential,
  discussion_locked: row.discussion_locked,
  due_date: row.due_date,
  moved_to_id: row.moved_to_id,
  duplicated_to_id: row.duplicated_to_id,
  last_edited_at: row.last_edited_at,
  last_edited_by_id: row.last_edited_by_id,
  closed_at: row.closed_at,
  weight: row.weight,
  health_status: row.health_status,
  state: row.state,
  state_id: stateIds[row.state],
  ...presentTimeStats(row),
  created_at: row.created_at,
  updated_at: row.updated_at,
  url: `${url}/${project.full_path}/-/issues/${row.iid}`,
})

/** Changes in payloads: users and labels in full, states as numbers, the rest unchanged. */
export function shownChanges(changes: ChangeSet, people: People, labels: Labels, states: Readonly<Record<string, number>>, ctx: Context) {
  const shown = ([field, { from, to }]: [string, ChangeSet[string]]): [string, { previous: unknown; current: unknown }] => {
    if (field === 'assignees' || field === 'reviewers')
      return [field, { previous: peopleIn(from as number[], people, ctx), current: peopleIn(to as number[], people, ctx) }]
    if (field === 'labels') return [field, { previous: labelsIn(from as number[], labels), current: labelsIn(to as number[], labels) }]
    if (field === 'state') return ['state_id', { previous: states[from as string], current: states[to as string] }]
    return [field, { previous: from, current: to }]
  }
  return Object.fromEntries(Object.entries(changes).map(shown))
}

/** Users in payloads. */
export const peopleIn = (ids: readonly number[], people: People, ctx: Context) =>
  ids.flatMap(id => {
    const person = people.get(id)
    if (!person) return []
    const { name, username, avatar_url } = presentSummary(person, ctx)
    return [{ id, name, username, avatar_url }]
  })

/** Labels in payloads. */
export const labelsIn = (ids: readonly number[], labels: Labels) =>
  ids.flatMap(id => {
    const label = labels.get(id)
    if (!label) return []
    const { name: title, color, project_id, namespace_id: group_id, description, created_at, updated_at } = label
    return [
      {
        id,
        title,
        color,
        project_id,
        group_id,
        description,
        type: project_id === null ? 'GroupLabel' : 'ProjectLabel',
        created_at,
        updated_at,
      },
    ]
  })
