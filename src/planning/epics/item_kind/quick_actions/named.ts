/** Resolves epics named in the arguments of quick actions. */
import { sql } from 'kysely'
import { splitAtReferences } from '../../../../collaboration/markdown/references.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import { type EpicRow, visibleEpicById } from '../../queries.ts'

/**
 * The epic that an argument names, `&3` or `group&3`, if the actor may see it.
 * @param here full path of the group of an epic without a path
 */
export async function epicNamed(ctx: Context, here: string, argument: string): Promise<EpicRow | undefined> {
  const [piece] = splitAtReferences(argument)
  if (typeof piece !== 'object' || piece.kind !== 'epic') return undefined
  const found = await ctx.db
    .selectFrom('epics')
    .innerJoin('routes', 'routes.namespace_id', 'epics.namespace_id')
    .select('epics.id')
    .where(sql<boolean>`lower(routes.path) = lower(${piece.place ?? here})`)
    .where('epics.iid', '=', Number(piece.name))
    .executeTakeFirst()
  return found && visibleEpicById(ctx.db, ctx.actor, found.id, here)
}
