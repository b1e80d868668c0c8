/** Migrations by their address: each user has their own. */
import { inSelf } from '../../identity/users/scope.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { type EntityRow, entitiesOf, type MigrationRow, migrationsOf } from './queries.ts'

/** `:import_id` becomes a migration of the caller, or 404. */
export const inMigration = within(inSelf, {
  name: 'inMigration',
  path: { import_id: integer('ID of a migration') },
  async load({ db, user }, { import_id }): Promise<{ migration: MigrationRow }> {
    const migration = await migrationsOf(db, user.id).where('id', '=', import_id).executeTakeFirst()
    if (!migration) throw notFound()
    return { migration }
  },
})

/** `:entity_id` becomes a group or project of the migration, or 404. */
export const inMigrationEntity = within(inMigration, {
  name: 'inMigrationEntity',
  path: { entity_id: integer('ID of a group or project in the migration') },
  async load({ db, user, migration }, { entity_id }): Promise<{ migrated: EntityRow }> {
    const migrated = await entitiesOf(db, user.id, { migration: migration.id })
      .where('bulk_import_entities.id', '=', entity_id)
      .executeTakeFirst()
    if (!migrated) throw notFound()
    return { migrated }
  },
})
