/** Reads of notification settings. */
import { sql } from 'kysely'
import type { Actor } from '../../platform/access/actor.ts'
import type { Place } from '../../platform/access/places.ts'
import { groupVisibleTo, projectVisibleTo } from '../../platform/access/visible.ts'
import type { Db } from '../../platform/db/connection.ts'
import { type ChosenEvents, type Level, USUAL_LEVEL } from './levels.ts'

/** A setting of a person: their own, or what holds where they have chosen nothing. */
export interface NotificationSettingRow {
  readonly level: Level
  readonly events: ChosenEvents
}

/** The global one, with the address that mails go to. */
export interface GlobalNotificationSettingRow extends NotificationSettingRow {
  readonly notification_email: string
}

/** The address of an account that mails go to: the chosen one while it is confirmed, else the primary one. Of the rows `users` and `global`. */
export const notificationAddress = sql<string>`coalesce(
  (select emails.email from emails where emails.user_id = users.id and emails.confirmed_at is not null and lower(emails.email) = lower(global.email)),
  users.email)`

/** The joined row with the global setting of `users`. */
export const isGlobal = sql<boolean>`global.namespace_id is null and global.project_id is null`

/** The global setting of a person. */
export async function globalSettingOf(db: Db, userId: number): Promise<GlobalNotificationSettingRow> {
  const row = await db
    .selectFrom('users')
    .leftJoin('notification_settings as global', join => join.onRef('global.user_id', '=', 'users.id').on(isGlobal))
    .select(['global.level', 'global.events', notificationAddress.as('notification_email')])
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow()
  return {
    level: (row.level as Level | null) ?? USUAL_LEVEL,
    events: (row.events as ChosenEvents | null) ?? {},
    notification_email: row.notification_email,
  }
}

/** The setting of a person in a group or project; `global` where they have chosen nothing. */
export async function settingIn(db: Db, userId: number, place: Place): Promise<NotificationSettingRow> {
  const row = await db
    .selectFrom('notification_settings')
    .select(['level', 'events'])
    .where('user_id', '=', userId)
    .where(({ eb }) => ('project_id' in place ? eb('project_id', '=', place.project_id) : eb('namespace_id', '=', place.namespace_id)))
    .executeTakeFirst()
  return { level: (row?.level as Level | undefined) ?? 'global', events: (row?.events as ChosenEvents | undefined) ?? {} }
}

/** A group or project in which a person has chosen a level. */
export interface ChosenPlace {
  readonly kind: 'group' | 'project'
  readonly full_path: string
  readonly level: Level
}

/** The groups and projects in which the caller has chosen a level, as far as they may see them, by path. */
export const chosenPlaces = (db: Db, actor: Actor, userId: number, most: number) =>
  sql<ChosenPlace>`
    select kind, full_path, level from (
      select 'project' as kind, routes.path as full_path, s.level
        from notification_settings s join projects on projects.id = s.project_id join routes on routes.project_id = projects.id
       where s.user_id = ${userId} and s.level <> 'global' and ${projectVisibleTo(actor)}
       union all
      select 'group', routes.path, s.level
        from notification_settings s join namespaces on namespaces.id = s.namespace_id join routes on routes.namespace_id = namespaces.id
       where s.user_id = ${userId} and s.level <> 'global' and ${groupVisibleTo(actor)}) as places
     order by full_path limit ${most}`
    .execute(db)
    .then(({ rows }) => rows)
