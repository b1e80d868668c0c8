/** Migrations from another server in the world: one for each person, eight for the one whose lists are measured. */
import type { Where } from './examples.ts'
import { rows } from './making.ts'
import type { Things, World } from './world.ts'

export const migrationScopes: Readonly<Record<string, (where: Where) => Things>> = {
  inMigration: ({ own }) => ({ import_id: own.migration as number }),
  inMigrationEntity: ({ own }) => ({ import_id: own.migration as number, entity_id: own.migrated as number }),
}

/** Has them ended, with something that could not come. */
export async function migrations({ scene, people, own }: World): Promise<void> {
  const { db } = scene.deps.database
  for (const [name, person] of Object.entries(people)) {
    const measured = person === scene.root ? rows : [0]
    const ended = { url: 'https://git.example.com', correlation_id: 'migration', status: 'finished' as const }
    const made = await db
      .insertInto('bulk_imports')
      .values(measured.map(() => ({ ...ended, user_id: person.id })))
      .returning('id')
      .execute()
    const [first] = made
    const path = (row: number) => `team/lamp-${row}`
    const entities = await db
      .insertInto('bulk_import_entities')
      .values(
        measured.map(row => ({
          bulk_import_id: first?.id as number,
          source_type: 'project_entity' as const,
          source_full_path: path(row),
          destination_name: `Lamp ${row}`,
          destination_slug: `lamp-${row}`,
          destination_namespace: '',
          status: 'finished' as const,
          step: 'done' as const,
        })),
      )
      .returning('id')
      .execute()
    await db
      .insertInto('bulk_import_failures')
      .values(
        entities.map(({ id }) => ({
          entity_id: id,
          relation: 'hooks',
          step: 'rest',
          exception_class: 'NotMigrated',
          exception_message: '1 on the other server: their secrets cannot be read, and they are set again',
        })),
      )
      .execute()
    Object.assign(own[name] as Things, { migration: first?.id, migrated: entities[0]?.id })
  }
}
