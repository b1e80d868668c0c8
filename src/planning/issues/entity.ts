/** An issue as JSON (document 3 "Issue"). */
import Type from 'typebox'
import { References, referencesOf } from '../../collaboration/item_kinds/references.ts'
import { presentTimeStats, timeStatsFields } from '../../collaboration/time_tracking/time_stats.ts'
import { presentSummary, summaryFields } from '../../identity/users/entity.ts'
import { idsOf, peopleById } from '../../identity/users/queries.ts'
import { allows } from '../../platform/access/abilities.ts'
import { choice, entity } from '../../platform/kernel/answer/entity.ts'
import type { Context, Facts } from '../../platform/kernel/context.ts'
import { DateTime, Day, described, flag, integer, Nullable, onTier, text } from '../../platform/kernel/declaration/types.ts'
import { projectsWithRoleById } from '../../spaces/projects/queries.ts'
import { projectSubject } from '../../spaces/projects/scope.ts'
import { labelDetailFields, presentLabelDetails } from '../labels/entity.ts'
import { labelsById } from '../labels/queries.ts'
import {
  EmbeddedIteration,
  EmbeddedMilestone,
  embeddedIterations,
  embeddedMilestones,
  presentIteration,
  presentMilestone,
} from '../shared/embedded.ts'
import { EmbeddedEpic, embeddedEpics, presentEpic } from '../shared/epics.ts'
import { taskStatus } from '../shared/task_lists.ts'
import { visibleMergeRequestCounts } from './item_kind/counts.ts'
import { subscribedIssues } from './item_kind/subscribed.ts'
import type { IssueRow } from './queries.ts'

const User = Type.Object(summaryFields)

const fields = {
  id: integer('ID, unique on the instance'),
  iid: integer('Number within the project or group'),
  project_id: integer('ID of the project'),
  title: text('Title'),
  description: Nullable(text('Description; null or empty where there is none')),
  state: text('`opened` or `closed`'),
  created_at: DateTime('When it was created'),
  updated_at: DateTime('When it was last changed'),
  closed_at: Nullable(DateTime('When it was closed; null while it is open')),
  closed_by: Nullable(described('The user who closed it; null while it is open', User)),
  milestone: Nullable(described('The milestone; null where there is none', EmbeddedMilestone)),
  assignees: described('Users it is assigned to', Type.Array(User)),
  author: described('The user who created it', User),
  type: text('Type in capitals: `ISSUE` or `INCIDENT`'),
  assignee: Nullable(described('The first assignee; null where there is none', User), { deprecated: true }),
  user_notes_count: integer('Number of notes by users'),
  merge_requests_count: integer('Number of merge requests that close it and that the caller may see'),
  upvotes: integer('Number of thumbs up'),
  downvotes: integer('Number of thumbs down'),
  due_date: Nullable(Day('Last day; null where none is set')),
  confidential: flag('Whether only members with the Reporter role or higher, authors and assignees may see it'),
  discussion_locked: flag('Whether only members may comment'),
  issue_type: text('Type of the issue: `issue` or `incident`'),
  web_url: text('Address of the page for people'),
  time_stats: described('Estimate and time spent', Type.Object(timeStatsFields)),
  has_tasks: flag('Whether the description has a list of tasks'),
  task_status: text('Completed tasks in words'),
  task_completion_status: described(
    'Completed tasks in numbers',
    Type.Object({ count: integer('Number of tasks'), completed_count: integer('Number of completed tasks') }),
  ),
  _links: described(
    'Addresses of this object and what belongs to it',
    Type.Object({
      self: text('Address of this object in the API'),
      notes: text('Address of the notes'),
      award_emoji: text('Address of its reactions'),
      project: text('Address of the project'),
    }),
  ),
  reference: text('Reference as it is written within the project or group', { deprecated: true }),
  references: described('References as they are written in texts', References),
  moved_to_id: Nullable(integer('ID of the issue that it was moved to; null where it was not')),
  service_desk_reply_to: Nullable(
    text('Address of who wrote it by mail, without an account, for the Reporter role and above; null for other callers and issues'),
  ),
  weight: onTier('premium', Nullable(integer('Weight; null where none is set'))),
  epic_iid: onTier('premium', Nullable(integer('Number of the epic in its group; null where there is none'), { deprecated: true })),
  epic: onTier('premium', Nullable(described('The epic; null where there is none', EmbeddedEpic))),
  iteration: onTier('premium', Nullable(described('The iteration; null where there is none', EmbeddedIteration))),
  health_status: onTier('ultimate', Nullable(text('`on_track`, `needs_attention` or `at_risk`; null where none is set'))),
}

/** Loads what a page of issues shows besides its rows. */
async function load(ctx: Context, rows: readonly IssueRow[]) {
  const { db, actor } = ctx
  const people = [...idsOf(rows, 'author_id'), ...idsOf(rows, 'closed_by_id'), ...rows.flatMap(row => row.assignee_ids)]
  const milestoneIds = idsOf(rows, 'milestone_id')
  const fromDesk = idsOf(
    rows.filter(({ service_desk_reply_to }) => service_desk_reply_to !== null),
    'project_id',
  )
  const none = Promise.resolve(new Map<number, never>())
  const [desks, users, labels, milestones, iterations, epics, mergeRequests] = await Promise.all([
    // The address of a person is for those who answer them, also where the issue is open to others.
    projectsWithAbility(ctx, fromDesk),
    peopleById(ctx, [...new Set(people)]),
    labelsById(db, [...new Set(rows.flatMap(row => row.label_ids))]),
    // Skipped for no ids: the response to a creation waits for each statement.
    milestoneIds.length === 0 ? none : embeddedMilestones(db, milestoneIds),
    embeddedIterations(db, idsOf(rows, 'iteration_id')),
    embeddedEpics(db, actor, idsOf(rows, 'epic_id')),
    visibleMergeRequestCounts(db, actor, rows),
  ])
  return { desks, users, labels, milestones, iterations, epics, mergeRequests }
}

/** The projects among these in which the actor looks after issues. */
async function projectsWithAbility({ db, actor }: Context, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const projects = await projectsWithRoleById(db, actor, ids)
  return new Set(
    [...projects.values()].filter(project => allows(actor, 'admin_issue', projectSubject(project)) === 'yes').map(({ id }) => id),
  )
}

type Loaded = Awaited<ReturnType<typeof load>>

/** The labels of an issue, by name. */
const labelsOf = (row: IssueRow, { labels }: Loaded) =>
  row.label_ids.flatMap(id => labels.get(id) ?? []).sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id))

function present(row: IssueRow, loaded: Loaded, facts: Facts) {
  const api = `${facts.url}/api/v4/projects/${row.project_id}`
  const self = `${api}/issues/${row.iid}`
  const user = (id: number | null) => {
    const found = id === null ? undefined : loaded.users.get(id)
    return found ? presentSummary(found, facts) : null
  }
  const assignees = row.assignee_ids.flatMap(id => user(id) ?? [])
  const milestone = row.milestone_id === null ? undefined : loaded.milestones.get(row.milestone_id)
  const iteration = row.iteration_id === null ? undefined : loaded.iterations.get(row.iteration_id)
  const epic = row.epic_id === null ? undefined : loaded.epics.get(row.epic_id)
  const references = referencesOf('#', row.iid, row.project_path, row.asked_in)
  const tasks = { count: row.tasks_count, completed: row.tasks_completed_count }
  return {
    id: row.id,
    iid: row.iid,
    project_id: row.project_id,
    title: row.title,
    description: row.description,
    state: row.state,
    created_at: row.created_at,
    updated_at: row.updated_at,
    closed_at: row.closed_at,
    closed_by: row.state === 'closed' ? user(row.closed_by_id) : null,
    milestone: milestone ? presentMilestone(milestone, facts) : null,
    assignees,
    author: user(row.author_id)!,
    // Contract: `type` is `issue_type` in upper case (decision 36).
    type: row.issue_type.toUpperCase(),
    assignee: assignees[0] ?? null,
    user_notes_count: row.user_notes_count,
    merge_requests_count: loaded.mergeRequests.get(row.id) ?? 0,
    upvotes: row.upvotes,
    downvotes: row.downvotes,
    due_date: row.due_date,
    confidential: row.confidential,
    discussion_locked: row.discussion_locked,
    issue_type: row.issue_type,
    web_url: `${facts.url}/${row.project_path}/-/issues/${row.iid}`,
    time_stats: presentTimeStats(row),
    has_tasks: tasks.count > 0,
    task_status: taskStatus(tasks),
    task_completion_status: { count: tasks.count, completed_count: tasks.completed },
    _links: { self, notes: `${self}/notes`, award_emoji: `${self}/award_emoji`, project: api },
    reference: references.relative,
    references,
    moved_to_id: row.moved_to_id,
    service_desk_reply_to: loaded.desks.has(row.project_id) ? row.service_desk_reply_to : null,
    weight: row.weight,
    epic_iid: epic?.iid ?? null,
    epic: epic ? presentEpic(epic) : null,
    iteration: iteration ? presentIteration(iteration, facts) : null,
    health_status: row.health_status,
  }
}

const LabelNames = Type.Array(Type.String())
const names = (row: IssueRow, loaded: Loaded) => labelsOf(row, loaded).map(label => label.name)

/** An issue in lists. */
export const Issue = entity({
  name: 'Issue',
  schema: Type.Object({ ...fields, labels: described('Its labels: names, or with details on request', LabelNames) }),
  load,
  present: (row: IssueRow, loaded: Loaded, facts) => ({ ...present(row, loaded, facts), labels: names(row, loaded) }),
})

/** An issue in lists with label details. */
export const IssueWithLabelDetails = entity({
  name: 'IssueWithLabelDetails',
  schema: Type.Object({
    ...fields,
    labels: described('Its labels: names, or with details on request', Type.Array(Type.Object(labelDetailFields))),
  }),
  load,
  present: (row: IssueRow, loaded: Loaded, facts) => ({
    ...present(row, loaded, facts),
    labels: labelsOf(row, loaded).map(presentLabelDetails),
  }),
})

/** The items of a list of issues. */
export const listedIssue = choice<IssueRow>([Issue, IssueWithLabelDetails], (_facts, { with_labels_details }) =>
  with_labels_details ? IssueWithLabelDetails : Issue,
)

/** An issue, with the caller's subscription if the command knows it. */
type DetailedRow = IssueRow & { readonly subscribed?: boolean }

/** A single issue, with the caller's subscription. */
export const IssueDetails = entity({
  name: 'IssueDetails',
  schema: Type.Object({
    ...fields,
    labels: described('Its labels: names, or with details on request', LabelNames),
    subscribed: flag('Whether the caller is subscribed'),
  }),
  load: async (ctx: Context, rows: readonly DetailedRow[]) => {
    const unknown = rows.filter(row => row.subscribed === undefined)
    const [loaded, subscribed] = await Promise.all([load(ctx, rows), subscribedIssues(ctx.db, ctx.actor.user?.id, unknown)])
    return { ...loaded, subscribed }
  },
  present: (row: DetailedRow, loaded: Loaded & { subscribed: ReadonlySet<number> }, facts) => ({
    ...present(row, loaded, facts),
    labels: names(row, loaded),
    subscribed: row.subscribed ?? loaded.subscribed.has(row.id),
  }),
})
