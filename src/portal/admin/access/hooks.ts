/** The hooks of the instance, on the pages that hooks of projects and groups have. */
import { systemHooks, trySystemHook } from '../../../integrations/hooks/endpoints.ts'
import { isAdmin } from '../../../platform/access/actor.ts'
import { hookPages } from '../../hooks/endpoints.ts'
import type { Home } from '../../things/homes.ts'
import { adminPlace } from '../place.ts'
import { administered } from '../scope.ts'

/** The administration as the place of things; the API's scopes of the instance have no path of a place. */
const adminHome: Home<object> = {
  route: '/admin',
  noun: 'the instance',
  pathOf: () => '/admin',
  placeOf: (ctx, current) => adminPlace(current, ctx),
  may: ({ actor }) => isAdmin(actor),
  inPage: api => administered(api),
}

export const systemHookPages = hookPages({ home: adminHome, kind: 'system', api: systemHooks, id: 'id', trial: trySystemHook })
