/** Migrations of groups and projects from a running server: asking for one, one's own, and how one goes. */

import { inSelf } from '../../../identity/users/scope.ts'
import { startBulkImport } from '../../../integrations/bulk_imports/endpoints.ts'
import { entitiesOf, entityCountsOf, failureCountsOf, failuresOf, migrationsOf } from '../../../integrations/bulk_imports/queries.ts'
import { inMigration, inMigrationEntity } from '../../../integrations/bulk_imports/scope.ts'
import { migrationStates } from '../../../integrations/bulk_imports/states.ts'
import { inInstance } from '../../../platform/kernel/declaration/scope.ts'
import { OneOf, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { empty } from '../../../platform/pages/components/empty.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { time } from '../../../platform/pages/components/time.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { form } from '../../../platform/pages/forms/form.ts'
import { page } from '../../../platform/pages/frame/document.ts'
import { html } from '../../../platform/pages/html.ts'
import { listPage, listParams } from '../../../platform/pages/lists.ts'
import { livePart } from '../../../platform/pages/live/part.ts'
import { namespacePaths } from '../archive_forms.ts'
import { archiveTopic } from '../live.ts'
import { failuresTable, stateChip } from '../reports.ts'
import { MIGRATIONS, projectWaysView } from '../ways.ts'
import { placesOf } from './places.ts'
import { entitiesOf as entitiesOfRows, rowParams, rowsField } from './rows.ts'
import { entityTable, progressView } from './view.ts'

const starting = form({
  path: `${MIGRATIONS}/new`,
  summary: 'Migrate groups and projects from another server',
  scope: inInstance,
  of: startBulkImport,
  fields: async ctx => [
    {
      name: 'url',
      label: 'Address of the other server',
      control: 'text',
      required: true,
      autofocus: true,
      placeholder: 'https://git.example.com',
      hint: 'A server of this API, from release 14.0 on.',
    },
    {
      name: 'access_token',
      label: 'Token for it',
      control: 'password',
      autocomplete: 'off',
      required: true,
      hint: 'With the scope `api`, of a user who is a Maintainer of what is migrated. It is kept encrypted until the migration has ended.',
    },
    rowsField(
      (await namespacePaths(ctx)).map(([path, label]) => [path, path === '' ? 'The top, or for projects your own namespace' : label]),
    ),
  ],
  instead: {
    of: ['configuration', 'entities'],
    params: {
      url: text('Address of the other server', { minLength: 1, maxLength: 2_048, examples: ['https://git.example.com'] }),
      access_token: text('Token for it', { minLength: 1, maxLength: 512, examples: ['token-of-the-other-server'] }),
      ...rowParams,
    },
    adapt: async (_ctx, { url, access_token, rows }) => ({ configuration: { url, access_token }, entities: entitiesOfRows(rows) }),
  },
  next: (_ctx, { id }: { readonly id: number }) => `${MIGRATIONS}/${id}`,
  notice: 'The migration has begun.',
  button: 'Migrate',
  before: async ctx =>
    html`${await projectWaysView(ctx, `${MIGRATIONS}/new`)}<p>Groups come with their subgroups and projects, and projects with their repositories, issues and merge requests. <a href="/help/migration#move-groups-and-projects-from-a-running-server">What comes, and as whose</a> · <a href="${MIGRATIONS}">Your migrations</a></p>`,
  cancel: () => MIGRATIONS,
  frame: () => ({ title: 'Migrate from another server', scripts: ['variable_rows.js'] }),
})

export const showMigrationForm = starting.show
export const submitMigration = starting.submit

const statusFilter = { status: optional(OneOf(migrationStates, { description: 'Only with this state' })) }

export const showMigrations = pageEndpoint({
  route: `GET ${MIGRATIONS}`,
  summary: 'Show one’s migrations from other servers',
  scope: inSelf,
  can: 'update_own',
  params: { ...listParams, ...statusFilter },
  async run(ctx) {
    const { db, user, params } = ctx
    const found = await listPage(ctx, migrationsOf(db, user.id, params), params)
    const start = html`<a class="btn btn-primary" href="${MIGRATIONS}/new">Migrate</a>`
    return page(ctx, {
      title: 'Migrations',
      heading: 'own',
      width: 'medium',
      body: html`<div class="heading"><h1>Migrations</h1>${found.rows.length > 0 && start}</div>
${
  found.rows.length > 0
    ? html`<ul class="list" data-list>${found.rows.map(
        ({ id, status, url, created_at }) =>
          html`<li>${icon('server')}<div class="main"><div class="title break"><a href="${MIGRATIONS}/${id}">${url}</a></div><div class="facts"><span>asked for ${time(created_at)}</span></div></div>${stateChip(status)}</li>`,
      )}</ul>${found.links}`
    : empty({
        icon: 'server',
        title: 'No migrations',
        says: 'Groups and projects that you bring here from a running server are listed here, each with how that went.',
        action: start,
      })
}`,
    })
  },
})

export const showMigration = pageEndpoint({
  route: `GET ${MIGRATIONS}/:import_id`,
  summary: 'Show how a migration goes',
  scope: inMigration,
  can: 'update_own',
  params: { ...listParams, ...statusFilter },
  async run(ctx) {
    const { db, user, migration, params } = ctx
    const topic = archiveTopic('migration', migration.id)
    const found = await listPage(ctx, entitiesOf(db, user.id, { migration: migration.id, status: params.status }), params)
    const ids = found.rows.map(({ id }) => id)
    const [counts, missing, places] = [
      await entityCountsOf(db, migration.id),
      await failureCountsOf(db, ids),
      await placesOf(ctx, found.rows),
    ]
    return page(ctx, {
      title: 'Migration',
      width: 'wide',
      live: [topic],
      body: livePart(
        'migration',
        topic,
        html`${progressView(ctx.request.address, migration, counts, params.status)}${entityTable({ rows: found.rows, missing, places })}${found.links}`,
        'stack',
      ),
    })
  },
})

export const showMigrated = pageEndpoint({
  route: `GET ${MIGRATIONS}/:import_id/entities/:entity_id`,
  summary: 'Show what of a migrated group or project could not come',
  scope: inMigrationEntity,
  can: 'update_own',
  params: listParams,
  async run(ctx) {
    const { db, migration, migrated, params } = ctx
    const found = await listPage(ctx, failuresOf(db, migrated.id), params)
    const failures = found.rows.map(({ relation, step, exception_message }) => ({ relation, source: step, message: exception_message }))
    return page(ctx, {
      title: migrated.source_full_path,
      width: 'medium',
      body: html`<div class="row">${stateChip(migrated.status)}<a href="${MIGRATIONS}/${migration.id}">The whole migration</a></div>
${failures.length > 0 ? html`${failuresTable(failures)}${found.links}` : html`<p class="muted">Nothing is known to be missing.</p>`}`,
    })
  },
})
