/** Reads of the languages of projects. */
import type { Db } from '../../platform/db/connection.ts'

/** The share of each language in percent, largest first. */
export async function languagesOf(db: Db, projectId: number): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('project_languages')
    .select(['name', 'share'])
    .where('project_id', '=', projectId)
    .orderBy('share', 'desc')
    .orderBy('name')
    .execute()
  return Object.fromEntries(rows.map(({ name, share }) => [name, share]))
}
