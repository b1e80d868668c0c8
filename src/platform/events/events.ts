/**
 * The typed list of events, and how one is recorded: in the transaction of the change itself, so that its consequences happen if and only
 * if the change did (house rule 8).
 */

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import { compiled } from '../db/statements/compiled.ts'
import type { AuditOrigin } from './audit/entry.ts'
import { recordEntries } from './audit/record.ts'
import { isForAuditAlone, type UnauditedKind } from './audit/rules.ts'
import type { EventKind, Events, NewEvent } from './catalog.ts'
import { feedRowOf } from './feed.ts'
import { addingJobs, isPlain, specsIn, specsOf } from './queue.ts'
import { enqueueJobs, enqueuing, type Job } from './worker.ts'

/** The events that have listeners; the worker delivers each of them (listeners.ts). */
export const delivered = [
  'user.created',
  'user.deleted',
  'group.created',
  'group.deleted',
  'project.created',
  'project.deleted',
  'project.updated',
  'project.default_branch_changed',
  'member.added',
  'member.updated',
  'member.removed',
  'access.requested',
  'epic.created',
  'epic.updated',
  'issue.created',
  'issue.updated',
  'merge_request.created',
  'merge_request.updated',
  'merge_request.merged',
  'merge_request.approved',
  'merge_request.unapproved',
  'merge_request.conflicted',
  'merge_request.auto_merge_set',
  'merge_request.deleted',
  'note.created',
  'note.updated',
  'mention.added',
  'deployment.updated',
  'deployment.brought',
  'pipeline.updated',
  'job.updated',
  'release.created',
  'release.updated',
  'feature_flag.switched',
  'repository.updated',
  'wiki_page.created',
  'wiki_page.updated',
  'wiki_page.deleted',
] as const satisfies readonly EventKind[]
export type DeliveredKind = (typeof delivered)[number]

const isDelivered = (kind: string): kind is DeliveredKind => (delivered as readonly string[]).includes(kind)

/**
 * Frequent events among them that only hooks listen to. In a project that no hook watches nothing follows, so nothing is queued. A listener
 * for one of them does not compile (listeners.ts) until the kind is removed from this list.
 */
export const forHooks = [
  'note.updated',
  'job.updated',
  'release.created',
  'release.updated',
  'feature_flag.switched',
  'wiki_page.created',
  'wiki_page.updated',
  'wiki_page.deleted',
] as const satisfies readonly DeliveredKind[]
export type KindForHooks = (typeof forHooks)[number]

const isForHooks = (kind: string): boolean => (forHooks as readonly string[]).includes(kind)

/** The acting user and origin, and the transaction of the change. The context of a request is one. */
export interface Recorder extends AuditOrigin {
  readonly db: Db
}

/**
 * Where events are recorded: in the transaction of their change. Events with an entry in the audit log also need the acting user and
 * origin. (If this does not compile with a `db` alone, the kind has a rule in `audit/rules.ts`: pass the context.)
 */
export type RecordedBy<K extends EventKind> = [K] extends [UnauditedKind] ? Db | Recorder : Recorder

/** Records an event. */
export const recordEvent = <K extends EventKind>(to: RecordedBy<K>, event: NewEvent<K>): Promise<void> => recordEvents<K>(to, [event])

/**
 * Records events in this order, with their entries in the feed and in the audit log. `jobs` are queued together with the deliveries: all of
 * it is one statement, plus one if jobs with different times replace others, and one for entries of the audit log. The statements are sent
 * concurrently.
 */
export async function recordEvents<K extends EventKind>(
  to: RecordedBy<K>,
  events: readonly NewEvent<K>[],
  jobs: readonly Job[] = [],
): Promise<void> {
  const [db, origin] = 'actor' in to ? [to.db, to] : [to as Db, undefined]
  const kept = events.filter(({ kind }) => !isForAuditAlone(kind))
  await Promise.all([origin && recordEntries(db, origin, events), keep(db, kept, jobs)])
}

/** Writes the events that are kept outside of the audit log, their feed entries, and jobs. */
async function keep<K extends EventKind>(db: Db, events: readonly NewEvent<K>[], jobs: readonly Job[]): Promise<void> {
  if (events.length === 0) return enqueueJobs(db, jobs)
  const entries = events.flatMap(event => feedRowOf(event) ?? [])
  await Promise.all([
    write(db, JSON.stringify(events.map(rowOf)), JSON.stringify(entries), specsOf(jobs.filter(isPlain))),
    enqueueJobs(
      db,
      jobs.filter(job => !isPlain(job)),
    ),
  ])
}

const rowOf = <K extends EventKind>({ kind, payload, actorId, projectId, namespaceId }: NewEvent<K>) => ({
  kind,
  payload,
  actor_id: actorId,
  project_id: projectId,
  namespace_id: namespaceId,
})

/** Rows as texts, so that one statement serves one event and many. */
const write = compiled(
  (_db, events: string, entries: string, jobs: string) => sql`
    with feed_rows as (
      insert into feed_entries (author_id, project_id, action, target_type, target_id, push_data)
      select author_id, project_id, action, target_type, target_id, push_data
        from rows from (json_to_recordset(${entries}::json)
          as (author_id bigint, project_id bigint, action text, target_type text, target_id bigint, push_data jsonb))
        with ordinality as entries(author_id, project_id, action, target_type, target_id, push_data, n) order by n
    ), event_rows as (
      insert into events (kind, payload, actor_id, project_id, namespace_id)
      select kind, payload, actor_id, project_id, namespace_id
        from rows from (json_to_recordset(${events}::json)
          as (kind text, payload jsonb, actor_id bigint, project_id bigint, namespace_id bigint))
        with ordinality as event_rows(kind, payload, actor_id, project_id, namespace_id, n) order by n
      returning id, kind, ${isWatched} as watched
    ), sent as (
      select id, watched from event_rows where kind in (${literals(delivered)}) and (watched or kind not in (${literals(forHooks)}))
    )
    ${addingJobs(sql`(${deliveriesOf('sent')} union all select spec, n from ${specsIn(jobs)} as others(spec, n))`, true)}`,
)

const literals = (words: readonly string[]): RawBuilder<string> => sql.join(words.map(word => sql.lit(word)))

/** A recorded event. */
export interface Recorded {
  readonly id: number
  readonly kind: string
  /** Whether a hook may be interested in it. */
  readonly watched: boolean
}

/** For a row of `events`: is the project watched by a hook or an integration of its own, of any ancestor group or of the instance? */
const isWatched = sql<boolean>`(events.project_id is null or ${isWatchedProject(sql.ref('events.project_id'))})`

/** The same for one project. If the id is a value, the hooks are looked up once for any number of rows. */
function isWatchedProject(id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(exists (select from hooks where hooks.project_id = ${id}) or exists (select from hooks where hooks.project_id is null)
              or exists (select from integrations where integrations.project_id = ${id}) or exists (select from integrations where integrations.project_id is null))`
}

/** Events of one change that one job delivers, one after the other. */
const TOGETHER = 10

/** Greater than the position of any job in a list, so that the deliveries come first. */
const ALL_PLACES = 2 ** 31

/** The jobs that deliver the events of a table with `id` and `watched`, as specs before all others. */
const deliveriesOf = (table: string): RawBuilder<object> => sql`
  select case when count(*) = 1
           then json_build_array('deliver_event', json_build_object('event_id', min(id), 'quiet', not bool_or(watched)))
           else json_build_array('deliver_events', json_build_object('event_ids', json_agg(id order by id), 'quiet', not bool_or(watched)))
         end, batch - ${sql.lit(ALL_PLACES)}::bigint
    from (select id, watched, (row_number() over (order by id) - 1) / ${sql.lit(TOGETHER)} as batch from ${sql.table(table)}) as batches
   group by batch`

/** Queues the delivery of events that have listeners; `db` must be the transaction that recorded them. */
export async function queueDeliveries(db: Db, recorded: readonly Recorded[]): Promise<void> {
  const sent = recorded.filter(({ kind, watched }) => isDelivered(kind) && (watched || !isForHooks(kind)))
  if (sent.length > 0) await queueSent(db, JSON.stringify(sent))
}

const queueSent = compiled(
  (_db, sent: string) => sql`
    with sent as (select id, watched from json_to_recordset(${sent}::json) as sent(id bigint, watched boolean))
    ${addingJobs(sql`(${deliveriesOf('sent')})`, true)}`,
)

/**
 * Recording as parts of the statement that inserts resources of a project, for resources that other transactions wait for.
 * @param event its payload consists of the id of the resource, under the name `key`
 * @param made the part of the statement that returns the `id` of each resource and its creator as `actor_id`
 */
export function recordingParts<K extends UnauditedKind>(
  { kind, projectId }: { readonly kind: K; readonly projectId: number },
  key: keyof Events[K] & string,
  made: string,
): RecordingParts {
  const things = sql.table(made)
  // The form of the entry does not depend on the user.
  const entry = feedRowOf({ kind, actorId: 0, projectId, payload: { [key]: 0 } as never })
  return {
    feedRows: entry
      ? sql<object>`(insert into feed_entries (author_id, project_id, action, target_type, target_id)
            select actor_id, ${entry.project_id}::bigint, ${entry.action}::text, ${entry.target_type}::text, id from ${things}
             where actor_id is not null order by id)`
      : sql<object>`(select 1)`,
    eventRows: sql`(insert into events (kind, payload, actor_id, project_id)
                  select ${kind}::text, jsonb_build_object(${key}::text, id), actor_id, ${projectId}::bigint from ${things} order by id
                  returning id, kind, ${isWatchedProject(sql`${projectId}::bigint`)} as watched)`,
    queued: isDelivered(kind) ? sql`(select count(${queuingOf('event_rows')}) from event_rows)` : sql`0::bigint`,
  }
}

/** Parts of a statement that makes things. */
export interface RecordingParts {
  /** Their entries in the feed. */
  readonly feedRows: RawBuilder<object>
  /** The events, under the name `event_rows`. */
  readonly eventRows: RawBuilder<Recorded>
  /** A value that is to be selected: it queues the deliveries of events that something follows on. */
  readonly queued: RawBuilder<number>
}

/**
 * Recording one event for each row of a part of a statement that changes several things, of a kind that no feed tells of.
 * @param payload made of the columns of the part
 * @param changed the part, which returns `id` and `project_id`
 * @returns a part with the payload and what `queueDeliveries` needs to know
 */
export const recordingEach = <K extends UnauditedKind>(
  { kind, actorId }: { readonly kind: K; readonly actorId: number | null },
  payload: RawBuilder<Events[K]>,
  changed: string,
): RawBuilder<Recorded & { payload: Events[K] }> =>
  sql`(insert into events (kind, payload, actor_id, project_id)
       select ${sql.lit(kind)}, ${payload}, ${actorId}::bigint, project_id from ${sql.table(changed)} order by id
       returning id, kind, payload, ${isWatched} as watched)`

/** A value that is to be selected of one such row, a part of the name `part`: it queues the delivery, where something follows on the event. */
export const queuingOf = (part: string): RawBuilder<number | null> => {
  const [id, kind, watched] = ['id', 'kind', 'watched'].map(column => sql.ref(`${part}.${column}`))
  const payload = sql`json_build_object('event_id', ${id}, 'quiet', not ${watched})`
  return sql`case when ${watched} or ${kind} <> all(${forHooks}::text[]) then ${enqueuing('deliver_event', payload)} end`
}
