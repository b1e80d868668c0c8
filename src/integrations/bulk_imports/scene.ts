/** What tests of migrations need: doing the work of both servers until a migration has ended. */
import type { Person, Scene } from '../../../test/scene.ts'
import { runExport } from '../project_archives/scene.ts'
import { migrateEntity } from './working/task.ts'
import { type MigrationLimits, migrationLimits } from './working/work.ts'

/** Rounds after which a migration should have ended. */
const MOST_ROUNDS = 60

/** Asks for a migration, and answers its id. */
export async function requested(here: Person, url: string, token: string, entities: readonly object[]): Promise<number> {
  const { status, body } = await here.post('/bulk_imports', { configuration: { url, access_token: token }, entities })
  if (status !== 201) throw new Error(`the migration was refused: ${status} ${JSON.stringify(body)}`)
  return body.id
}

/** Takes one turn at each group and project that is open; false where there is none. */
export async function turn({ deps }: Scene, id: number, limits: MigrationLimits = migrationLimits): Promise<boolean> {
  const open = await deps.database.db
    .selectFrom('bulk_import_entities')
    .select('id')
    .where('bulk_import_id', '=', id)
    .where('status', 'in', ['created', 'started'])
    .orderBy('id')
    .execute()
  for (const entity of open) await migrateEntity(deps, { entity_id: entity.id }, limits)
  return open.length > 0
}

/** Makes the archives that the other server was asked for. */
export async function exportAsked(source: Scene): Promise<void> {
  const asked = await source.deps.database.db.selectFrom('project_exports').select('project_id').where('state', '=', 'queued').execute()
  for (const { project_id } of asked) await runExport(source, project_id)
}

/** Does the work of both servers until a migration has ended. Answers it with its groups and projects. */
export async function migrated(here: Scene, source: Scene | undefined, person: Person, id: number, limits?: MigrationLimits) {
  for (let round = 0; await turn(here, id, limits); round++) {
    if (round > MOST_ROUNDS) throw new Error('the migration does not end')
    if (source) await exportAsked(source)
  }
  return {
    migration: (await person.get(`/bulk_imports/${id}`)).body,
    entities: (await person.get(`/bulk_imports/${id}/entities?per_page=100`)).body,
  }
}
