/** When projects pull: by themselves every half an hour, and when they are asked to. */
import type { Db } from '../../../platform/db/connection.ts'
import { transact } from '../../../platform/db/transact.ts'
import { enqueueJobs, type Job } from '../../../platform/events/worker.ts'
import type { Context, Deps } from '../../../platform/kernel/context.ts'
import { badRequest, invalid } from '../../../platform/kernel/errors.ts'
import { updateProject } from '../../../spaces/projects/commands.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'
import { laneOf } from '../attempt.ts'
import { type PullMirrorRow, pullMirrorOf } from './queries.ts'

/** Minutes between two pulls (public documentation of pull mirrors). */
export const INTERVAL = 30

/** Projects per transaction. */
const BATCH = 100

/** The job that pulls into a project. */
const pullJob = (project_id: number): Job => ({
  task: 'pull_mirror',
  payload: { project_id },
  options: { jobKey: `pull_mirror ${project_id}`, queueName: laneOf(project_id), maxAttempts: 3 },
})

/** Whether a project pulls as long as it is. */
export const pulls = (project: Pick<ProjectRow, 'mirror' | 'archived' | 'marked_for_deletion_on'>): boolean =>
  project.mirror && !project.archived && project.marked_for_deletion_on === null

/** A project pulls from now on, or from another address: failures of before do not count. */
export async function beginPulling({ db, now }: Context, projectId: number): Promise<void> {
  await db
    .insertInto('pull_mirrors')
    .values({ project_id: projectId, next_update_at: now })
    .onConflict(conflict => conflict.column('project_id').doUpdateSet({ next_update_at: now, failures: 0, last_error: null }))
    .execute()
  await enqueueJobs(db, [pullJob(projectId)])
}

/** The state of a project that pulls. 400 where it does not. */
export async function assertPulls(db: Db, project: ProjectRow): Promise<PullMirrorRow> {
  const state = project.mirror ? await pullMirrorOf(db, project.id) : undefined
  if (!state) throw badRequest('The project is not mirrored')
  return state
}

/** Pulls as soon as possible, and by the clock again where failures had ended that. 400 where the project does not pull. */
export async function requestPull(ctx: Context, project: ProjectRow): Promise<void> {
  await assertPulls(ctx.db, project)
  await beginPulling(ctx, project.id)
}

/** How a project pulls, as a client sets it; undefined attributes stay. */
export interface PullSettings {
  readonly enabled?: boolean | undefined
  readonly url?: string | undefined
  /** Credentials for the address, where it has none itself. */
  readonly auth_user?: string | undefined
  readonly auth_password?: string | undefined
  readonly mirror_trigger_builds?: boolean | undefined
  readonly only_mirror_protected_branches?: boolean | undefined
  readonly mirror_overwrites_diverged_branches?: boolean | undefined
}

/** An address with a user and a password, where these are given. @throws 400 credentials without an address, or for no address */
function withCredentials({ url, auth_user, auth_password }: PullSettings): string | undefined {
  if (auth_user === undefined && auth_password === undefined) return url
  const address = url === undefined ? null : URL.parse(url)
  if (!address) throw invalid({ url: ['is needed with auth_user and auth_password'] })
  if (auth_user !== undefined) address.username = encodeURIComponent(auth_user)
  if (auth_password !== undefined) address.password = encodeURIComponent(auth_password)
  return address.href
}

/** Sets how a project pulls, as a change of the project does. 400 for one that has never pulled, and is not to. */
export async function configurePull(ctx: Context, project: ProjectRow, settings: PullSettings) {
  const { enabled, url: _url, auth_user: _user, auth_password: _password, ...switches } = settings
  const changed = await updateProject(ctx, project, { mirror: enabled, import_url: withCredentials(settings), ...switches })
  const state = await pullMirrorOf(ctx.deps.database.db, project.id)
  if (!state) throw badRequest('The project is not mirrored')
  return { project: changed, state }
}

/** Says when a project pulls next by itself; null: not before it is asked to. */
export async function setNextPull(db: Db, projectId: number, at: Date | null): Promise<void> {
  await db.updateTable('pull_mirrors').set({ next_update_at: at }).where('project_id', '=', projectId).execute()
}

/** Queues the projects whose time has come, each once: rows that another process has locked are skipped. */
export async function pullDueMirrors({ database, now: clock }: Deps): Promise<void> {
  for (;;) {
    const found = await transact(database.db, async db => {
      const now = clock()
      const due = await db
        .selectFrom('pull_mirrors')
        .select(['id', 'project_id'])
        .where('next_update_at', '<=', now.toISOString())
        .orderBy('next_update_at')
        .limit(BATCH)
        .forUpdate()
        .skipLocked()
        .execute()
      if (due.length === 0) return 0
      const ids = due.map(({ id }) => id)
      const next_update_at = new Date(now.getTime() + INTERVAL * 60_000)
      await db.updateTable('pull_mirrors').set({ next_update_at }).where('id', 'in', ids).execute()
      await enqueueJobs(
        db,
        due.map(({ project_id }) => pullJob(project_id)),
      )
      return due.length
    })
    if (found < BATCH) return
  }
}
