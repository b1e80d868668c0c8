/**
 * The messages that hooks get for each event: the only place where a kind of event becomes requests. Another kind takes a line
 * here (and one in `delivered`, platform/events/events.ts); its payload is built only if a hook subscribes to it.
 */

import { commitAt, commitsAt } from '../../../ci/commits.ts'
import { jobById } from '../../../ci/jobs/queries.ts'
import { pipelineById } from '../../../ci/pipelines/queries.ts'
import { type NoteRow, noteById } from '../../../collaboration/notes/queries.ts'
import { snippetById } from '../../../collaboration/snippets/queries.ts'
import { deploymentById } from '../../../delivery/deployments/queries.ts'
import { flagById } from '../../../delivery/feature_flags/queries.ts'
import { releaseById } from '../../../delivery/releases/queries.ts'
import { userById } from '../../../identity/users/queries.ts'
import { issueById } from '../../../planning/issues/queries.ts'
import type { ChangeSet } from '../../../platform/events/audit/kinds.ts'
import type { DeliveredKind } from '../../../platform/events/events.ts'
import type { RecordedEvent } from '../../../platform/events/recorded.ts'
import { shortNameOf } from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { approvalFacts } from '../../../review/approvals/facts.ts'
import { leftInAll, stateOf } from '../../../review/approvals/state.ts'
import { type MergeRequestRow, mergeRequestById } from '../../../review/merge_requests/queries.ts'
import { groupsById } from '../../../spaces/groups/queries.ts'
import { projectSnapshot } from '../../../spaces/projects/lifecycle/snapshot.ts'
import { type ProjectRow, projectsById } from '../../../spaces/projects/queries.ts'
import { jobPayload } from '../payloads/ci/job.ts'
import { pipelinePayload } from '../payloads/ci/pipeline.ts'
import { deploymentPayload } from '../payloads/delivery/deployment.ts'
import { featureFlagPayload } from '../payloads/delivery/feature_flag.ts'
import { releasePayload } from '../payloads/delivery/release.ts'
import { type IssueAction, issuePayload } from '../payloads/issue.ts'
import { type MergeRequestAction, mergeRequestPayload } from '../payloads/merge_request.ts'
import { type About, type NoteAction, notePayload, noteTriggerOf } from '../payloads/note.ts'
import { pushPayload, repositoryUpdatePayload } from '../payloads/push.ts'
import { groupMemberPayload, groupPayload, projectMemberPayload, projectPayload, subgroupPayload, userPayload } from '../payloads/system.ts'
import { type WikiPageAction, wikiPagePayload } from '../payloads/wiki_page.ts'
import type { Whereabouts } from '../queries.ts'
import type { Trigger } from '../switches.ts'

/** A message for the hooks that subscribe to it. */
export interface Announcement {
  readonly trigger: Trigger
  readonly where: Whereabouts
  /** The branch concerned, for hooks with a branch filter. */
  readonly branch?: string | undefined
  /** Undefined if the subject of the message was deleted. */
  readonly payload: () => Promise<object | undefined>
}

type Event<K extends DeliveredKind> = Pick<RecordedEvent<K>, 'payload' | 'actor_id' | 'project_id' | 'namespace_id'>
type Announcer<K extends DeliveredKind> = (ctx: Context, event: Event<K>) => Promise<readonly Announcement[]>

/**
 * Maximum branches, or tags, of one push that are announced one by one.
 * Contract: a push of more of them is announced only as a whole (application setting `push_event_hooks_limit`).
 */
const SINGLE_REFS = 3

export const announcements: { readonly [K in DeliveredKind]?: Announcer<K> } = {
  'repository.updated': announcePush,
  'issue.created': (ctx, { payload, ...event }) => announceIssue(ctx, event, payload.issue_id, { action: 'open', changes: {} }),
  'issue.updated': (ctx, { payload, ...event }) =>
    announceIssue(ctx, event, payload.issue_id, { action: actionOf(payload.changes.state?.to), changes: payload.changes }),
  'merge_request.created': (ctx, event) => announceMergeRequest(ctx, event, async () => ({ action: 'open', changes: {} })),
  'merge_request.updated': (ctx, event) => announceMergeRequest(ctx, event, async () => updateOf(event.payload.changes)),
  'merge_request.merged': (ctx, event) => announceMergeRequest(ctx, event, async () => ({ action: 'merge', changes: {} })),
  'merge_request.approved': (ctx, event) =>
    announceMergeRequest(ctx, event, async row => ({ action: (await isApproved(ctx, row)) ? 'approved' : 'approval', changes: {} })),
  'merge_request.unapproved': (ctx, event) =>
    announceMergeRequest(ctx, event, async row => ({ action: (await isApproved(ctx, row)) ? 'unapproval' : 'unapproved', changes: {} })),
  'note.created': (ctx, { payload, ...event }) => announceNote(ctx, event, payload.note_id, 'create'),
  'note.updated': (ctx, { payload, ...event }) => announceNote(ctx, event, payload.note_id, 'update'),
  'deployment.updated': announceDeployment,
  'wiki_page.created': (ctx, event) => announceWikiPage(ctx, event, 'create'),
  'wiki_page.updated': (ctx, event) => announceWikiPage(ctx, event, 'update'),
  'wiki_page.deleted': (ctx, event) => announceWikiPage(ctx, event, 'delete'),
  'release.created': (ctx, event) => announceRelease(ctx, event, 'create'),
  'release.updated': (ctx, event) => announceRelease(ctx, event, 'update'),
  'feature_flag.switched': announceFeatureFlag,
  'pipeline.updated': announcePipeline,
  'job.updated': announceJob,
  'project.created': (ctx, event) => announceProject(ctx, event, async telling => projectPayload('project_create', ...telling)),
  'project.updated': (ctx, event) =>
    announceProject(ctx, event, async ([id, project]) => {
      const { renamed_from, transferred_from } = event.payload
      if (transferred_from !== undefined) return projectPayload('project_transfer', id, project, transferred_from)
      return projectPayload(renamed_from === undefined ? 'project_update' : 'project_rename', id, project, renamed_from)
    }),
  'project.deleted': async (_ctx, { payload }) => [
    toSystem(async () => projectPayload('project_destroy', payload.project_id, payload.was)),
  ],
  'user.created': async ({ db }, { payload }) => [
    toSystem(async () => {
      const user = await userById(db, payload.user_id)
      return user && userPayload('user_create', user.id, user.username, user)
    }),
  ],
  'user.deleted': async (_ctx, { payload }) => [
    toSystem(async () => userPayload('user_destroy', payload.user_id, payload.username, payload.was)),
  ],
  'group.created': announceNewGroup,
  'group.deleted': async (ctx, { payload: { group_id, full_path, was } }) => [
    toSystem(async () => groupPayload('group_destroy', group_id, full_path, was)),
    ...toParent(ctx, was.above, parent => subgroupPayload('subgroup_destroy', group_id, full_path, was, parent)),
  ],
  'member.added': (ctx, event) => announceMember(ctx, event, { team: 'user_add_to_team', group: 'user_add_to_group' }),
  'member.updated': (ctx, event) => announceMember(ctx, event, { team: 'user_update_for_team', group: 'user_update_for_group' }),
  'member.removed': (ctx, event) => announceMember(ctx, event, { team: 'user_remove_from_team', group: 'user_remove_from_group' }),
}

/** A message for all system hooks, and no others. */
const toSystem = (payload: Announcement['payload']): Announcement => ({ trigger: 'system_events', where: {}, payload })

const actionOf = (state: unknown): IssueAction['action'] => (state === 'closed' ? 'close' : state === 'opened' ? 'reopen' : 'update')

/** The project of an event; undefined if it is deleted, marked for deletion, or archived: such projects announce nothing. */
async function speakingProject({ db }: Context, id: number | null): Promise<ProjectRow | undefined> {
  const project = id === null ? undefined : (await projectsById(db, [id])).get(id)
  return project && !project.archived && !project.deleting ? project : undefined
}

const whereaboutsOf = ({ id, namespace_traversal_ids }: ProjectRow): Whereabouts => ({ projectId: id, groupIds: namespace_traversal_ids })

async function announcePush(ctx: Context, event: Event<'repository.updated'>): Promise<readonly Announcement[]> {
  const project = await speakingProject(ctx, event.project_id)
  if (!project) return []
  const where = whereaboutsOf(project)
  const pushed = async () => ({ project, pusher: event.actor_id === null ? undefined : await userById(ctx.db, event.actor_id) })
  const { moves } = event.payload
  const single = (kind: 'branch' | 'tag', trigger: Trigger): Announcement[] => {
    const ofKind = moves.flatMap(move => {
      const short = shortNameOf(move.ref)
      return short?.kind === kind ? [{ move, branch: kind === 'branch' ? short.name : undefined }] : []
    })
    if (ofKind.length > SINGLE_REFS) return []
    return ofKind.map(({ move, branch }) => ({ trigger, where, branch, payload: async () => pushPayload(ctx, await pushed(), move) }))
  }
  return [
    ...single('branch', 'push_events'),
    ...single('tag', 'tag_push_events'),
    { trigger: 'repository_update_events', where, payload: async () => repositoryUpdatePayload(ctx, await pushed(), moves) },
  ]
}

/** The issue's present confidentiality counts: one that became confidential after the event stays so in its messages. */
async function announceIssue(
  ctx: Context,
  event: Pick<RecordedEvent, 'actor_id' | 'project_id'>,
  issueId: number,
  change: IssueAction,
): Promise<readonly Announcement[]> {
  const project = await speakingProject(ctx, event.project_id)
  const issue = project && (await issueById(ctx.db, issueId, null))
  if (!issue) return []
  const payload = async () =>
    issuePayload(ctx, project, issue, event.actor_id === null ? undefined : await userById(ctx.db, event.actor_id), change)
  return [{ trigger: issue.confidential ? 'confidential_issues_events' : 'issues_events', where: whereaboutsOf(project), payload }]
}

/** Contract: the start or the end of a merge is no update by itself (webhook events). */
function updateOf(changes: ChangeSet): MergeRequestAction | undefined {
  const { from, to } = changes.state ?? {}
  if (to === undefined) return { action: 'update', changes }
  if (to === 'closed') return { action: 'close', changes }
  return from === 'closed' && to === 'opened' ? { action: 'reopen', changes } : undefined
}

/** Does the merge request have all required approvals now? */
async function isApproved({ db, tier }: Context, row: MergeRequestRow): Promise<boolean> {
  const facts = (await approvalFacts(db, tier, [row])).get(row.id)
  return facts !== undefined && leftInAll(facts.rules.map(rule => stateOf(rule, facts.counting))) === 0
}

/** @param actionFor the action on it; undefined for changes that are not announced */
async function announceMergeRequest(
  ctx: Context,
  event: Pick<RecordedEvent, 'actor_id' | 'project_id'> & { readonly payload: { readonly merge_request_id: number } },
  actionFor: (row: MergeRequestRow) => Promise<MergeRequestAction | undefined>,
): Promise<readonly Announcement[]> {
  const project = await speakingProject(ctx, event.project_id)
  const row = project && (await mergeRequestById(ctx.db, event.payload.merge_request_id, null))
  const change = row && (await actionFor(row))
  if (!change) return []
  const payload = async () =>
    mergeRequestPayload(ctx, project, row, event.actor_id === null ? undefined : await userById(ctx.db, event.actor_id), change)
  return [{ trigger: 'merge_requests_events', where: whereaboutsOf(project), payload }]
}

/** A note is confidential with its issue, or by itself. */
async function announceNote(
  ctx: Context,
  event: Pick<RecordedEvent, 'actor_id' | 'project_id'>,
  noteId: number,
  action: NoteAction,
): Promise<readonly Announcement[]> {
  const project = await speakingProject(ctx, event.project_id)
  const note = project && (await noteById(ctx.db, noteId))
  const about = note && (await aboutOf(ctx, project, note))
  if (!project || !note || !about) return []
  const payload = async () =>
    notePayload(ctx, project, about, note, event.actor_id === null ? undefined : await userById(ctx.db, event.actor_id), action)
  return [{ trigger: noteTriggerOf(about, note), where: whereaboutsOf(project), payload }]
}

/** The subject of a note, if notes on it are announced. */
async function aboutOf(ctx: Context, project: ProjectRow, note: NoteRow): Promise<About | undefined> {
  const { db } = ctx
  const { issue_id, merge_request_id, snippet_id, commented_sha } = note
  if (snippet_id !== null) {
    const snippet = await snippetById(db, snippet_id)
    return snippet && { snippet }
  }
  if (commented_sha !== null) {
    const commit = commitAt(await commitsAt(ctx, [{ project_id: project.id, sha: commented_sha }]), {
      project_id: project.id,
      sha: commented_sha,
    })
    return commit && { commit }
  }
  const issue = issue_id === null ? undefined : await issueById(db, issue_id, null)
  const mergeRequest = merge_request_id === null ? undefined : await mergeRequestById(db, merge_request_id, null)
  return issue ? { issue } : mergeRequest && { mergeRequest }
}

async function announceDeployment(ctx: Context, event: Event<'deployment.updated'>): Promise<readonly Announcement[]> {
  const { deployment_id, status, at } = event.payload
  const project = await speakingProject(ctx, event.project_id)
  const deployment = project && (await deploymentById(ctx.db, project.id, deployment_id))
  if (!deployment) return []
  const payload = () => deploymentPayload(ctx, project, deployment, { status, at })
  return [{ trigger: 'deployment_events', where: whereaboutsOf(project), payload }]
}

async function announceRelease(
  ctx: Context,
  event: Event<'release.created' | 'release.updated'>,
  action: 'create' | 'update',
): Promise<readonly Announcement[]> {
  const project = await speakingProject(ctx, event.project_id)
  const release = project && (await releaseById(ctx.db, event.payload.release_id))
  if (!release) return []
  return [{ trigger: 'releases_events', where: whereaboutsOf(project), payload: () => releasePayload(ctx, project, release, action) }]
}

/** As of the event: the flag may have been switched again since. */
async function announceFeatureFlag(ctx: Context, event: Event<'feature_flag.switched'>): Promise<readonly Announcement[]> {
  const { feature_flag_id, active } = event.payload
  const project = await speakingProject(ctx, event.project_id)
  const flag = project && (await flagById(ctx.db, feature_flag_id))
  if (!flag) return []
  const payload = async () =>
    featureFlagPayload(ctx, project, { ...flag, active }, event.actor_id === null ? undefined : await userById(ctx.db, event.actor_id))
  return [{ trigger: 'feature_flag_events', where: whereaboutsOf(project), payload }]
}

/** Contract: pushes to a wiki are not announced, changes by the API and the pages are (public behaviour at 14.0). */
async function announceWikiPage(
  ctx: Context,
  { payload, project_id, namespace_id, actor_id }: Event<'wiki_page.created' | 'wiki_page.updated' | 'wiki_page.deleted'>,
  action: WikiPageAction,
): Promise<readonly Announcement[]> {
  if (payload.message === null) return []
  const project = await speakingProject(ctx, project_id)
  const group = namespace_id === null ? undefined : (await groupsById(ctx.db, [namespace_id])).get(namespace_id)
  const user = async () => (actor_id === null ? undefined : await userById(ctx.db, actor_id))
  if (project)
    return [
      {
        trigger: 'wiki_page_events',
        where: whereaboutsOf(project),
        payload: async () => wikiPagePayload(ctx, { project }, payload, await user(), action),
      },
    ]
  if (!group || group.deleting) return []
  return [
    {
      trigger: 'wiki_page_events',
      where: { groupIds: group.traversal_ids },
      payload: async () => wikiPagePayload(ctx, { group }, payload, await user(), action),
    },
  ]
}

async function announcePipeline(ctx: Context, event: Event<'pipeline.updated'>): Promise<readonly Announcement[]> {
  const { pipeline_id, status } = event.payload
  const project = await speakingProject(ctx, event.project_id)
  const pipeline = project && (await pipelineById(ctx.db, pipeline_id))
  if (!pipeline) return []
  // In the status of the event: the job may have moved on since.
  const then = { ...pipeline, status: status as typeof pipeline.status }
  return [{ trigger: 'pipeline_events', where: whereaboutsOf(project), payload: () => pipelinePayload(ctx, project, then) }]
}

/** Contract: only jobs are announced, not bridges and reported statuses (webhook events). */
async function announceJob(ctx: Context, event: Event<'job.updated'>): Promise<readonly Announcement[]> {
  const { job_id, status } = event.payload
  const project = await speakingProject(ctx, event.project_id)
  if (!project) return []
  const job = await jobById(ctx.db, job_id)
  if (job?.kind !== 'build') return []
  const then = { ...job, status: status as typeof job.status }
  return [{ trigger: 'job_events', where: whereaboutsOf(project), payload: () => jobPayload(ctx, project, then) }]
}

async function announceProject(
  ctx: Context,
  event: Pick<RecordedEvent, 'project_id'>,
  payload: (telling: [number, Awaited<ReturnType<typeof projectSnapshot>>]) => Promise<object>,
): Promise<readonly Announcement[]> {
  const project = await speakingProject(ctx, event.project_id)
  return project ? [toSystem(async () => payload([project.id, await projectSnapshot(ctx.db, project.id)]))] : []
}

async function announceNewGroup(ctx: Context, event: Event<'group.created'>): Promise<readonly Announcement[]> {
  const { group_id } = event.payload
  const group = (await groupsById(ctx.db, [group_id])).get(group_id)
  if (!group) return []
  const { full_path } = group
  return [
    toSystem(async () => groupPayload('group_create', group_id, full_path, group)),
    ...toParent(ctx, group.traversal_ids.slice(0, -1), parent => subgroupPayload('subgroup_create', group_id, full_path, group, parent)),
  ]
}

/** The message of a group to the groups above; none for a top-level group. */
function toParent(
  ctx: Context,
  above: readonly number[],
  payload: (parent: Parameters<typeof subgroupPayload>[4]) => object,
): Announcement[] {
  const parentId = above.at(-1)
  if (parentId === undefined) return []
  return [
    {
      trigger: 'subgroup_events',
      where: { groupIds: above },
      async payload() {
        const parent = (await groupsById(ctx.db, [parentId])).get(parentId)
        return parent && payload(parent)
      },
    },
  ]
}

async function announceMember(
  ctx: Context,
  event: Event<'member.added' | 'member.updated' | 'member.removed'>,
  names: { readonly team: string; readonly group: string },
): Promise<readonly Announcement[]> {
  const { project_id, namespace_id, payload } = event
  return [
    toSystem(async () => {
      const user = await userById(ctx.db, payload.user_id)
      if (!user) return undefined
      const membership = { user, access_level: 'access_level' in payload ? payload.access_level : undefined }
      const project = await speakingProject(ctx, project_id)
      if (project) return projectMemberPayload(names.team, project.id, await projectSnapshot(ctx.db, project.id), membership)
      const group = namespace_id === null ? undefined : (await groupsById(ctx.db, [namespace_id])).get(namespace_id)
      return group && groupMemberPayload(names.group, group, membership)
    }),
  ]
}
