/** Writes of states of Terraform. */
import type { Db } from '../../platform/db/connection.ts'
import { transact } from '../../platform/db/transact.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { conflict, notFound, unprocessable } from '../../platform/kernel/errors.ts'
import type { Stored } from '../../spaces/projects/repository/store.ts'
import { withRoomForFile } from '../../spaces/storage_limits/limits.ts'
import { type CheckedState, keepParts, sealContent, sealedSize } from './content.ts'
import { lockState, type StateRow, type VersionRow, versionOfSerial } from './queries.ts'

/** What a client says of the lock that it takes, besides its ID. */
export interface LockInfo {
  readonly Operation: string
  readonly Info: string
  readonly Version: string
  readonly Path: string
}

/** Names a state of a project. */
export interface NamedState {
  readonly projectId: number
  readonly name: string
}

/** The row of a state, which is made where there is none, locked for writing. */
async function claimState(db: Db, { now }: Context, { projectId, name }: NamedState): Promise<StateRow> {
  for (;;) {
    await db
      .insertInto('terraform_states')
      .values({ project_id: projectId, name, created_at: now, updated_at: now })
      .onConflict(there => there.columns(['project_id', 'name']).doNothing())
      .execute()
    const state = await lockState(db, projectId, name)
    // Undefined where the row that was there has been deleted meanwhile.
    if (state) return state
  }
}

/** @throws Refusal 409 where it is locked, unless by this lock; and where it is not locked, but the client believes that its lock holds */
function assertLock({ lock_id }: StateRow, given: string | undefined): void {
  if (lock_id !== (given ?? null)) throw conflict('409 Conflict')
}

/**
 * Keeps a new version, in a transaction of its own.
 * @throws Refusal 409 where the lock is another one, 413 where the project has no room for it, 422 where the serial is there already
 */
export async function writeVersion(
  ctx: Context,
  project: Stored,
  name: string,
  checked: CheckedState,
  lockId: string | undefined,
): Promise<void> {
  const { deps } = ctx
  await withRoomForFile(deps, project, { bytes: sealedSize(checked.content) }, stored =>
    transact(deps.database.db, async db => {
      const state = await claimState(db, ctx, { projectId: project.id, name })
      assertLock(state, lockId)
      await insertVersion({ ...ctx, db }, state, checked)
      await stored(db)
    }),
  )
}

/** The row of a version, after which its state was changed. @throws Refusal 422 where the serial is there already */
async function insertVersion({ db, deps, actor, now }: Context, state: StateRow, { serial, content }: CheckedState): Promise<void> {
  const { credential } = actor
  const made = await db
    .insertInto('terraform_state_versions')
    .values({
      terraform_state_id: state.id,
      serial,
      content: sealContent(deps, content),
      creator_id: actor.user?.id ?? null,
      job_id: credential?.kind === 'job_token' ? credential.jobId : null,
      created_at: now,
    })
    .onConflict(there => there.columns(['terraform_state_id', 'serial']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) throw unprocessable(`Serial ${serial} has already been taken`)
  await keepParts(db, deps, made.id, content)
  await db.updateTable('terraform_states').set({ updated_at: now }).where('id', '=', state.id).execute()
}

/** Locks a state; answers it as it is then, and whether this call has locked it. */
export async function takeLock(ctx: Context, named: NamedState, id: string, info: LockInfo): Promise<{ state: StateRow; isOurs: boolean }> {
  const { db, actor, now } = ctx
  const state = await claimState(db, ctx, named)
  if (state.lock_id !== null) return { state, isOurs: false }
  await db
    .updateTable('terraform_states')
    .set({ lock_id: id, lock_info: JSON.stringify(info), locked_by_id: actor.user?.id ?? null, locked_at: now, updated_at: now })
    .where('id', '=', state.id)
    .execute()
  return { state: (await lockState(db, named.projectId, named.name)) as StateRow, isOurs: true }
}

/** Unlocks a state: the lock of this ID, or any where none is given. @throws Refusal 404 for none, 409 where it has another lock */
export async function releaseLock({ db, now }: Context, { projectId, name }: NamedState, id: string | undefined): Promise<void> {
  const state = await lockState(db, projectId, name)
  if (!state) throw notFound()
  // Contract: `terraform force-unlock` names no lock (Terraform state API at 14.0).
  if (id !== undefined) assertLock(state, id)
  await db
    .updateTable('terraform_states')
    .set({ lock_id: null, lock_info: null, locked_by_id: null, locked_at: null, updated_at: now })
    .where('id', '=', state.id)
    .execute()
}

/** Deletes a state with its versions. @throws Refusal 404 for none, 409 where it is locked */
export async function removeState(ctx: Context, { projectId, name }: NamedState, lockId: string | undefined): Promise<void> {
  const { db, actor } = ctx
  const state = await lockState(db, projectId, name)
  if (!state) throw notFound()
  assertLock(state, lockId)
  await db.deleteFrom('terraform_states').where('id', '=', state.id).returning('id').executeTakeFirstOrThrow()
  await recordEvent(ctx, {
    kind: 'terraform_state.deleted',
    payload: { terraform_state_id: state.id, name },
    actorId: actor.user?.id,
    projectId,
  })
}

/** Deletes a version of a state. @throws Refusal 404 for none */
export async function removeVersion(ctx: Context, state: StateRow, serial: number): Promise<void> {
  const { db, actor } = ctx
  const version: VersionRow | undefined = await versionOfSerial(db, state.id, serial)
  if (!version) throw notFound()
  await db.deleteFrom('terraform_state_versions').where('id', '=', version.id).execute()
  await recordEvent(ctx, {
    kind: 'terraform_state_version.deleted',
    payload: { terraform_state_id: state.id, name: state.name, serial },
    actorId: actor.user?.id,
    projectId: state.project_id,
  })
}
