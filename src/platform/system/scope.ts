import { isAdmin } from '../access/actor.ts'
import { isLocalClient } from '../kernel/address.ts'
import { notFound } from '../kernel/errors.ts'
import { scope } from '../kernel/scope.ts'
import { OneOf } from '../kernel/types.ts'
import { docsFiles } from './docs.ts'

/** Who watches the instance: a program on the same machine that asks directly, or an administrator. */
export const inMonitoring = scope({
  name: 'inMonitoring',
  path: {},
  async load({ actor, deps, request }) {
    if (!isLocalClient(request, deps.config) && !isAdmin(actor)) throw notFound()
    return {}
  },
  subject: () => ({ on: 'instance' as const }),
})

/** `:file` becomes a part of the page that shows the API description, or 404. */
export const inDocs = scope({
  name: 'inDocs',
  path: { file: OneOf(docsFiles, { description: 'A file of the page' }) },
  load: async (_ctx, { file }) => ({ file }),
  subject: () => ({ on: 'instance' as const }),
})
