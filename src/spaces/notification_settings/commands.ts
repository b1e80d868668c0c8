/** Writes of notification settings. Nobody changes those of others. */
import { sql } from 'kysely'
import { emailsOf } from '../../identity/emails/queries.ts'
import type { UserRow } from '../../identity/users/queries.ts'
import type { Place } from '../../platform/access/places.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { type ChosenEvents, customEvents, type Level, USUAL_LEVEL } from './levels.ts'

/** What a call changes; what is not given stays. */
export type SettingChanges = { readonly level?: Level | undefined } & ChosenEvents

/** Changes what a person gets mail about in a group or project, or everywhere. */
export async function changeSetting(
  { db, now }: Pick<Context, 'db' | 'now'>,
  userId: number,
  place: Place | undefined,
  { level, ...given }: SettingChanges,
): Promise<void> {
  const events = Object.fromEntries(customEvents.flatMap(event => (given[event] === undefined ? [] : [[event, given[event]]])))
  if (level === undefined && Object.keys(events).length === 0) return
  const chosen = JSON.stringify(events)
  await db
    .insertInto('notification_settings')
    .values({
      user_id: userId,
      ...place,
      level: level ?? (place ? 'global' : USUAL_LEVEL),
      events: chosen,
      created_at: now,
      updated_at: now,
    })
    .onConflict(conflict => {
      const key = place === undefined ? undefined : 'project_id' in place ? ('project_id' as const) : ('namespace_id' as const)
      const own =
        key === undefined
          ? conflict.columns(['user_id']).where('namespace_id', 'is', null).where('project_id', 'is', null)
          : conflict.columns([key, 'user_id']).where(key, 'is not', null)
      return own.doUpdateSet({
        ...(level !== undefined && { level }),
        events: sql`notification_settings.events || ${chosen}::jsonb`,
        updated_at: now,
      })
    })
    .execute()
}

/** Chooses the address that mails go to; 400 for one that the person has not confirmed. */
export async function changeAddress(ctx: Pick<Context, 'db' | 'now'>, user: UserRow, address: string): Promise<void> {
  const { db, now } = ctx
  const isPrimary = address.toLowerCase() === user.email.toLowerCase()
  const others = await emailsOf(db, user.id).where('confirmed_at', 'is not', null).execute()
  const other = others.find(({ email }) => email.toLowerCase() === address.toLowerCase())
  if (!isPrimary && !other) throw invalid({ notification_email: ['must be an email you have verified'] })
  const email = isPrimary ? null : (other?.email ?? null)
  await db
    .insertInto('notification_settings')
    .values({ user_id: user.id, level: USUAL_LEVEL, email, created_at: now, updated_at: now })
    .onConflict(conflict =>
      conflict
        .columns(['user_id'])
        .where('namespace_id', 'is', null)
        .where('project_id', 'is', null)
        .doUpdateSet({ email, updated_at: now }),
    )
    .execute()
}
