/**
 * Who reads the metrics: an administrator, or a program with the metrics token of the instance. Where a request comes from proves nothing: a
 * proxy on this machine adds no header unless it is asked to, so that all of its clients would look local.
 */
import { isAdmin, provenMachine } from '../access/actor.ts'
import { type Dialect, root } from '../kernel/declaration/dialect.ts'
import { scope } from '../kernel/declaration/scope.ts'
import { notFound } from '../kernel/errors.ts'
import { bearerToken } from '../kernel/request/authenticate.ts'
import { digestOf } from '../kernel/secrets.ts'

/** As the other addresses outside of the API, and the metrics token in `Authorization: Bearer` as Prometheus sends it. */
export const monitoring: Dialect = {
  ...root,
  name: 'monitoring',
  async authenticate(request, deps) {
    const { metricsToken } = deps.config
    const token = bearerToken(request.headers)
    // Digests are compared: how long that takes says nothing about the token.
    if (token !== undefined && metricsToken !== undefined && digestOf(token) === digestOf(metricsToken))
      return provenMachine({ kind: 'metrics_token' })
    return root.authenticate(request, deps)
  },
}

/** 404 for all who may not watch the instance. */
export const inMonitoring = scope({
  name: 'inMonitoring',
  path: {},
  async load({ actor }) {
    if (actor.credential?.kind !== 'metrics_token' && !isAdmin(actor)) throw notFound()
    return {}
  },
  subject: () => ({ on: 'instance' as const }),
  errors: () => ['not_found'],
})
