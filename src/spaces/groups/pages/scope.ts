/** Addresses below the page of a group, `/groups/top/sub/-/group_members`: the full path has several segments and becomes one for the router. */

import type { Context } from '../../../platform/kernel/context.ts'
import type { Dialect } from '../../../platform/kernel/declaration/dialect.ts'
import { scope } from '../../../platform/kernel/declaration/scope.ts'
import { text } from '../../../platform/kernel/declaration/types.ts'
import { moved, notFound } from '../../../platform/kernel/errors.ts'
import { pages } from '../../../platform/pages/dialect.ts'
import { groupMovedFrom, visibleGroup } from '../queries.ts'
import { groupSubject } from '../scope.ts'

const address = /^\/groups\/([^?]+?)(\/-\/[^?]*)?(\?.*)?$/s

/** `/groups/top/sub/-/group_members` as `/groups/top%2Fsub/-/group_members`; undefined for every other address. Pure. */
export function encodeGroupPath(given: string): string | undefined {
  const [, path, rest = '', query = ''] = address.exec(given) ?? []
  const parts = path?.split('/').filter(part => part !== '') ?? []
  return parts.length < 2 ? undefined : `/groups/${parts.join('%2F')}${rest}${query}`
}

/** Pages of groups. */
export const groupPages: Dialect = { ...pages, name: 'group_pages', rewrite: encodeGroupPath }

/**
 * Leads what is read by a former path of a group to the same page of it; nothing where no group that the caller may see had the path.
 * @throws 301 with the address that the page has now
 */
export async function followGroup({ db, actor, request, url }: Context, path: string): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return
  const elsewhere = await groupMovedFrom(db, actor, path)
  if (elsewhere) throw moved(url + request.address.replace(/^\/groups\/[^?]*?(?=\/-\/|\?|$)/, () => `/groups/${elsewhere.full_path}`))
}

/** `:group_path` becomes a group that this actor may see, or 404. What is read by a former path leads to the same page of the group. */
export const inGroupPage = scope({
  name: 'inGroupPage',
  path: { group_path: text('Full path of a group') },
  async load(ctx, { group_path }) {
    // A number would be an id.
    if (/^\d+$/.test(group_path)) throw notFound('Group')
    const group = await visibleGroup(ctx.db, ctx.actor, group_path)
    if (group) return { group }
    await followGroup(ctx, group_path)
    throw notFound('Group')
  },
  subject: ({ group }) => groupSubject(group),
  errors: reads => (reads ? ['moved'] : []),
})
