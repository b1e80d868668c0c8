/** Scopes of the dependency proxy: names of images that say through which group they are pulled. */
import { sql } from 'kysely'
import { allows } from '../../../platform/access/abilities.ts'
import { isAnonymous } from '../../../platform/access/actor.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { scope } from '../../../platform/kernel/declaration/scope.ts'
import { text } from '../../../platform/kernel/declaration/types.ts'
import { type Refusal, unauthenticated } from '../../../platform/kernel/errors.ts'
import { visibleGroup } from '../../../spaces/groups/queries.ts'
import { groupSubject } from '../../../spaces/groups/scope.ts'
import { RegistryRefusal } from '../distribution/refusals.ts'
import { isGranted } from '../distribution/scope.ts'
import { isImageName, proxiedName, proxyPartsOf } from '../names.ts'
import type { Proxied } from './pulls.ts'

const unknownName = (name: string) => new RegistryRefusal('NAME_UNKNOWN', 'repository name not known to registry', { name })

/** The group that an image is pulled through, by its name. @throws Refusal 404 where there is none, or the instance has no proxy */
async function findProxied({ db, actor, deps }: Pick<Context, 'db' | 'actor' | 'deps'>, name: string) {
  const parts = proxyPartsOf(name)
  const { dependencyProxyUrl: url, outboundAllow } = deps.config
  if (!parts || url === undefined || !isImageName(parts.image)) throw unknownName(name)
  const group = await groupNamed({ db, actor }, parts.group)
  if (!group) throw unknownName(name)
  // Official images have names of two parts there.
  const image = parts.image.includes('/') ? parts.image : `library/${parts.image}`
  const proxied: Proxied = { groupId: group.id, image, upstream: { url, outboundAllow } }
  return { group, proxied }
}

/** A group by its path alone, which may look like an ID. */
async function groupNamed({ db, actor }: Pick<Context, 'db' | 'actor'>, path: string) {
  const row = await db
    .selectFrom('routes')
    .select('namespace_id')
    .where(sql<boolean>`lower(path) = lower(${path})`)
    .where('namespace_id', 'is not', null)
    .executeTakeFirst()
  return row && visibleGroup(db, actor, String(row.namespace_id))
}

/** May the caller pull this image through its group? */
export async function mayPullThrough(ctx: Pick<Context, 'db' | 'actor' | 'deps'>, name: string): Promise<boolean> {
  const found = await findProxied(ctx, name).catch((error: Refusal) => {
    if (error.kind === 'not_found') return undefined
    throw error
  })
  return found !== undefined && allows(ctx.actor, 'read_dependency_proxy', groupSubject(found.group)) === 'yes'
}

const path = {
  group_path: text('Full path of the group that the image is pulled through', { examples: ['public-group'] }),
  image_name: text('Name of the image in the registry behind', { examples: ['alpine'] }),
}

/** `:group_path` and `:image_name` become a group and an image of the registry behind, or 404; 401 without a token for it. */
export const inProxied = scope({
  name: 'inProxied',
  path,
  async load(ctx, { group_path, image_name }) {
    const { actor } = ctx
    const name = proxiedName(group_path, image_name)
    const isGivenToken = isGranted(actor, 'repository', name, 'pull') || isGranted(actor, 'dependency_proxy', '*', 'pull')
    if (isAnonymous(actor) || !isGivenToken) throw unauthenticated()
    return findProxied(ctx, name)
  },
  subject: ({ group }) => groupSubject(group),
  errors: () => ['unauthenticated', 'forbidden'],
})
