/** Writes of hooks. */

import { isIP } from 'node:net'
import { changesBetween } from '../../platform/events/audit/changes.ts'
import { inPlace } from '../../platform/events/audit/entry.ts'
import { recordEvent } from '../../platform/events/events.ts'
import { isValidShortName } from '../../platform/git/refs/names.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { unprocessable } from '../../platform/kernel/errors.ts'
import { destinationOf, OutboundRefused } from '../../platform/outbound/addresses.ts'
import { hasStars, loggedUrl, restoredUrl } from '../../platform/outbound/shown_url.ts'
import type { HookRow } from './queries.ts'
import type { InHookPlace } from './scope.ts'
import { type Switch, standardSwitches, switchesOf } from './switches.ts'

/** What the encryption of tokens is bound to. */
export const TOKEN_PURPOSE = 'hooks.token'

/** What can be set; what is undefined stays, or is as it is for new hooks. An empty token or filter is none. */
export type HookAttributes = {
  readonly url: string
  readonly token?: string | undefined
  readonly push_events_branch_filter?: string | undefined
  readonly enable_ssl_verification?: boolean | undefined
} & { readonly [S in Switch]?: boolean | undefined }

/** Adds a hook to a project, a group or the instance and returns its id. 422 for an address that is none or not allowed. */
export async function addHook(ctx: Context, { place, kind }: InHookPlace, attributes: HookAttributes): Promise<number> {
  await assertAttributes(ctx, attributes)
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

/** Changes a hook. */
export async function changeHook(ctx: Context, hook: HookRow, changes: HookAttributes): Promise<void> {
  const attributes = { ...changes, url: restoredUrl(changes.url, hook.url) }
  await assertAttributes(ctx, attributes)
  await ctx.db
    .updateTable('hooks')
    .set({
      // Contract: a token does not go with the hook to another address (project hooks API). Whoever does not know the
      // secret could have it sent to themselves otherwise.
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

/** What a change of a hook changes, without credentials. */
const hookChanges = (hook: HookRow, attributes: HookAttributes) => ({
  ...changesBetween(hook, attributes, ['enable_ssl_verification', 'push_events_branch_filter']),
  ...changesBetween({}, attributes, ['token']),
  // Another password in the same address is a change, too.
  ...(attributes.url !== hook.url && { url: { from: loggedUrl(hook.url), to: loggedUrl(attributes.url) } }),
  ...changesBetween(hook, { switches: switchesOf[hook.kind].filter(name => attributes[name] ?? hook.switches.includes(name)) }, [
    'switches',
  ]),
})

/** Deletes a hook with what was sent to it; what is still to be sent is not. */
export async function removeHook(ctx: Context, hook: HookRow): Promise<void> {
  await ctx.db.deleteFrom('hooks').where('id', '=', hook.id).execute()
  await recordEvent(ctx, { kind: 'hook.deleted', payload: { id: hook.id, name: loggedUrl(hook.url) }, ...inPlace(hook) })
}

const columnsOf = ({ deps }: Context, { url, token, push_events_branch_filter, enable_ssl_verification }: HookAttributes) => ({
  url,
  ...(token === undefined ? {} : { token: token === '' ? null : deps.secrets.encrypt(token, TOKEN_PURPOSE) }),
  ...(push_events_branch_filter === undefined ? {} : { push_events_branch_filter: push_events_branch_filter || null }),
  ...(enable_ssl_verification === undefined ? {} : { enable_ssl_verification }),
})

/** Contract: a wrong address or filter is a 422 (project hooks API). */
async function assertAttributes({ deps }: Context, { url, token, push_events_branch_filter: filter }: HookAttributes): Promise<void> {
  // Credentials do not go with the hook to another address either.
  if (hasStars(url)) throw unprocessable('Invalid url given: write the credentials in the place of the stars')
  if (!(await isAllowedAddress(url, deps.config.outboundAllow))) throw unprocessable('Invalid url given')
  if (filter && !isValidShortName(filter.replaceAll('*', 'x'))) throw unprocessable('Invalid branch filter given')
  // It becomes a header.
  if (token && !/^[\t\x20-\x7e\x80-\xff]*$/.test(token)) throw unprocessable('Invalid token given')
}

/**
 * A web address that may be asked, as far as can be told without asking anybody for it: names are looked up and checked
 * when something is sent, and may lead elsewhere by then.
 */
async function isAllowedAddress(text: string, allow: readonly string[]): Promise<boolean> {
  const url = URL.parse(text)
  // Parsers drop some of these characters: the address that is shown would not be the one that is called.
  if (/[\s\p{Cc}]/u.test(text)) return false
  if (!url || !/^https?:\/\//i.test(text) || url.hostname === '' || !isEncoded(url.username + url.password)) return false
  if (isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0 && !/(^|\.)localhost$/i.test(url.hostname)) return true
  try {
    await destinationOf(url, allow, async () => [{ address: '127.0.0.1', family: 4 }])
    return true
  } catch (error) {
    if (error instanceof OutboundRefused) return false
    throw error
  }
}

/** Whether each `%` begins an encoded character. */
function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
