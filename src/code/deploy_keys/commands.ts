/** Writes of deploy keys: keys without an owner, and the projects that have enabled them. */

import { sql } from 'kysely'
import { deleteKeyOfNobody, insertKey, type NewKey, removeUnusedKey, renameKey } from '../../identity/keys/commands.ts'
import { parseKey } from '../../identity/keys/parse.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import { deployKeyActs } from '../../platform/access/credentials/deploy_keys.ts'
import { lockName } from '../../platform/db/statements/named_locks.ts'
import { changesBetween } from '../../platform/events/audit/changes.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { forbidden, notFound } from '../../platform/kernel/errors.ts'
import {
  type DeployKeyRow,
  deployKeyById,
  deployKeyOf,
  enableableKeyByFingerprint,
  enableableKeyById,
  type ProjectDeployKeyRow,
} from './queries.ts'

export interface NewDeployKey extends NewKey {
  readonly can_push?: boolean | undefined
}

/**
 * Adds a deploy key to a project. A key that the project has already, or that the actor may enable, is reused; 400 if the key is
 * malformed, belongs to a user, or is a deploy key of projects that the actor does not maintain.
 */
export async function addDeployKey(ctx: Context, projectId: number, given: NewDeployKey): Promise<ProjectDeployKeyRow> {
  const fingerprint = parseKey(given.key)?.fingerprintSha256
  // Of two requests with a new key the later one enables the key of the earlier one.
  if (fingerprint !== undefined) await lockName(ctx.db, 'deploy key', fingerprint)
  // A key whose last project was deleted can be added again.
  if (fingerprint !== undefined) await removeUnusedKey(ctx.db, { fingerprint_sha256: fingerprint })
  const known = fingerprint === undefined ? undefined : await enableableKeyByFingerprint(ctx.db, ctx.actor, fingerprint)
  const id = known?.id ?? (await insertKey(ctx, given, { public: false, created_by: enablerOf(ctx) }, 'deploy_key.'))
  return enable(ctx, projectId, id, given.can_push ?? false)
}

/** Creates a public deploy key, which every project may enable. */
export async function addPublicDeployKey(ctx: Context, given: NewKey): Promise<DeployKeyRow> {
  const fingerprint = parseKey(given.key)?.fingerprintSha256
  // A key whose last project was deleted can be added again.
  if (fingerprint !== undefined) await removeUnusedKey(ctx.db, { fingerprint_sha256: fingerprint })
  const id = await insertKey(ctx, given, { public: true, created_by: enablerOf(ctx) }, '')
  const made = (await deployKeyById(ctx.db, id)) as DeployKeyRow
  await recordEvent(ctx, { kind: 'deploy_key.added', payload: { id, name: made.title, fingerprint: made.fingerprint, can_push: false } })
  return made
}

/** Enables a deploy key of another project in this one, read-only; 404 for one that the actor may not use. */
export async function enableDeployKey(ctx: Context, projectId: number, id: number): Promise<ProjectDeployKeyRow> {
  const key = await enableableKeyById(ctx.db, ctx.actor, id)
  if (!key) throw notFound('Deploy Key')
  return enable(ctx, projectId, key.id, false)
}

/** An enabled key is unchanged, unless it is stopped: then the actor becomes its enabler, and it may push only if that was requested. */
async function enable(ctx: Context, projectId: number, keyId: number, canPush: boolean): Promise<ProjectDeployKeyRow> {
  const { db, now } = ctx
  const enabled_by = enablerOf(ctx)
  const enabled = await db
    .insertInto('deploy_key_projects')
    .values({ key_id: keyId, project_id: projectId, can_push: canPush, enabled_by, created_at: now, updated_at: now })
    .onConflict(conflict =>
      conflict
        .columns(['project_id', 'key_id'])
        .doUpdateSet({ enabled_by, can_push: canPush, updated_at: now })
        .where(sql<boolean>`not ${deployKeyActs('deploy_key_projects')}`),
    )
    .returning('key_id')
    .executeTakeFirst()
  const key = (await deployKeyOf(db, projectId, keyId)) as ProjectDeployKeyRow
  const payload = { id: keyId, name: key.title, fingerprint: key.fingerprint, can_push: key.can_push }
  if (enabled) await recordEvent(ctx, { kind: 'deploy_key.added', payload, projectId })
  return key
}

/** The user or bot that each key acts for. Null would mean a deleted account. */
function enablerOf({ actor }: Context): number {
  if (!actor.user) throw forbidden()
  return actor.user.id
}

/** Changes whether the key may push to this project, and its title, which all its projects share. */
export async function changeDeployKey(
  ctx: Context,
  key: ProjectDeployKeyRow,
  { title, can_push }: { readonly title?: string | undefined; readonly can_push?: boolean | undefined },
): Promise<ProjectDeployKeyRow> {
  const { db, actor, now } = ctx
  if (can_push !== undefined)
    await db
      .updateTable('deploy_key_projects')
      // Pushes by the key count as pushes of the user who allowed them, which must be the caller.
      .set({ can_push, updated_at: now, ...(can_push && !key.can_push && { enabled_by: enablerOf(ctx) }) })
      .where('project_id', '=', key.project_id)
      .where('key_id', '=', key.id)
      .execute()
  // Contract: only administrators change the title of a public key; from others it is ignored (deploy keys API, 14.0).
  if (title !== undefined && (!key.public || isAdmin(actor))) await renameKey(db, key.id, title)
  const changed = (await deployKeyOf(db, key.project_id, key.id)) as ProjectDeployKeyRow
  const changes = changesBetween(key, changed, ['title', 'can_push'])
  await recordEvent(ctx, { kind: 'deploy_key.updated', payload: { id: key.id, name: key.title, changes }, projectId: key.project_id })
  return changed
}

/** Deletes a deploy key of the instance, in all projects that have enabled it. */
export async function deleteDeployKey(ctx: Context, key: DeployKeyRow): Promise<void> {
  await deleteKeyOfNobody(ctx.db, key.id)
  await recordEvent(ctx, { kind: 'deploy_key.removed', payload: { id: key.id, name: key.title } })
}

/** Removes the key from the project; a key without projects is deleted, unless it is public. */
export async function removeDeployKey(ctx: Context, key: ProjectDeployKeyRow): Promise<void> {
  const { db } = ctx
  // Serializes with requests that enable the key in another project.
  await db.selectFrom('keys').select('id').where('id', '=', key.id).forUpdate().execute()
  await db.deleteFrom('deploy_key_projects').where('project_id', '=', key.project_id).where('key_id', '=', key.id).execute()
  await removeUnusedKey(db, { id: key.id })
  await recordEvent(ctx, { kind: 'deploy_key.removed', payload: { id: key.id, name: key.title }, projectId: key.project_id })
}
