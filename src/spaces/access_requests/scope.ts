import { type Scope, within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import type { InPlace } from '../members/scope.ts'
import { accessRequestBy } from './queries.ts'

/** `:user_id` becomes the request of that user in the place, or 404. */
export const inAccessRequest = <S extends InPlace>(inPlace: Scope<S>) =>
  within(inPlace, {
    name: `${inPlace.name}AccessRequest`,
    path: { user_id: integer('ID of the user who asks for access') },
    async load({ db, place }, { user_id }) {
      const accessRequest = await accessRequestBy(db, place.key, user_id)
      if (!accessRequest) throw notFound('Access Request')
      return { accessRequest }
    },
  })
