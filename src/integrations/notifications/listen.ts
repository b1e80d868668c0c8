/** The notifications that follow from each kind of event: the only place where an event becomes mails. */

import type { ItemKey } from '../../collaboration/item_kinds/kinds.ts'
import type { Place } from '../../platform/access/places.ts'
import type { Events } from '../../platform/events/catalog.ts'
import type { DeliveredKind } from '../../platform/events/events.ts'
import type { RecordedEvent } from '../../platform/events/recorded.ts'
import { type Context, type Deps, systemContext } from '../../platform/kernel/context.ts'
import { type Cause, itemChanged, itemCreated, itemNews, mentionAdded, noteCreated } from './items.ts'
import { accessRequested, memberChanged, pipelineEnded, projectMoved } from './places.ts'

type Notifier<K extends DeliveredKind> = (ctx: Context, payload: Events[K], cause: Cause) => Promise<void>

/** The labels of an item, whose subscribers hear of it when it is made. */
async function labelsOf({ db }: Context, key: ItemKey): Promise<readonly number[]> {
  const rows =
    'issue_id' in key
      ? await db.selectFrom('issue_labels').select('label_id').where('issue_id', '=', key.issue_id).execute()
      : 'epic_id' in key
        ? await db.selectFrom('epic_labels').select('label_id').where('epic_id', '=', key.epic_id).execute()
        : await db.selectFrom('merge_request_labels').select('label_id').where('merge_request_id', '=', key.merge_request_id).execute()
  return rows.map(({ label_id }) => label_id)
}

const created = async (ctx: Context, cause: Cause, key: ItemKey): Promise<void> => itemCreated(ctx, cause, key, await labelsOf(ctx, key))

/** What follows, by the kind of the event. */
export const notifiers: { readonly [K in DeliveredKind]?: Notifier<K> } = {
  'issue.created': (ctx, { issue_id }, cause) => created(ctx, cause, { issue_id }),
  'epic.created': (ctx, { epic_id }, cause) => created(ctx, cause, { epic_id }),
  'merge_request.created': (ctx, { merge_request_id }, cause) => created(ctx, cause, { merge_request_id }),
  'issue.updated': (ctx, { issue_id, changes }, cause) => itemChanged(ctx, cause, { issue_id }, changes),
  'epic.updated': (ctx, { epic_id, changes }, cause) => itemChanged(ctx, cause, { epic_id }, changes),
  'merge_request.updated': (ctx, { merge_request_id, changes }, cause) => itemChanged(ctx, cause, { merge_request_id }, changes),
  'merge_request.merged': (ctx, { merge_request_id }, cause) =>
    itemNews(
      ctx,
      cause,
      { merge_request_id },
      { kind: 'merged', says: ({ say }, about) => say('item.merged', about), events: ['merge_merge_request'] },
    ),
  'merge_request.approved': (ctx, { merge_request_id }, cause) =>
    itemNews(ctx, cause, { merge_request_id }, { kind: 'approved', says: ({ say }, about) => say('item.approved', about) }),
  'merge_request.unapproved': (ctx, { merge_request_id }, cause) =>
    itemNews(ctx, cause, { merge_request_id }, { kind: 'unapproved', says: ({ say }, about) => say('item.unapproved', about) }),
  'merge_request.auto_merge_set': (ctx, { merge_request_id }, cause) =>
    itemNews(
      ctx,
      cause,
      { merge_request_id },
      {
        kind: 'auto_merge',
        says: ({ say }, about) => say('item.auto_merge', about),
        events: ['merge_when_pipeline_succeeds'],
      },
    ),
  'merge_request.conflicted': (ctx, { merge_request_id, head_sha }, cause) =>
    itemNews(
      ctx,
      cause,
      { merge_request_id },
      {
        kind: 'conflict',
        says: ({ say }, about) => say('item.conflict', about),
        only: ['author', 'assigned'],
        // Once for each commit of the source branch: the target branch may move many times.
        key: `conflict:${merge_request_id}:${head_sha ?? ''}`,
      },
    ),
  'note.created': (ctx, { note_id }, cause) => noteCreated(ctx, cause, note_id),
  'mention.added': (ctx, payload, cause) => mentionAdded(ctx, cause, payload),
  'pipeline.updated': (ctx, { pipeline_id, status }, cause) => pipelineEnded(ctx, cause, pipeline_id, status),
  'project.updated': async (ctx, { project_id, renamed_from, transferred_from }, cause) => {
    const from = transferred_from ?? renamed_from
    if (from !== undefined) await projectMoved(ctx, cause, project_id, from)
  },
  'member.added': (ctx, payload, cause) => memberChanged(ctx, cause, payload, true),
  'member.updated': async (ctx, payload, cause) => {
    if (payload.changes?.access_level) await memberChanged(ctx, cause, payload, false)
  },
  'access.requested': (ctx, _payload, cause) => accessRequested(ctx, cause),
}

/** Writes the mails that follow from an event. Idempotent. */
export async function notifyOf<K extends DeliveredKind>(deps: Deps, event: RecordedEvent<K>): Promise<void> {
  const notifier = notifiers[event.kind] as Notifier<K> | undefined
  const place: Place | undefined =
    event.project_id !== null
      ? { project_id: event.project_id }
      : event.namespace_id !== null
        ? { namespace_id: event.namespace_id }
        : undefined
  if (!notifier || !place) return
  await notifier(systemContext(deps, deps.database.db), event.payload, { id: event.id, actorId: event.actor_id, place })
}
