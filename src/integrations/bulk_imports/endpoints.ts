/** Migrations of groups and projects from a live server of this API (bulk imports API at 14.1). */
import Type from 'typebox'
import { inSelf } from '../../identity/users/scope.ts'
import { endpoint, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { described, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { requestMigration } from './commands.ts'
import { BulkImport, BulkImportEntity } from './entity.ts'
import { entitiesOf, migrationsOf } from './queries.ts'
import { inMigration, inMigrationEntity } from './scope.ts'
import { migrationStates } from './states.ts'

/** Groups and projects that one request names; those below them come as well. */
const MOST_NAMED = 100

const statusFilter = {
  status: optional(OneOf(migrationStates, { description: 'Only with this state: `created`, `started`, `finished` or `failed`' })),
}

const Named = Type.Object({
  source_type: OneOf(['group_entity', 'project_entity'], { description: 'What it is: `group_entity` or `project_entity`' }),
  source_full_path: text('Full path on the other server', { minLength: 1, maxLength: 2_048 }),
  destination_name: optional(text('Name here; the last part of the path unless given', { minLength: 1, maxLength: 255 })),
  destination_slug: optional(text('Last part of the path here; that of the other server unless given', { minLength: 1, maxLength: 255 })),
  destination_namespace: text('Full path of the group that it comes into; empty for the top, or for one’s own namespace', {
    maxLength: 2_048,
  }),
})

export const startBulkImport = endpoint({
  route: 'POST /bulk_imports',
  summary: 'Migrate groups and projects from another server, in the background',
  scope: inInstance,
  can: 'use_instance',
  params: {
    configuration: described(
      'The other server',
      Type.Object(
        {
          url: text('Its address: http or https', { maxLength: 2_048 }),
          access_token: text('A token for it, with the scope `api`, of a user who may export what is migrated', {
            minLength: 1,
            maxLength: 512,
          }),
        },
        { examples: [{ url: 'https://git.example.com', access_token: 'token-of-the-other-server' }] },
      ),
    ),
    entities: Type.Array(Named, {
      description: 'What is migrated. The subgroups and projects of a group come as well',
      minItems: 1,
      maxItems: MOST_NAMED,
      examples: [[{ source_type: 'group_entity', source_full_path: 'team', destination_slug: 'migrated', destination_namespace: '' }]],
    }),
  },
  answers: one(BulkImport),
  errors: ['unprocessable'],
  async run(ctx) {
    await ctx.deps.limiter.often('project_import', ctx.actor, ctx.request.ip)
    return requestMigration(ctx, ctx.params)
  },
})

export const listBulkImports = endpoint({
  route: 'GET /bulk_imports',
  summary: 'List one’s migrations',
  scope: inSelf,
  can: 'update_own',
  params: statusFilter,
  answers: pageOf(BulkImport),
  run: ({ db, user, params }) => migrationsOf(db, user.id, params),
})

export const listAllEntities = endpoint({
  route: 'GET /bulk_imports/entities',
  summary: 'List the groups and projects of all of one’s migrations',
  scope: inSelf,
  can: 'update_own',
  params: statusFilter,
  answers: pageOf(BulkImportEntity),
  run: ({ db, user, params }) => entitiesOf(db, user.id, params),
})

export const getBulkImport = endpoint({
  route: 'GET /bulk_imports/:import_id',
  summary: 'Get one of one’s migrations',
  scope: inMigration,
  can: 'update_own',
  answers: one(BulkImport),
  run: ({ migration }) => migration,
})

export const listEntities = endpoint({
  route: 'GET /bulk_imports/:import_id/entities',
  summary: 'List the groups and projects of a migration',
  scope: inMigration,
  can: 'update_own',
  params: statusFilter,
  answers: pageOf(BulkImportEntity),
  run: ({ db, user, migration, params }) => entitiesOf(db, user.id, { migration: migration.id, ...params }),
})

export const getEntity = endpoint({
  route: 'GET /bulk_imports/:import_id/entities/:entity_id',
  summary: 'Get a group or project of a migration, with what could not come',
  scope: inMigrationEntity,
  can: 'update_own',
  answers: one(BulkImportEntity),
  run: ({ migrated }) => migrated,
})
