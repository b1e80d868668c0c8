import { isAdmin } from '../access/actor.ts'
import { notFound } from '../kernel/errors.ts'
import { scope } from '../kernel/scope.ts'
import { OneOf } from '../kernel/types.ts'
import { docsFiles } from './docs.ts'

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/

/**
 * Whoever watches the instance: a program on the same machine, or an administrator. With an external URL a proxy
 * stands in front, and then everybody comes from its address: administrators only.
 */
export const inMonitoring = scope({
  name: 'inMonitoring',
  path: {},
  async load({ actor, deps, request }) {
    const local = deps.config.externalUrl === undefined && LOOPBACK.test(request.ip)
    if (!local && !isAdmin(actor)) throw notFound()
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
