/** Reads of the settings of the instance. */
import type { Selectable } from 'kysely'
import type { Db } from '../db/connection.ts'
import type { ApplicationSettings as Table } from '../db/schema.ts'
import { compiled } from '../db/statements/compiled.ts'

/** The settings as they are stored; `settings.ts` describes each. */
export type ApplicationSettingsRow = Selectable<Table>

/** The settings that hold now. One statement: nothing is cached, so that a change takes effect with the next request. */
export async function applicationSettings(db: Db): Promise<ApplicationSettingsRow> {
  const [row] = await settingsRow(db)
  if (!row) throw new Error('application_settings has no row')
  return row
}

const settingsRow = compiled((db: Db) => db.selectFrom('application_settings').selectAll())
