/** Things that are talked about: what notes, threads, reactions and to-do items need to know of them. */
import Type from 'typebox'
import { type EpicRow, visibleEpicById } from '../../planning/epics/queries.ts'
import { inEpic } from '../../planning/epics/scope.ts'
import type { IssueRow } from '../../planning/issues/queries.ts'
import { inIssue } from '../../planning/issues/scope.ts'
import type { Ability, AbilitySubject } from '../../platform/access/abilities.ts'
import type { Actor } from '../../platform/access/actor.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { type Scope, within } from '../../platform/kernel/scope.ts'
import type { MergeRequestRow } from '../../review/merge_requests/queries.ts'
import { inMergeRequest } from '../../review/merge_requests/scope.ts'
import { groupSubject, inGroup } from '../../spaces/groups/scope.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import type { ItemKey } from '../item_kinds/kinds.ts'

/** A group with the role that the actor has in it. */
type GroupWithRole = Parameters<typeof groupSubject>[0]

/** What of a thing the talk about it depends on. */
export interface Thing {
  readonly id: number
  readonly iid: number
  readonly author_id: number
  readonly assignee_ids: readonly number[]
  readonly confidential: boolean
  readonly discussion_locked: boolean | null
}

interface TalkedAbout {
  /** The thing as the rows that hang on it name it. */
  readonly key: ItemKey
  readonly thing: Thing
  /** The actor's role in its project or group. */
  readonly role: number
  /** The actor wrote it, or it is assigned to them. */
  readonly isOwn: boolean
}

export type TalkedIssue = TalkedAbout & { readonly type: 'Issue'; readonly project: ProjectWithRole; readonly issue: IssueRow }
export type TalkedMergeRequest = TalkedAbout & {
  readonly type: 'MergeRequest'
  readonly project: ProjectWithRole
  readonly mergeRequest: MergeRequestRow
}
export type TalkedEpic = TalkedAbout & { readonly type: 'Epic'; readonly group: GroupWithRole; readonly epic: EpicRow }

/** A thing that is talked about; its `type` is as `noteable_type` and `target_type` name it. */
export type Noteable = TalkedIssue | TalkedMergeRequest | TalkedEpic

const isOf = (actor: Actor, { author_id, assignee_ids }: Pick<Thing, 'author_id' | 'assignee_ids'>): boolean =>
  actor.user !== undefined && (author_id === actor.user.id || assignee_ids.includes(actor.user.id))

export const talkedIssue = ({ actor }: Pick<Context, 'actor'>, project: ProjectWithRole, issue: IssueRow): TalkedIssue => ({
  type: 'Issue',
  key: { issue_id: issue.id },
  thing: issue,
  role: project.role,
  isOwn: isOf(actor, issue),
  project,
  issue,
})

export const talkedMergeRequest = (
  { actor }: Pick<Context, 'actor'>,
  project: ProjectWithRole,
  mergeRequest: MergeRequestRow,
): TalkedMergeRequest => ({
  type: 'MergeRequest',
  key: { merge_request_id: mergeRequest.id },
  thing: { ...mergeRequest, confidential: false },
  role: project.role,
  isOwn: isOf(actor, mergeRequest),
  project,
  mergeRequest,
})

export function talkedEpic({ actor }: Pick<Context, 'actor'>, group: GroupWithRole, epic: EpicRow): TalkedEpic {
  const thing = { ...epic, assignee_ids: [], discussion_locked: null }
  return { type: 'Epic', key: { epic_id: epic.id }, thing, role: group.role, isOwn: isOf(actor, thing), group, epic }
}

/** What abilities are asked about: its project or group, and whether something there is the actor's own. */
export const subjectOf = (noteable: Noteable, own: boolean): AbilitySubject => ({
  ...('project' in noteable ? projectSubject(noteable.project) : groupSubject(noteable.group)),
  own,
})

/** Where events, to-do items and links are: the project, or the group of an epic. */
export const placeOf = (noteable: Noteable) =>
  'project' in noteable ? { project_id: noteable.project.id } : { namespace_id: noteable.group.id }

/** What every scope below gives. */
export interface InNoteable {
  readonly noteable: Noteable
}

/** Where there is something to talk about. */
export type NoteableScope = Scope<InNoteable>

const inNoteableIssue = within(inIssue, {
  name: 'inIssue',
  path: {},
  load: async ctx => ({ noteable: talkedIssue(ctx, ctx.project, ctx.issue) }),
})

const inNoteableMergeRequest = within(inMergeRequest, {
  name: 'inMergeRequest',
  path: {},
  load: async ctx => ({ noteable: talkedMergeRequest(ctx, ctx.project, ctx.mergeRequest) }),
})

const inNoteableEpic = within(inEpic, {
  name: 'inEpic',
  path: {},
  load: async ctx => ({ noteable: talkedEpic(ctx, ctx.group, ctx.epic) }),
})

const inNoteableEpicById = within(inGroup, {
  name: 'inEpicById',
  path: { epic_id: Type.Integer({ description: 'ID of an epic' }) },
  async load(ctx, { epic_id }) {
    const epic = await visibleEpicById(ctx.db, ctx.actor, epic_id, ctx.group.full_path)
    if (!epic || epic.namespace_id !== ctx.group.id) throw notFound('Epic')
    return { noteable: talkedEpic(ctx, ctx.group, epic) }
  },
  modifiedAt: ({ noteable }) => noteable.epic.updated_at,
})

/** A kind of thing, as the endpoints for the talk about it are declared. */
export interface TalkKind {
  /** The address of the thing. */
  readonly path: `/${string}`
  /** As in "a note about an issue". */
  readonly noun: string
  readonly scope: NoteableScope
  /** The abilities to read it, to say something, to change what was said, to react and to mark it as something to do. */
  readonly can: { readonly read: Ability; readonly say: Ability; readonly change: Ability; readonly award: Ability; readonly mark: Ability }
  readonly tier?: 'premium'
}

export const issueTalk: TalkKind = {
  path: '/projects/:id/issues/:issue_iid',
  noun: 'an issue',
  scope: inNoteableIssue,
  can: { read: 'read_issue', say: 'create_note', change: 'admin_note', award: 'award_emoji', mark: 'mark_todo' },
}

export const mergeRequestTalk = {
  path: '/projects/:id/merge_requests/:merge_request_iid',
  noun: 'a merge request',
  scope: inNoteableMergeRequest,
  can: {
    read: 'read_merge_request',
    say: 'create_merge_request_note',
    change: 'admin_merge_request_note',
    award: 'award_merge_request_emoji',
    mark: 'mark_merge_request_todo',
  },
} satisfies TalkKind

const epicAbilities = {
  read: 'read_epic',
  say: 'create_epic_note',
  change: 'admin_epic_note',
  award: 'award_epic_emoji',
  mark: 'mark_epic_todo',
} as const

export const epicTalk: TalkKind = {
  path: '/groups/:id/epics/:epic_iid',
  noun: 'an epic',
  scope: inNoteableEpic,
  can: epicAbilities,
  tier: 'premium',
}

/** Contract: notes, threads and the facts of changes name an epic by its id, everything else by its number (notes API). */
export const epicTalkById: TalkKind = {
  path: '/groups/:id/epics/:epic_id',
  noun: 'an epic',
  scope: inNoteableEpicById,
  can: epicAbilities,
  tier: 'premium',
}
