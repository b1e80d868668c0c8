/** Projects and groups as places with distributions of Debian, and one of their distributions. */
import type { Place } from '../../../../../platform/access/places.ts'
import type { Context } from '../../../../../platform/kernel/context.ts'
import { type Scope, within } from '../../../../../platform/kernel/declaration/scope.ts'
import { text } from '../../../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../../../platform/kernel/errors.ts'
import { inGroup } from '../../../../../spaces/groups/scope.ts'
import type { Where } from '../../../queries.ts'
import { inPackages } from '../../../scope.ts'
import type { DistributionRow } from './entity.ts'
import { distributionNamed, distributionsOf } from './queries.ts'

/** A project or group that has distributions. */
export interface InDistributionPlace {
  readonly place: Place
  /** Where the packages of its distributions are. */
  readonly where: Where
}

export const inProjectDistributions = within(inPackages, {
  name: 'inPackages',
  path: {},
  load: async ({ project }): Promise<InDistributionPlace> => ({ place: { project_id: project.id }, where: { projectId: project.id } }),
})

export const inGroupDistributions = within(inGroup, {
  name: 'inGroup',
  path: {},
  load: async ({ actor, group }): Promise<InDistributionPlace> => ({
    place: { namespace_id: group.id },
    where: { actor, groupId: group.id },
  }),
})

/** `:codename` becomes a distribution of the place, or 404. */
export const inDistribution = <S extends InDistributionPlace>(outer: Scope<S>, noun: 'Project' | 'Group') =>
  within(outer, {
    name: `in${noun}Distribution`,
    path: { codename: text('Codename of a distribution', { maxLength: 255 }) },
    async load({ db, place }, { codename }) {
      const distribution = await distributionsOf(db, place).where('codename', '=', codename).executeTakeFirst()
      if (!distribution) throw notFound('Distribution')
      return { distribution }
    },
    modifiedAt: ({ distribution }) => distribution.updated_at,
  })

/** @throws Refusal 404 unless the place has a distribution with this codename or suite */
export async function findDistribution({ db }: Pick<Context, 'db'>, place: Place, name: string): Promise<DistributionRow> {
  const distribution = await distributionNamed(db, place, name).executeTakeFirst()
  if (!distribution) throw notFound('Distribution')
  return distribution
}

/** `:distribution` becomes the distribution of the place with this codename or suite, or 404. */
export const inDistributionFolder = <S extends InDistributionPlace>(outer: Scope<S>, noun: 'Project' | 'Group') =>
  within(outer, {
    name: `in${noun}DistributionFolder`,
    path: { distribution: text('Codename or suite of a distribution', { maxLength: 255 }) },
    load: async (ctx, { distribution }) => ({ distribution: await findDistribution(ctx, ctx.place, distribution) }),
  })
