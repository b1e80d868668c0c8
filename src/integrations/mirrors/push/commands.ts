/** Writes of push mirrors. */
import { changesBetween } from '../../../platform/events/audit/changes.ts'
import { recordEvent } from '../../../platform/events/events.ts'
import { enqueue, type Job } from '../../../platform/events/worker.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { badRequest, invalid } from '../../../platform/kernel/errors.ts'
import { isCallable } from '../../../platform/outbound/callable.ts'
import { hasStars, loggedUrl, shownUrl } from '../../../platform/outbound/shown_url.ts'
import { withoutEndingSlashes } from '../../../platform/patterns/slashes.ts'
import { Secret } from '../../../platform/secret.ts'
import { readImportUrl } from '../../../spaces/projects/imports/commands.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'
import { laneOf } from '../attempt.ts'
import type { RemoteMirrorRow } from './queries.ts'

/** Binds the ciphertext of an address to its column. */
export const PURPOSE = 'remote_mirrors.address'

/** Most push mirrors of a project. */
const MOST = 50

export interface RemoteMirrorAttributes {
  readonly url?: string | undefined
  readonly enabled?: boolean | undefined
  readonly only_protected_branches?: boolean | undefined
  readonly keep_divergent_refs?: boolean | undefined
}

/** The columns of an address. 400 where it may not be pushed to. */
async function addressColumns({ deps, url: here }: Context, project: ProjectRow, given: string) {
  if (hasStars(given)) throw invalid({ url: ['needs the credentials in the place of the stars'] })
  const { url, credentials } = readImportUrl(given, 'url')
  if (!(await isCallable(given, deps.config.outboundAllow))) throw invalid({ url: ['is blocked: it is not a public address'] })
  const own = new URL(`${here}/${project.full_path}`)
  const isOwn =
    url.host === own.host &&
    withoutEndingSlashes(url.pathname)
      .replace(/\.git$/, '')
      .toLowerCase() === own.pathname.toLowerCase()
  if (isOwn) throw invalid({ url: ['is that of the project itself'] })
  const stars = credentials ? `*****${credentials.password.equals(new Secret('')) ? '' : ':*****'}@` : ''
  return {
    url: shownUrl(url.href).replace('://', `://${stars}`),
    address: deps.secrets.encrypt(given, PURPOSE),
  }
}

/** The job that updates a push mirror, at a time or immediately. It takes the place of one that waits. */
export const updateJob = (id: number, runAt?: Date): Job => ({
  task: 'push_mirror',
  payload: { mirror_id: id },
  options: { jobKey: `push_mirror ${id}`, queueName: laneOf(id), maxAttempts: 3, ...(runAt && { runAt }) },
})

const queueUpdate = ({ db }: Context, id: number): Promise<void> => {
  const { payload, options } = updateJob(id) as Extract<Job, { task: 'push_mirror' }>
  return enqueue(db, 'push_mirror', payload, options)
}

/** Adds a push mirror to a project; an enabled one is updated soon. 400 for an address that is not allowed. */
export async function addRemoteMirror(
  ctx: Context,
  project: ProjectRow,
  { url, ...switches }: RemoteMirrorAttributes & { readonly url: string },
): Promise<RemoteMirrorRow> {
  const address = await addressColumns(ctx, project, url)
  // Of requests at the same time the later ones wait, and count the others.
  await ctx.db.selectFrom('projects').select('id').where('id', '=', project.id).forNoKeyUpdate().execute()
  const { count } = await ctx.db
    .selectFrom('remote_mirrors')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('project_id', '=', project.id)
    .executeTakeFirstOrThrow()
  if (count >= MOST) throw badRequest(`A project has at most ${MOST} push mirrors`)
  const mirror = await ctx.db
    .insertInto('remote_mirrors')
    .values({ ...address, ...switches, project_id: project.id, created_at: ctx.now, updated_at: ctx.now })
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'remote_mirror.created', payload: { id: mirror.id, name: loggedUrl(url) }, projectId: project.id })
  if (mirror.enabled) await queueUpdate(ctx, mirror.id)
  return mirror
}

/** Changes a push mirror; the address as it is shown leaves the stored one as it is. */
export async function changeRemoteMirror(
  ctx: Context,
  project: ProjectRow,
  mirror: RemoteMirrorRow,
  { url, ...switches }: RemoteMirrorAttributes,
): Promise<RemoteMirrorRow> {
  const address = url === undefined || url === mirror.url ? undefined : await addressColumns(ctx, project, url)
  const changed = await ctx.db
    .updateTable('remote_mirrors')
    .set({ ...address, ...switches, updated_at: ctx.now })
    .where('id', '=', mirror.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const changes = {
    ...changesBetween(mirror, switches, ['enabled', 'only_protected_branches', 'keep_divergent_refs']),
    // Another password in the same address is a change, too.
    ...(address && { url: { from: loggedUrl(mirror.url), to: loggedUrl(address.url) } }),
  }
  const payload = { id: mirror.id, name: loggedUrl(changed.url), changes }
  await recordEvent(ctx, { kind: 'remote_mirror.updated', payload, projectId: project.id })
  if (changed.enabled && Object.keys(changes).length > 0) await queueUpdate(ctx, mirror.id)
  return changed
}

/** Updates a push mirror as soon as possible. 400 where it is not enabled. */
export async function requestUpdate(ctx: Context, { id, enabled }: RemoteMirrorRow): Promise<void> {
  if (!enabled) throw badRequest('The mirror is not enabled')
  await queueUpdate(ctx, id)
}

/** Removes a push mirror. What it has pushed stays where it is. */
export async function removeRemoteMirror(ctx: Context, { id, url, project_id }: RemoteMirrorRow): Promise<void> {
  await ctx.db.deleteFrom('remote_mirrors').where('id', '=', id).returning('id').executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'remote_mirror.deleted', payload: { id, name: loggedUrl(url) }, projectId: project_id })
}
