/**
 * `ingot import`: migrates groups and projects from another server, and waits until they are here. Works while the server runs, whose worker then takes
 * part. A process that is stopped leaves what it was at; `--resume`, and the server when it runs, go on there.
 */
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { SingleBar } from 'cli-progress'
import { userByUsername } from '../../identity/users/queries.ts'
import { baseOf, requestMigration, resumeMigration } from '../../integrations/bulk_imports/commands.ts'
import { failuresByEntity } from '../../integrations/bulk_imports/entity.ts'
import { type EntityRow, entitiesOf, migrationsOf } from '../../integrations/bulk_imports/queries.ts'
import { actingAs } from '../../platform/access/credentials/credentials.ts'
import { ConfigError } from '../../platform/config.ts'
import { runningServerUrl } from '../../platform/db/embedded/running.ts'
import type { Worker } from '../../platform/events/queue.ts'
import { startWorker } from '../../platform/events/worker.ts'
import { type Context, type Deps, systemContext } from '../../platform/kernel/context.ts'
import { Refusal, sentenceOf } from '../../platform/kernel/errors.ts'
import { openLog } from '../../platform/log.ts'
import { CommandFailure } from '../cli/failures.ts'
import { configFrom, type SettingOptions } from '../cli/settings.ts'
import { openInstance } from '../setup/instance.ts'
import { ROOT } from '../setup/root.ts'
import { tasksOf } from '../tasks.ts'

export interface ImportOptions {
  readonly from: string
  readonly token?: string
  readonly tokenFile?: string
  readonly project: readonly string[]
  readonly group: readonly string[]
  readonly into: string
  readonly as?: string
  readonly resume?: true
}

/** Milliseconds between two looks at how it goes. */
const PERIOD = 500

/** Runs a migration to its end. @throws CommandFailure where something has failed */
export async function importFrom(options: SettingOptions & ImportOptions): Promise<void> {
  const config = configFrom(options)
  const token = await tokenOf(options)
  if (!options.resume && options.project.length + options.group.length === 0)
    throw new ConfigError('name what is imported: --group or --project, or --resume')
  // Looked at before: an instance that is opened runs its own database.
  const isServed = config.workers > 0 && (await runningServerUrl(config.dataDir)) !== undefined
  const instance = await openInstance({ config, log: openLog(config.logLevel), shared: true, existing: true })
  try {
    const { deps } = instance
    const id = await inWords(() => begin(deps, options, token))
    await waitFor(deps, id, isServed)
    await report(deps, id)
  } finally {
    await instance.close()
  }
}

async function tokenOf({ token, tokenFile }: ImportOptions): Promise<string> {
  const given = token ?? (tokenFile === undefined ? undefined : (await readFile(tokenFile, 'utf8')).trim())
  if (!given) throw new ConfigError('a token for the other server is needed: --token-file, or --token')
  return given
}

/** The migration that is asked for, or gone on with. */
async function begin(deps: Deps, options: ImportOptions, token: string): Promise<number> {
  return deps.database.db.transaction().execute(async db => {
    const user = await userByUsername(db, options.as ?? ROOT)
    const actor = user && (await actingAs(db, user.id))
    if (!user || !actor) throw new CommandFailure(`there is no active user "${options.as ?? ROOT}"`)
    const ctx = systemContext(deps, db, actor)
    return options.resume ? goOn(ctx, user.id, options, token) : ask(ctx, options, token)
  })
}

async function ask(ctx: Context, { from, project, group, into }: ImportOptions, access_token: string): Promise<number> {
  const named = (source_type: 'group_entity' | 'project_entity') => (source_full_path: string) => ({
    source_type,
    source_full_path,
    destination_namespace: into,
  })
  const entities = [...group.map(named('group_entity')), ...project.map(named('project_entity'))]
  const { id } = await requestMigration(ctx, { configuration: { url: from, access_token }, entities })
  return id
}

/** The latest migration of this user from the server. */
async function goOn(ctx: Context, userId: number, { from }: ImportOptions, token: string): Promise<number> {
  const migration = await migrationsOf(ctx.db, userId)
    .where('url', '=', await baseOf(ctx, from))
    .limit(1)
    .executeTakeFirst()
  if (!migration) throw new CommandFailure(`nothing was imported from ${from}`)
  await resumeMigration(ctx, migration, token)
  return migration.id
}

/** Refusals of the API as a line for a terminal. */
async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof Refusal ? new CommandFailure(sentenceOf(error)) : error
  }
}

/** The groups and projects of a migration; the user is the one who asked for it. */
async function entitiesIn({ database }: Deps, id: number): Promise<EntityRow[]> {
  const { user_id } = await database.db.selectFrom('bulk_imports').select('user_id').where('id', '=', id).executeTakeFirstOrThrow()
  return entitiesOf(database.db, user_id, { migration: id }).execute()
}

const isOpen = ({ status }: EntityRow): boolean => status === 'created' || status === 'started'

/** Waits until all has ended, and does the work where no server does. */
async function waitFor(deps: Deps, id: number, isServed: boolean): Promise<void> {
  const { database, log } = deps
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  process.on('SIGINT', stop).on('SIGTERM', stop)
  const bar = new SingleBar({ format: '{bar} {value} of {total} groups and projects | {what}', clearOnComplete: true })
  let worker: Worker | undefined
  bar.start(1, 0, { what: '' })
  try {
    if (!isServed) worker = await startWorker({ database, log, tasks: tasksOf(deps), concurrency: 2 })
    for (;;) {
      const entities = await entitiesIn(deps, id)
      const open = entities.filter(isOpen)
      const at = open.find(({ status }) => status === 'started')
      bar.setTotal(entities.length)
      bar.update(entities.length - open.length, { what: at ? `${at.source_full_path}: ${at.step}` : '' })
      if (open.length === 0) return
      if (stopping.signal.aborted) throw new CommandFailure('stopped; go on with --resume')
      await pause(PERIOD, undefined, { signal: stopping.signal }).catch(() => {})
    }
  } finally {
    bar.stop()
    await worker?.stop()
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

/** Says what has come and what has not. */
async function report(deps: Deps, id: number): Promise<void> {
  const entities = await entitiesIn(deps, id)
  const failures = await failuresByEntity(
    deps.database.db,
    entities.map(entity => entity.id),
  )
  const failed = entities.filter(({ status }) => status === 'failed')
  const lines = [`${entities.length - failed.length} of ${entities.length} groups and projects are here (migration ${id})`]
  for (const entity of entities) {
    const here = [entity.destination_namespace, entity.destination_slug].filter(part => part !== '').join('/')
    lines.push(`${entity.status === 'failed' ? 'failed' : 'here'}  ${entity.source_full_path} as ${here}`)
    for (const { relation, exception_message } of failures.get(entity.id) ?? []) lines.push(`  ${relation}: ${exception_message}`)
  }
  process.stdout.write(`${lines.join('\n').replaceAll(/[^\P{Cc}\n]/gu, ' ')}\n`)
  if (failed.length > 0) throw new CommandFailure(`${failed.length} could not be imported; --resume tries them again`)
}
