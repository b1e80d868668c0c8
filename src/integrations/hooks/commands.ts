/** Writes of hooks. */

import { changesBetween } from '../../platform/events/audit/changes.ts'
import { inPlace } from '../../platform/events/audit/entry.ts'
import { recordEvent } from '../../platform/events/events.ts'
import { isValidShortName } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { RefusedAt } from '../../platform/kernel/errors.ts'
import { hookDestinations } from '../../platform/outbound/allowed.ts'
import { isCallable } from '../../platform/outbound/callable.ts'
import { hasStars, loggedUrl, restoredUrl } from '../../platform/outbound/shown_url.ts'
import type { HookRow } from './queries.ts'
import type { InHookPlace } from './scope.ts'
import { type HookKind, type Switch, standardSwitches, switchesOf } from './switches.ts'

/** The associated data of the encryption of tokens. */
export const TOKEN_PURPOSE = 'hooks.token'

/** The attributes of a hook; undefined ones are unchanged, or get the default of a new hook. An empty token or filter means none. */
export type HookAttributes = {
  readonly url: string
  readonly token?: string | undefined
  readonly push_events_branch_filter?: string | undefined
  readonly enable_ssl_verification?: boolean | undefined
} & { readonly [S in Switch]?: boolean | undefined }

/** Adds a hook to a project, a group or the instance and returns its id. 422 for an invalid or forbidden address. */
export async function addHook(ctx: Context, { place, kind }: InHookPlace, attributes: HookAttributes): Promise<number> {
  await assertAttributes(ctx, kind, attributes)
  await assertFewer(ctx, place)
  const { id } = await ctx.db
    .insertInto('hooks')
    .values({
      ...place,
      ...columnsOf(ctx, attributes),
      switches: switchesOf[kind].filter(name => attributes[name] ?? standardSwitches[kind].includes(name)),
      created_at: ctx.now,
      updated_at: ctx.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'hook.created', payload: { id, name: loggedUrl(attributes.url) }, ...inPlace(place) })
  return id
}

/** Contract: most hooks of a project and of a group (limits of the standard plan at 14.0, `project_hooks` and `group_hooks`). */
const MOST_OF_PROJECT = 100
const MOST_OF_GROUP = 50

/** Contract: one more than that is a 422. Hooks of the instance are the administrator's affair. */
async function assertFewer({ db }: Context, place: InHookPlace['place']): Promise<void> {
  const [kind, most] = place.project_id === undefined ? (['group', MOST_OF_GROUP] as const) : (['project', MOST_OF_PROJECT] as const)
  // Of requests at the same time the later ones wait, and count the others.
  if (place.project_id !== undefined)
    await db.selectFrom('projects').select('id').where('id', '=', place.project_id).forNoKeyUpdate().execute()
  else if (place.namespace_id !== undefined)
    await db.selectFrom('namespaces').select('id').where('id', '=', place.namespace_id).forNoKeyUpdate().execute()
  else return
  const { count } = await db
    .selectFrom('hooks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(kind === 'project' ? 'project_id' : 'namespace_id', '=', (place.project_id ?? place.namespace_id) as number)
    .executeTakeFirstOrThrow()
  if (count >= most) {
    const line = `Maximum number of ${kind} hooks (${most}) exceeded`
    throw refusedAt(line, { url: [line] })
  }
}

/** Changes a hook. */
export async function changeHook(ctx: Context, hook: HookRow, changes: HookAttributes): Promise<void> {
  const attributes = { ...changes, url: restoredUrl(changes.url, hook.url) }
  await assertAttributes(ctx, hook.kind, attributes)
  await ctx.db
    .updateTable('hooks')
    .set({
      // Contract: the token is dropped when the address changes (project hooks API). A user who does not know the secret
      // could otherwise have it sent to a server of theirs.
      ...(attributes.url === hook.url ? {} : { token: null }),
      ...columnsOf(ctx, attributes),
      switches: switchesOf[hook.kind].filter(name => attributes[name] ?? hook.switches.includes(name)),
      updated_at: ctx.now,
    })
    .where('id', '=', hook.id)
    .execute()
  await recordEvent(ctx, {
    kind: 'hook.updated',
    payload: { id: hook.id, name: loggedUrl(hook.url), changes: hookChanges(hook, attributes) },
    ...inPlace(hook),
  })
}

/** The changed attributes of a hook, without credentials. */
const hookChanges = (hook: HookRow, attributes: HookAttributes) => ({
  ...changesBetween(hook, attributes, ['enable_ssl_verification', 'push_events_branch_filter']),
  ...changesBetween({}, attributes, ['token']),
  // Another password in the same address is a change, too.
  ...(attributes.url !== hook.url && { url: { from: loggedUrl(hook.url), to: loggedUrl(attributes.url) } }),
  ...changesBetween(hook, { switches: switchesOf[hook.kind].filter(name => attributes[name] ?? hook.switches.includes(name)) }, [
    'switches',
  ]),
})

/** Deletes a hook with its deliveries; pending ones are not sent. */
export async function removeHook(ctx: Context, hook: HookRow): Promise<void> {
  await ctx.db.deleteFrom('hooks').where('id', '=', hook.id).returning('id').executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'hook.deleted', payload: { id: hook.id, name: loggedUrl(hook.url) }, ...inPlace(hook) })
}

const columnsOf = ({ deps }: Context, { url, token, push_events_branch_filter, enable_ssl_verification }: HookAttributes) => ({
  url,
  ...(token === undefined ? {} : { token: token === '' ? null : deps.secrets.encrypt(token, TOKEN_PURPOSE) }),
  ...(push_events_branch_filter === undefined ? {} : { push_events_branch_filter: push_events_branch_filter || null }),
  ...(enable_ssl_verification === undefined ? {} : { enable_ssl_verification }),
})

const NOT_CALLABLE =
  'must begin with http:// or https:// and name a host that may be called: one that is public, or that an administrator allows'

const refusedAt = (line: string, failures: Readonly<Record<string, string[]>>): RefusedAt => new RefusedAt('unprocessable', line, failures)

/** Contract: a wrong address or filter is a 422 (project hooks API). */
async function assertAttributes(
  { db, deps }: Context,
  kind: HookKind,
  { url, token, push_events_branch_filter: filter }: HookAttributes,
): Promise<void> {
  // Credentials in the address are dropped with a new address, like the token.
  if (hasStars(url))
    throw refusedAt('Invalid url given: write the credentials in the place of the stars', {
      url: ['has stars: write the credentials in their place'],
    })
  const allowed = await hookDestinations(db, deps.config, { isOfInstance: kind === 'system' })
  if (!(await isCallable(url, allowed))) throw refusedAt('Invalid url given', { url: [NOT_CALLABLE] })
  if (filter && !isValidShortName(filter.replaceAll('*', 'x')))
    throw refusedAt('Invalid branch filter given', { push_events_branch_filter: ['must be the name of a branch, or one with `*` in it'] })
  // The token becomes a header.
  if (token && !/^[\t\x20-\x7e\x80-\xff]*$/.test(token))
    throw refusedAt('Invalid token given', { token: ['must have letters of a header alone: no line breaks, and nothing beyond Latin-1'] })
}
