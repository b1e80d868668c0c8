/** Writes of the settings of the instance. */

import type { Static } from 'typebox'
import { changesExcept } from '../events/audit/changes.ts'
import { recordEvent } from '../events/events.ts'
import type { Context } from '../kernel/context.ts'
import { type ApplicationSettingsRow, applicationSettings } from './queries.ts'
import type { ApplicationSettingsJson } from './settings.ts'

/** Settings by name; those that are not given keep their values. */
export type SettingChanges = {
  readonly [Name in keyof Static<typeof ApplicationSettingsJson>]?: Static<typeof ApplicationSettingsJson>[Name] | undefined
}

/** Changes settings and returns all of them. */
export async function changeApplicationSettings(ctx: Context, changes: SettingChanges): Promise<ApplicationSettingsRow> {
  const { db, now } = ctx
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  const before = await applicationSettings(db)
  if (Object.keys(given).length === 0) return before
  await db
    .updateTable('application_settings')
    .set({ ...given, updated_at: now })
    .execute()
  await recordEvent(ctx, { kind: 'application_settings.updated', payload: { changes: changesExcept(before, given, []) } })
  return applicationSettings(db)
}
