/** Reads of the settings of the instance. */
import type { Selectable } from 'kysely'
import type { Db } from '../db/connection.ts'
import type { ApplicationSettings as Table } from '../db/schema.ts'
import { compiled } from '../db/statements/compiled.ts'

/** The settings as they are stored; `settings.ts` describes each. */
export type ApplicationSettingsRow = Selectable<Table>

/** What open transactions have read: commands of one change ask for the same settings several times, and are to decide by the same ones. */
const readIn = new WeakMap<Db, Promise<ApplicationSettingsRow>>()

/** The settings that hold now. One statement for a transaction; outside of one nothing is kept, so that a change takes effect with the next request. */
export function applicationSettings(db: Db): Promise<ApplicationSettingsRow> {
  if (!db.isTransaction) return read(db)
  const known = readIn.get(db)
  if (known) return known
  const row = read(db)
  readIn.set(db, row)
  return row
}

/** For a transaction that changes them: it reads them again. */
export const forgetSettings = (db: Db): boolean => readIn.delete(db)

async function read(db: Db): Promise<ApplicationSettingsRow> {
  const [row] = await settingsRow(db)
  if (!row) throw new Error('application_settings has no row')
  return row
}

const settingsRow = compiled((db: Db) => db.selectFrom('application_settings').selectAll())
