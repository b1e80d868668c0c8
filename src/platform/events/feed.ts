/**
 * Which events appear in feeds, and as what: the one place where a kind of event becomes an entry (events API). An event that is not here,
 * or that has no acting user, is not shown.
 */
import type { EventKind, NewEvent, PushData } from './catalog.ts'

/** The actions; also the values that lists filter by. */
export const feedActions = [
  'created',
  'updated',
  'closed',
  'reopened',
  'pushed',
  'commented',
  'merged',
  'joined',
  'left',
  'destroyed',
  'expired',
  'approved',
] as const
export type FeedAction = (typeof feedActions)[number]

/** The targets of actions. */
export const feedTargets = ['issue', 'milestone', 'merge_request', 'note', 'project', 'snippet', 'wiki'] as const
export type FeedTarget = (typeof feedTargets)[number]

interface Action {
  readonly action: FeedAction
  /** The author shown; the event's actor unless given. */
  readonly authorId?: number | undefined
}

/** An entry: a push, or an action on a target. */
export type FeedEntry = Action & ({ readonly push: PushData } | { readonly target: { readonly type: FeedTarget; readonly id: number } })

type Entries = { readonly [K in EventKind]?: (event: NewEvent<K>) => FeedEntry | undefined }

/** The entry of an event about a milestone. Group milestones appear in no project's feed. */
const toMilestone =
  (action: FeedAction) =>
  ({ payload }: NewEvent<'milestone.created' | 'milestone.closed' | 'milestone.reopened' | 'milestone.deleted'>): FeedEntry => ({
    action,
    target: { type: 'milestone', id: payload.milestone_id },
  })

const toMergeRequest =
  (action: FeedAction) =>
  ({ payload }: NewEvent<'merge_request.created' | 'merge_request.merged' | 'merge_request.approved'>): FeedEntry => ({
    action,
    target: { type: 'merge_request', id: payload.merge_request_id },
  })

/** Those of a group's wiki appear in no project's feed. */
const toWikiPage =
  (action: FeedAction) =>
  ({ payload }: NewEvent<'wiki_page.created' | 'wiki_page.updated' | 'wiki_page.deleted'>): FeedEntry => ({
    action,
    target: { type: 'wiki', id: payload.wiki_page_id },
  })

/** The entry of an event about the project itself. */
const toProject = (event: NewEvent<EventKind>, action: Action): FeedEntry | undefined =>
  event.projectId === undefined ? undefined : { ...action, target: { type: 'project', id: event.projectId } }

const entryOf: Entries = {
  'project.created': event => toProject(event, { action: 'created' }),
  // Contract: the author is the user who joins, not the one who added them; the owner of a new project does not join it (events API).
  'member.added': event =>
    event.payload.user_id === event.actorId ? undefined : toProject(event, { action: 'joined', authorId: event.payload.user_id }),
  'member.removed': event => toProject(event, { action: 'left', authorId: event.payload.user_id }),
  'milestone.created': toMilestone('created'),
  'milestone.closed': toMilestone('closed'),
  'milestone.reopened': toMilestone('reopened'),
  'milestone.deleted': toMilestone('destroyed'),
  'issue.created': ({ payload }) => ({ action: 'created', target: { type: 'issue', id: payload.issue_id } }),
  'issue.updated': ({ payload }) => {
    const state = payload.changes.state?.to
    return state === undefined
      ? undefined
      : { action: state === 'closed' ? 'closed' : 'reopened', target: { type: 'issue', id: payload.issue_id } }
  },
  'merge_request.created': toMergeRequest('created'),
  'merge_request.updated': ({ payload }) => {
    const { from, to } = payload.changes.state ?? {}
    const action = to === 'closed' ? 'closed' : from === 'closed' && to === 'opened' ? 'reopened' : undefined
    return action && { action, target: { type: 'merge_request', id: payload.merge_request_id } }
  },
  'merge_request.merged': toMergeRequest('merged'),
  'merge_request.approved': toMergeRequest('approved'),
  'note.created': ({ payload }) => ({ action: 'commented', target: { type: 'note', id: payload.note_id } }),
  'wiki_page.created': toWikiPage('created'),
  'wiki_page.updated': toWikiPage('updated'),
  'wiki_page.deleted': toWikiPage('destroyed'),
  'repository.pushed': event => ({ action: 'pushed', push: event.payload }),
}

/** The row of an event's entry; undefined for events that feeds do not show. */
export function feedRowOf<K extends EventKind>(event: NewEvent<K>) {
  const entry = (entryOf[event.kind] as ((event: NewEvent<K>) => FeedEntry | undefined) | undefined)?.(event)
  const authorId = entry?.authorId ?? event.actorId
  if (!entry || authorId === undefined || event.projectId === undefined) return undefined
  const { type = null, id = null } = 'target' in entry ? entry.target : {}
  return {
    author_id: authorId,
    project_id: event.projectId,
    action: entry.action,
    target_type: type,
    target_id: id,
    push_data: 'push' in entry ? entry.push : null,
  }
}
