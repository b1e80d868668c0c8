/**
 * A project comes as an archive: the other server makes one, it is fetched, and imported as if it had been sent. So history, numbers, times, threads and
 * authors are what they were, which no sequence of writes by the API could give. What an archive has no place for is reported.
 */
import { allows } from '../../../platform/access/abilities.ts'
import { ObjectMismatch } from '../../../platform/object_store/measured.ts'
import { recordObject } from '../../../platform/object_store/rows.ts'
import { RemoteRefused } from '../../../platform/outbound/remote_api.ts'
import { moveImport } from '../../../spaces/projects/imports/states.ts'
import { projects, visibleProject } from '../../../spaces/projects/queries.ts'
import { projectSubject } from '../../../spaces/projects/scope.ts'
import { mostArchive } from '../../archives/reading/form.ts'
import { Row } from '../../archives/reading/row.ts'
import { keepArchive, prepareImport } from '../../project_archives/importing/commands.ts'
import { importArchive } from '../../project_archives/importing/task.ts'
import { enter, leftBehind, MigrationRefused, missing, type Outcome, placeAbove, type Work, writing } from './work.ts'

const pathOf = ({ entity }: Work): string => `/projects/${encodeURIComponent(entity.source_full_path)}`

/** Does the next step of a project. */
export async function projectStep(work: Work): Promise<Outcome> {
  const { step } = work.entity
  if (step === 'begin') return askForArchive(work)
  if (step === 'export') return takeArchive(work)
  if (step === 'import') return importTaken(work)
  await tellRest(work)
  return 'done'
}

/** Asks the other server for an archive. */
async function askForArchive(work: Work): Promise<Outcome> {
  const { source, deps } = work
  await assertStillMine(work)
  const { status } = await source.ask(`${pathOf(work)}/export`, {})
  if (status === 404) throw new MigrationRefused('The other server has no such project, or the token may not see it.')
  if (status === 401 || status === 403)
    throw new MigrationRefused('The token may not export the project: it takes a Maintainer, and the scope `api`.')
  if (status !== 202) throw new RemoteRefused(`The other server answered ${status} when it was asked for an archive.`, status)
  await enter(deps.database.db, work, 'export')
  return { next: 'export' }
}

/** Fetches the archive when it is there, and makes the project that it is to become. */
async function takeArchive(work: Work): Promise<Outcome> {
  const { source, deps, limits, entity } = work
  const answer = Row.of((await source.get(`${pathOf(work)}/export`)).value, 'export')
  const state = answer.maybeText('export_status', 64) ?? 'none'
  const since = (deps.now().getTime() - Date.parse(entity.step_since)) / 1000
  if (state !== 'finished') {
    // Contract: between the request and its job a server says `none`, as it does when the export has failed.
    if (since > (state === 'none' || state === 'failed' ? limits.silence : limits.patience))
      throw new MigrationRefused('The other server has not made an archive of the project.')
    return { wait: limits.pause }
  }
  await assertStillMine(work)
  const limit = Math.min(limits.archive, await mostArchive(deps.database.db))
  const stored = await source
    .file(`${pathOf(work)}/export/download`, bytes => deps.objects.put(bytes, { limit }))
    .catch(error => {
      throw error instanceof ObjectMismatch ? new MigrationRefused(`The archive is larger than ${limit} bytes.`) : error
    })
  await writing(work, async ctx => {
    const { db } = ctx
    const object_id = await recordObject(db, stored)
    await enter(db, work, 'import', { project_id: await projectFor(work, ctx, object_id) })
  })
  return { next: 'import' }
}

/** The project that the archive is to become: a new one, or the one of an attempt that failed. */
async function projectFor(work: Work, ctx: Parameters<typeof prepareImport>[0], object_id: number): Promise<number> {
  const { db } = ctx
  const { entity } = work
  if (entity.project_id !== null && (await moveImport(db, entity.project_id, 'schedule'))) {
    await keepArchive(db, entity.project_id, object_id)
    return entity.project_id
  }
  const { destination_slug: path, destination_name: name } = entity
  const namespace = await placeAbove(work, db)
  return prepareImport(ctx, { object_id, address: null }, { path, name, ...(namespace !== '' && { namespace }) })
}

async function importTaken(work: Work): Promise<Outcome> {
  const { deps, entity } = work
  const { db } = deps.database
  const gone = () => new MigrationRefused('The project was deleted while it was migrated.')
  if (entity.project_id === null) throw gone()
  await importArchive(deps, { project_id: entity.project_id })
  const project = await projects(db).where('projects.id', '=', entity.project_id).executeTakeFirst()
  if (!project) throw gone()
  if (project.import_status === 'failed') {
    // Resumed, it asks for another archive.
    await enter(db, work, 'begin')
    throw new MigrationRefused(project.import_error ?? 'The archive of the project could not be imported.')
  }
  if (project.import_status !== 'finished') return { wait: work.limits.pause }
  await writing(work, async ctx => {
    const failed = await ctx.db.selectFrom('import_failures').selectAll().where('project_id', '=', project.id).orderBy('id').execute()
    await missing(
      ctx.db,
      work,
      failed.map(row => ({ relation: row.relation_name, message: row.exception_message, kind: row.exception_class })),
    )
    await enter(ctx.db, work, 'rest')
  })
  return { next: 'rest' }
}

/** The project may have been given away, or the role in it been lost, between two attempts. */
async function assertStillMine({ deps, actor, entity }: Work): Promise<void> {
  if (entity.project_id === null) return
  const project = await visibleProject(deps.database.db, actor, String(entity.project_id))
  if (project && allows(actor, 'admin_project', projectSubject(project)) === 'yes') return
  throw new MigrationRefused('The account that asked for the migration may not administer the project any more.')
}

/** What an archive has no place for, as far as the token may see it. */
async function tellRest(work: Work): Promise<void> {
  const base = pathOf(work)
  const found = await leftBehind(work, [
    ['ci_variables', `${base}/variables`, 'their values are secrets, and are set again'],
    ['hooks', `${base}/hooks`, 'their secrets cannot be read, and they are set again'],
    ['triggers', `${base}/triggers`, 'tokens are made again'],
    ['deploy_keys', `${base}/deploy_keys`, 'keys are added again'],
    ['deploy_tokens', `${base}/deploy_tokens`, 'tokens are made again'],
    ['pipelines', `${base}/pipelines`, 'pipelines, jobs and artifacts stay there'],
    ['pipeline_schedules', `${base}/pipeline_schedules`, 'they run in the name of a user, and are set again'],
    ['environments', `${base}/environments`, 'environments and deployments are made by pipelines here'],
    ['packages', `${base}/packages`, 'packages are published again'],
    ['container_registry', `${base}/registry/repositories`, 'images are pushed again'],
    ['remote_mirrors', `${base}/remote_mirrors`, 'their credentials cannot be read, and they are set again'],
    ['badges', `${base}/badges`, 'badges are added again'],
  ])
  await writing(work, ctx => missing(ctx.db, work, found))
}
