/** Writes of deploy tokens. Only their digests are stored. */

import { sql } from 'kysely'
import { creatorOf } from '../../platform/access/actor.ts'
import type { DeployTokenScope } from '../../platform/access/credentials/token_scopes.ts'
import { requireWithin } from '../../platform/application_settings/longest_life.ts'
import { applicationSettings } from '../../platform/application_settings/queries.ts'
import { inPlace } from '../../platform/events/audit/entry.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { digestOf, newToken } from '../../platform/kernel/secrets.ts'
import type { Secret } from '../../platform/secret.ts'
import { type DeployTokenPlace, type DeployTokenRow, deployTokenOf } from './queries.ts'

export interface NewDeployToken {
  readonly name: string
  readonly scopes: readonly DeployTokenScope[]
  /** Default: `gitlab+deploy-token-<id>`. */
  readonly username?: string | undefined
  readonly expires_at?: string | undefined
}

/** A token with its secret, which cannot be read again. */
export interface FreshDeployToken extends DeployTokenRow {
  readonly token: Secret
}

/** Creates a deploy token for a project, or for all projects of a group and its subgroups. */
export async function createDeployToken(
  ctx: Context,
  place: DeployTokenPlace,
  { name, scopes, username, expires_at }: NewDeployToken,
): Promise<FreshDeployToken> {
  const { db, now } = ctx
  const { max_deploy_token_lifetime } = await applicationSettings(db)
  requireWithin(max_deploy_token_lifetime, expires_at || null, now)
  const token = newToken()
  const { id } = await db
    .insertInto('deploy_tokens')
    .values({
      ...place,
      name,
      username: username || sql<string>`'gitlab+deploy-token-' || currval(pg_get_serial_sequence('deploy_tokens', 'id'))`,
      digest: digestOf(token),
      scopes: [...new Set(scopes)],
      expires_at: expires_at ?? null,
      created_by: creatorOf(ctx.actor),
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const made = (await deployTokenOf(db, place, id)) as DeployTokenRow
  await recordEvent(ctx, { kind: 'deploy_token.created', payload: { id, name, scopes }, ...aboutPlace(made) })
  return { ...made, token }
}

/** Deletes a deploy token, which is invalid from then on. */
export async function deleteDeployToken(ctx: Context, token: DeployTokenRow): Promise<void> {
  await ctx.db.deleteFrom('deploy_tokens').where('id', '=', token.id).returning('id').executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'deploy_token.revoked', payload: { id: token.id, name: token.name }, ...aboutPlace(token) })
}

const aboutPlace = ({ project_id, group_id }: DeployTokenRow) => inPlace({ project_id, namespace_id: group_id })
