/** Writes of the settings of the instance. */

import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Db } from '../db/connection.ts'
import { changesExcept } from '../events/audit/changes.ts'
import { recordEvent } from '../events/events.ts'
import type { Context } from '../kernel/context.ts'
import { inertDefaults, inertSettings } from './inert.ts'
import { type ApplicationSettingsRow, applicationSettings, forgetSettings } from './queries.ts'
import type { ApplicationSettingsJson } from './settings.ts'

/** Settings by name, inert ones too (inert.ts); those that are not given keep their values. */
export type SettingChanges = {
  readonly [Name in keyof Static<typeof ApplicationSettingsJson>]?: Static<typeof ApplicationSettingsJson>[Name] | undefined
} & Readonly<Record<string, unknown>>

const isInert = (name: string): boolean => Object.hasOwn(inertSettings, name)

/** Changes settings and returns all of them. */
export async function changeApplicationSettings(ctx: Context, changes: SettingChanges): Promise<ApplicationSettingsRow> {
  const { db, now } = ctx
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  const before = await applicationSettings(db)
  if (given.length === 0) return before
  const values = Object.fromEntries(given.filter(([name]) => !isInert(name)))
  const kept = Object.fromEntries(given.filter(([name]) => isInert(name)))
  await db
    .updateTable('application_settings')
    .set({
      ...values,
      ...(Object.keys(kept).length > 0 && { inert: sql`inert || ${JSON.stringify(kept)}::jsonb` }),
      updated_at: now,
    })
    .execute()
  forgetSettings(db)
  const known = { ...before, ...inertDefaults, ...(before.inert as object) }
  await recordEvent(ctx, {
    kind: 'application_settings.updated',
    payload: { changes: changesExcept(known, Object.fromEntries(given), []) },
  })
  return applicationSettings(db)
}

/** The domain of addresses that take no mail, until the instance knows its own host. */
const UNNAMED = 'users.noreply.localhost'

/** Gives the domain of private addresses the host of the instance, unless it has a name already: a new external URL leaves old commits theirs. */
export async function nameCommitEmails(db: Db, externalUrl: string | undefined): Promise<void> {
  const host = externalUrl === undefined ? '' : new URL(externalUrl).hostname
  // An address of the form of IPv4 or IPv6 makes no domain.
  if (!/[a-z]$/i.test(host)) return
  await db
    .updateTable('application_settings')
    .set({ commit_email_hostname: `users.noreply.${host}` })
    .where('commit_email_hostname', '=', UNNAMED)
    .execute()
  forgetSettings(db)
}
