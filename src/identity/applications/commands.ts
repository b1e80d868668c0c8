/** Writes of applications. */

import type { ApplicationScope } from '../../platform/access/credentials/token_scopes.ts'
import { changesExcept, isChanged } from '../../platform/events/audit/changes.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { type Failures, invalid } from '../../platform/kernel/errors.ts'
import { digestOf, newLongToken } from '../../platform/kernel/secrets.ts'
import type { Secret } from '../../platform/secret.ts'
import { type ApplicationRow, secretEnd } from './queries.ts'
import { redirectUriFailures, redirectUrisOf } from './redirect_uris.ts'

export interface NewApplication {
  readonly name: string
  /** One or more, separated by white space. */
  readonly redirect_uri: string
  readonly scopes: readonly ApplicationScope[]
  /** It can keep a secret: it runs on a server, not in a browser or on a phone. */
  readonly confidential: boolean
  /** Users are not asked for their consent. */
  readonly trusted: boolean
}

/** An application with its secret, which is known only at this moment. */
export type FreshApplication = ApplicationRow & { readonly secret: Secret }

/** 400 for a name or redirect URIs that are none. */
function assertValid({ name, redirect_uri }: Pick<NewApplication, 'name' | 'redirect_uri'>): void {
  const failures: Failures = {}
  if (name.trim() === '') failures.name = ["can't be blank"]
  const wrong = redirectUriFailures(redirect_uri)
  if (wrong.length > 0) failures.redirect_uri = wrong
  if (Object.keys(failures).length > 0) throw invalid(failures)
}

const storedOf = (attributes: NewApplication) => ({
  ...attributes,
  redirect_uri: redirectUrisOf(attributes.redirect_uri).join('\n'),
  scopes: [...new Set(attributes.scopes)],
})

/** Registers an application. */
export async function createApplication(ctx: Context, attributes: NewApplication): Promise<FreshApplication> {
  const { db, actor, now } = ctx
  assertValid(attributes)
  const secret = newLongToken()
  const row = await db
    .insertInto('oauth_applications')
    .values({
      ...storedOf(attributes),
      // Random, but no secret: users who are sent to the application see it.
      uid: newLongToken().reveal(),
      secret_digest: digestOf(secret),
      owner_id: actor.user?.id ?? null,
      secret_created_at: now,
      created_at: now,
    })
    .returningAll()
    .returning(secretEnd)
    .executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'application.created', payload: { id: row.id, name: row.name, scopes: attributes.scopes } })
  return { ...row, secret }
}

/** Changes an application; tokens that it has keep their scopes. */
export async function updateApplication(
  ctx: Context,
  application: ApplicationRow,
  given: { readonly [Key in keyof NewApplication]?: NewApplication[Key] | undefined },
): Promise<ApplicationRow> {
  const { name, redirect_uri, scopes, confidential, trusted } = application
  const before: NewApplication = { name, redirect_uri, scopes: scopes as ApplicationScope[], confidential, trusted }
  const after: NewApplication = {
    name: given.name ?? name,
    redirect_uri: given.redirect_uri ?? redirect_uri,
    scopes: given.scopes ?? before.scopes,
    confidential: given.confidential ?? confidential,
    trusted: given.trusted ?? trusted,
  }
  assertValid(after)
  const stored = storedOf(after)
  const changes = changesExcept(before, stored, [])
  if (!isChanged(changes)) return application
  await ctx.db.updateTable('oauth_applications').set(stored).where('id', '=', application.id).execute()
  await recordEvent(ctx, { kind: 'application.updated', payload: { id: application.id, name, changes } })
  return { ...application, ...stored }
}

/** Gives an application a new secret; the old one is invalid immediately. */
export async function renewSecret(ctx: Context, application: ApplicationRow): Promise<FreshApplication> {
  const secret = newLongToken()
  const { secret_expires_at } = await ctx.db
    .updateTable('oauth_applications')
    .set({ secret_digest: digestOf(secret), secret_created_at: ctx.now })
    .where('id', '=', application.id)
    .returning(secretEnd)
    .executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'application.secret_renewed', payload: { id: application.id, name: application.name } })
  return { ...application, secret_expires_at, secret }
}

/** Deletes an application with all its codes and tokens. */
export async function removeApplication(ctx: Context, application: ApplicationRow): Promise<void> {
  await ctx.db.deleteFrom('oauth_applications').where('id', '=', application.id).returning('id').executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'application.deleted', payload: { id: application.id, name: application.name } })
}
