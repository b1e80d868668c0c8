/** Projects and groups as places with badges, and one of their badges. */
import type { SelectQueryBuilder } from 'kysely'
import type { Place } from '../../platform/access/places.ts'
import { type Scope, within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inGroup } from '../groups/scope.ts'
import { inProject } from '../projects/scope.ts'
import { type BadgeRow, badgesOfGroup, badgesOfProject, exampleProjectOf } from './queries.ts'

/** The result of every scope of this resource. */
export interface InBadgePlace {
  /** The place of new badges. */
  readonly place: Place
  readonly kind: BadgeRow['kind']
  /** The project for the placeholders. */
  readonly shownFor: number | null
  /** The badges that are visible here. */
  // biome-ignore lint/suspicious/noExplicitAny: which tables they come from does not matter
  readonly badges: SelectQueryBuilder<any, any, BadgeRow>
}

export const inProjectBadges = within(inProject, {
  name: 'inProject',
  path: {},
  load: async ({ db, project }): Promise<InBadgePlace> => ({
    place: { project_id: project.id },
    kind: 'project',
    shownFor: project.id,
    badges: badgesOfProject(db, project),
  }),
})

export const inGroupBadges = within(inGroup, {
  name: 'inGroup',
  path: {},
  async load({ db, actor, group }): Promise<InBadgePlace> {
    const shownFor = await exampleProjectOf(db, actor, group.id)
    return { place: { namespace_id: group.id }, kind: 'group', shownFor, badges: badgesOfGroup(db, group.id, shownFor) }
  },
})

/** `:badge_id` becomes a badge that is visible in the place, or 404. */
export const inBadge = <S extends InBadgePlace>(outer: Scope<S>) =>
  within(outer, {
    name: `${outer.name}Badge`,
    path: { badge_id: integer('ID of a badge') },
    async load({ badges }, { badge_id }) {
      const badge = await badges.where('id', '=', badge_id).executeTakeFirst()
      if (!badge) throw notFound('Badge')
      return { badge }
    },
  })
