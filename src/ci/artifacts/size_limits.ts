/** Maximum sizes of artifacts: the default of the type, unless the instance overrides it (plan limits, `ci_max_artifact_size_*`). */
import type { ApplicationSettingsRow } from '../../platform/application_settings/queries.ts'
import type { Db } from '../../platform/db/connection.ts'
import { type ArtifactTypeName, artifactType, artifactTypes } from './types.ts'

/** The name of a type's limit in the plan limits. */
export type LimitName = `ci_max_artifact_size_${ArtifactTypeName}`

const nameOf = (type: ArtifactTypeName): LimitName => `ci_max_artifact_size_${type}`

export const limitNames: readonly LimitName[] = artifactTypes.map(nameOf)

const MEGABYTE = 1024 * 1024

/** Maximum size of an artifact of this type, in bytes; `Infinity` for no limit. Of archives the setting of the instance is another limit. */
export async function sizeLimitOf(
  db: Db,
  type: ArtifactTypeName,
  { max_artifacts_size }: Pick<ApplicationSettingsRow, 'max_artifacts_size'>,
): Promise<number> {
  const own = await db.selectFrom('artifact_size_limits').select('megabytes').where('file_type', '=', type).executeTakeFirst()
  const megabytes = own?.megabytes ?? artifactType(type).megabytes
  const limits = [megabytes, ...(type === 'archive' ? [max_artifacts_size] : [])].filter(limit => limit > 0)
  return Math.min(...limits) * MEGABYTE
}

/** All limits by name, in megabytes, 0 for none. */
export async function sizeLimits(db: Db): Promise<Record<LimitName, number>> {
  const rows = await db.selectFrom('artifact_size_limits').selectAll().execute()
  const own = new Map(rows.map(({ file_type, megabytes }) => [file_type, megabytes]))
  return Object.fromEntries(artifactTypes.map(type => [nameOf(type), own.get(type) ?? artifactType(type).megabytes])) as Record<
    LimitName,
    number
  >
}

/** Changes the given limits. Existing artifacts stay, whatever their size. */
export async function changeSizeLimits(db: Db, given: Readonly<Partial<Record<LimitName, number | undefined>>>): Promise<void> {
  const rows = artifactTypes.flatMap(file_type => {
    const megabytes = given[nameOf(file_type)]
    return megabytes === undefined ? [] : [{ file_type, megabytes }]
  })
  if (rows.length === 0) return
  await db
    .insertInto('artifact_size_limits')
    .values(rows)
    .onConflict(conflict => conflict.column('file_type').doUpdateSet(({ ref }) => ({ megabytes: ref('excluded.megabytes') })))
    .execute()
}
