/** The JSON of migrations. */
import Type from 'typebox'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime, integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import type { EntityRow, MigrationRow } from './queries.ts'

const status = text('State: `created`, `started`, `finished` or `failed`')

export const BulkImport = entity({
  name: 'BulkImport',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    status,
    source_type: text('Kind of the other server: `gitlab`'),
    created_at: DateTime('When it was asked for'),
    updated_at: DateTime('When its state changed last'),
  }),
  present: ({ url: _url, ...row }: MigrationRow) => ({ ...row, source_type: 'gitlab' }),
})

const Failure = Type.Object({
  relation: text('Part that could not come: `members`, `labels`, `issues`'),
  pipeline_class: text('The same, under the name that clients of 14.1 read'),
  pipeline_step: text('Step in which it was found'),
  exception_class: text('Kind of the failure'),
  exception_message: text('Why it could not come'),
  correlation_id_value: text('ID of the request that asked for the migration'),
  created_at: DateTime('When it was found'),
})

export const BulkImportEntity = entity({
  name: 'BulkImportEntity',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    bulk_import_id: integer('ID of the migration'),
    status,
    entity_type: text('`group` or `project`'),
    source_full_path: text('Full path on the other server'),
    destination_name: text('Name here'),
    destination_slug: text('Last part of the path here'),
    destination_namespace: text('Full path of the group that it comes into; empty for the top'),
    parent_id: Nullable(integer('ID of the group of the migration that it was found in; null where it was asked for')),
    namespace_id: Nullable(integer('ID of the group that it has become; null where there is none')),
    project_id: Nullable(integer('ID of the project that it has become; null where there is none')),
    created_at: DateTime('When it was asked for, or found'),
    updated_at: DateTime('When its state changed last'),
    failures: Type.Array(Failure, { description: 'What of it could not come' }),
  }),
  load: async ({ db }, rows: readonly EntityRow[]) =>
    failuresByEntity(
      db,
      rows.map(({ id }) => id),
    ),
  present: (row: EntityRow, failures) => ({
    id: row.id,
    bulk_import_id: row.bulk_import_id,
    status: row.status,
    entity_type: row.source_type === 'group_entity' ? 'group' : 'project',
    source_full_path: row.source_full_path,
    destination_name: row.destination_name,
    destination_slug: row.destination_slug,
    destination_namespace: row.destination_namespace,
    parent_id: row.parent_id,
    namespace_id: row.namespace_id,
    project_id: row.project_id,
    created_at: row.created_at,
    updated_at: row.updated_at,
    failures: (failures.get(row.id) ?? []).map(({ relation, step, exception_class, exception_message, created_at }) => ({
      relation,
      pipeline_class: relation,
      pipeline_step: step,
      exception_class,
      exception_message,
      correlation_id_value: row.correlation_id,
      created_at,
    })),
  }),
})

/** What of these groups and projects could not come. */
export async function failuresByEntity(db: Db, ids: readonly number[]) {
  const rows = await db.selectFrom('bulk_import_failures').selectAll().where('entity_id', '=', anyOf(ids)).orderBy('id').execute()
  return Map.groupBy(rows, ({ entity_id }) => entity_id)
}
