/** The instance itself: version, health, metrics, and the description of its API. */
import { root } from '../kernel/declaration/dialect.ts'
import { bytes, type Endpoint, endpoint, one } from '../kernel/declaration/endpoint.ts'
import { inInstance } from '../kernel/declaration/scope.ts'
import type { Examples } from '../kernel/openapi/openapi.ts'
import { Descriptions } from './description.ts'
import { ApiIndex, Liveness, Metadata, Readiness, Version } from './entity.ts'
import { assertReady } from './health.ts'
import { metricsText, metricsType } from './metrics.ts'
import { inMonitoring, monitoring } from './monitoring.ts'
import { apiVersion, version } from './version.ts'

export const getVersion = endpoint({
  route: 'GET /version',
  summary: 'Get the version',
  scope: inInstance,
  can: 'use_instance',
  scopes: ['read_user'],
  answers: one(Version),
  run: ({ tier }) => ({ version: apiVersion(tier), revision: version }),
})

/** Where the API is described, for those who open the address that the program prints. */
export const getIndex = endpoint({
  route: 'GET /api/v4',
  summary: 'Say where the API is described',
  scope: inInstance,
  can: 'read_instance',
  dialect: root,
  answers: one(ApiIndex),
  run: ({ tier, url }) => ({
    version: apiVersion(tier),
    documentation_url: `${url}/-/docs`,
    description_url: `${url}/api/v4/openapi.json`,
  }),
})

export const getMetadata = endpoint({
  route: 'GET /metadata',
  summary: 'Get the version and edition',
  scope: inInstance,
  can: 'use_instance',
  scopes: ['read_user'],
  answers: one(Metadata),
  run: ({ tier }) => ({
    version: apiVersion(tier),
    revision: version,
    kas: { enabled: false, externalUrl: null, version: null },
    enterprise: tier !== 'free',
  }),
})

export const getHealth = endpoint({
  route: 'GET /-/health',
  summary: 'Ask whether the process answers',
  scope: inInstance,
  can: 'read_instance',
  dialect: root,
  counted: false,
  answers: bytes('text/plain; charset=utf-8'),
  run: () => ({ body: 'Ingot OK' }),
})

export const getLiveness = endpoint({
  route: 'GET /-/liveness',
  summary: 'Ask whether the process must be started again',
  scope: inInstance,
  can: 'read_instance',
  dialect: root,
  counted: false,
  answers: one(Liveness),
  run: () => ({ status: 'ok' as const }),
})

export const getReadiness = endpoint({
  route: 'GET /-/readiness',
  summary: 'Ask whether requests can be served; 503 when not',
  scope: inInstance,
  can: 'read_instance',
  dialect: root,
  counted: false,
  answers: one(Readiness),
  async run({ db, deps }) {
    await assertReady(db, deps)
    return { status: 'ok' as const, db_check: [{ status: 'ok' as const }] }
  },
})

export const getMetrics = endpoint({
  route: 'GET /-/metrics',
  summary: 'Get metrics for Prometheus, with the metrics token of the instance or as an administrator',
  scope: inMonitoring,
  can: 'read_instance',
  dialect: monitoring,
  answers: bytes(metricsType),
  run: async ({ deps }) => ({ body: await metricsText(deps.database) }),
})

/** `GET /openapi.json`: the description of all resources, its own included. */
export const describingApi = (resources: () => Readonly<Record<string, readonly Endpoint[]>>, examples: () => Examples): Endpoint => {
  const descriptions = new Descriptions(resources, examples)
  return endpoint({
    route: 'GET /openapi.json',
    summary: 'Get the description of the API',
    scope: inInstance,
    can: 'read_instance',
    answers: bytes('application/json'),
    errors: ['not_modified'],
    run: ({ tier, request }) => descriptions.answer(apiVersion(tier), request.headers['accept-encoding']),
  })
}
