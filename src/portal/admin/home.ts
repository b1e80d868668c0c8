/** The administration as the place of things; the API's scopes of the instance have no path of a place. */
import { isAdmin } from '../../platform/access/actor.ts'
import type { Home } from '../things/homes.ts'
import { adminPlace } from './place.ts'
import { administered } from './scope.ts'

export const adminHome: Home<object> = {
  route: '/admin',
  noun: 'the instance',
  pathOf: () => '/admin',
  placeOf: (ctx, current) => adminPlace(current, ctx),
  may: ({ actor }) => isAdmin(actor),
  can: 'admin_instance',
  inPage: api => administered(api),
}
