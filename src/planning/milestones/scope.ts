import { type Scope, within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import type { InPlanningPlace } from '../../spaces/places/places.ts'
import { milestoneById } from './queries.ts'

/** `:milestone_id` is resolved to a milestone of the place itself, or 404. */
export const inMilestone = <S extends InPlanningPlace>(inPlace: Scope<S>) =>
  within(inPlace, {
    name: `${inPlace.name}Milestone`,
    path: { milestone_id: integer('ID of a milestone (not its `iid`)') },
    async load({ db, place }, { milestone_id }) {
      const milestone = await milestoneById(db, place, milestone_id)
      if (!milestone) throw notFound('Milestone')
      return { milestone }
    },
    modifiedAt: ({ milestone }) => milestone.updated_at,
  })
