/** The people who may get mail about what happened: one statement, however many they are. Whether they may read it is decided afterwards. */
import { type RawBuilder, sql } from 'kysely'
import { columnOf, type NoteableKey } from '../../collaboration/item_kinds/kinds.ts'
import { isCurrentMembership } from '../../platform/access/memberships.ts'
import type { Place } from '../../platform/access/places.ts'
import { type Language, type Preferences, withDefaults } from '../../platform/access/preferences.ts'
import type { Db } from '../../platform/db/connection.ts'
import { readerWith } from '../../platform/mail/readers.ts'
import type { Reader } from '../../platform/mail/words/words.ts'
import { type ChosenEvents, type Level, USUAL_LEVEL } from '../../spaces/notification_settings/levels.ts'
import { isGlobal, notificationAddress } from '../../spaces/notification_settings/queries.ts'
import type { Candidate, Standing } from './reasons.ts'

/** A person who may get mail, with where it goes. */
export interface Person extends Candidate {
  readonly id: number
  readonly name: string
  readonly username: string
  readonly address: string
  /** They want mails about what they do themselves. */
  readonly wantsOwn: boolean
  readonly reader: Reader
  /** Whether they get mails together. */
  readonly digest: Preferences['mail_digest']
}

/** Who is looked for. */
export interface Sought {
  readonly place: Place
  /** Those who have to do with this item. */
  readonly item?: NoteableKey | undefined
  /** The text that is new: those whom it mentions. Null: the description of the item. */
  readonly text?: { readonly noteId: number | null } | undefined
  /** People whom the event names, with their reasons. */
  readonly named: readonly (readonly [userId: number, reason: Standing])[]
  /** Subscribers of these labels. */
  readonly labelIds: readonly number[]
  /** All members, whatever their level. */
  readonly members: boolean
}

const current = isCurrentMembership()

/** The place, unless its mails or those of a group above it are off, or it is being deleted. */
const placeOf = (place: Place): RawBuilder<unknown> => {
  const above = sql`not exists (select from namespaces up where up.id = any(n.traversal_ids) and (up.emails_disabled or up.deleting))`
  return 'project_id' in place
    ? sql`select p.id as project_id, n.traversal_ids, n.owner_id from projects p join namespaces n on n.id = p.namespace_id
           where p.id = ${place.project_id} and not p.emails_disabled and not p.deleting and ${above}`
    : sql`select null::bigint as project_id, n.traversal_ids, n.owner_id from namespaces n where n.id = ${place.namespace_id} and ${above}`
}

/** What people have to do with an item, as rows of `user_id` and `reason`. */
function standingsIn(key: NoteableKey, text: Sought['text']): RawBuilder<unknown> {
  const [name, id] = columnOf(key)
  const column = sql.ref(name)
  const [table, assignees] =
    name === 'issue_id'
      ? ['issues', 'issue_assignees']
      : name === 'merge_request_id'
        ? ['merge_requests', 'merge_request_assignees']
        : name === 'epic_id'
          ? ['epics', undefined]
          : [name === 'snippet_id' ? 'snippets' : undefined, undefined]
  const mentioned = text
    ? sql`select user_id, 'mentioned' as reason from user_mentions where ${column} = ${id} and note_id is not distinct from ${text.noteId}::bigint`
    : sql`select null::bigint as user_id, 'mentioned' as reason where false`
  return sql`${mentioned}
    ${name === 'merge_request_id' ? sql`union all select user_id, 'review_requested' from merge_request_reviewers where merge_request_id = ${id}` : sql``}
    ${assignees === undefined ? sql`` : sql`union all select user_id, 'assigned' from ${sql.table(assignees)} where ${column} = ${id}`}
    ${table === undefined ? sql`` : sql`union all select author_id, 'author' from ${sql.table(table)} where id = ${id}`}
    union all select author_id, 'participating' from notes where ${column} = ${id} and action is null
    union all select user_id, 'participating' from user_mentions where ${column} = ${id}`
}

interface Row {
  readonly id: number
  readonly name: string
  readonly username: string
  readonly address: string
  readonly preferences: unknown
  readonly instance_language: Language
  readonly standings: readonly Standing[]
  readonly subscribed: boolean | null
  readonly by_label: boolean
  readonly is_member: boolean
  /** Of the place and the groups above it, the nearest one first, then the global one. */
  readonly settings: readonly { readonly level: Level; readonly events: ChosenEvents }[]
}

/** Active people with a confirmed address who may get mail. None where the place sends none. */
export async function candidatesFor(db: Db, { place, item, text, named, labelIds, members }: Sought): Promise<Person[]> {
  const [column, id] = item ? columnOf(item) : (['issue_id', 0] as const)
  const namedIds = named.map(([userId]) => userId)
  const { rows } = await sql<Row>`
    with place as materialized (${placeOf(place)}),
    standings as materialized (
      select unnest(${namedIds}::bigint[]) as user_id, unnest(${named.map(([, reason]) => reason)}::text[]) as reason
      ${item ? sql`union all ${standingsIn(item, text)}` : sql``}),
    chosen as materialized (
      select s.user_id from place join notification_settings s on s.project_id = place.project_id or s.namespace_id = any(place.traversal_ids)
       where s.level in ('watch', 'custom')),
    members as materialized (
      select m.user_id from place join memberships m on (m.project_id = place.project_id or m.namespace_id = any(place.traversal_ids)) and ${current}
       union select owner_id from place where owner_id is not null),
    wanted as (
      select user_id from standings
       union select user_id from subscriptions where ${sql.ref(column)} = ${id} and subscribed
       union select user_id from subscriptions where label_id = any(${labelIds}::bigint[]) and subscribed
       union select user_id from chosen
       union select user_id from members join notification_settings global using (user_id)
              where ${isGlobal} and (global.level in ('watch', 'custom'))
       ${members ? sql`union select user_id from members` : sql``})
    select users.id, users.name, users.username, ${notificationAddress} as address, users.preferences,
      (select default_preferred_language from application_settings) as instance_language,
      array(select distinct reason from standings where standings.user_id = users.id) as standings,
      own.subscribed,
      exists (select from subscriptions s where s.user_id = users.id and s.label_id = any(${labelIds}::bigint[]) and s.subscribed) as by_label,
      exists (select from members where members.user_id = users.id) as is_member,
      (select json_agg(json_build_object('level', s.level, 'events', s.events)
                order by (s.project_id is not null) desc, array_position(place.traversal_ids, s.namespace_id) desc nulls last)
         from notification_settings s
        where s.user_id = users.id
          and (s.project_id = place.project_id or s.namespace_id = any(place.traversal_ids) or (s.project_id is null and s.namespace_id is null))) as settings
      from place join wanted on true
      join users on users.id = wanted.user_id
      left join notification_settings global on global.user_id = users.id and ${isGlobal}
      left join subscriptions own on own.user_id = users.id and own.${sql.raw(column)} = ${id}
     where users.state = 'active' and users.kind = 'human' and users.confirmed_at is not null
     order by users.id`.execute(db)
  return rows.map(({ preferences, instance_language, subscribed, by_label, is_member, settings, ...row }) => {
    const setting = (settings ?? []).find(({ level }) => level !== 'global')
    return {
      ...row,
      isNamed: namedIds.includes(row.id),
      subscribed: subscribed ?? undefined,
      byLabel: by_label,
      isMember: is_member,
      level: setting?.level ?? USUAL_LEVEL,
      events: setting?.events ?? {},
      reader: readerWith(preferences, instance_language),
      wantsOwn: withDefaults(preferences).notified_of_own_activity,
      digest: withDefaults(preferences).mail_digest,
    }
  })
}
