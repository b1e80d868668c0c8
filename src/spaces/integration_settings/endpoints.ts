/** Integrations of projects (services API at 14.0, which later levels call integrations), of groups, and of the instance. */
import type { TProperties } from 'typebox'
import type { Ability } from '../../platform/access/abilities.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import type { Scope } from '../../platform/kernel/declaration/scope.ts'
import { inheritIntegration, removeIntegration, setIntegration } from './commands.ts'
import { Integration, IntegrationSummary } from './entity.ts'
import { type GivenSettings, inheritingParams, integrationParams } from './params.ts'
import {
  findIntegration,
  type InIntegrationPlace,
  type IntegrationNoun,
  inGroupIntegrations,
  inInstanceIntegrations,
  inKind,
  inProjectIntegrations,
} from './scope.ts'

interface Place<S extends InIntegrationPlace> {
  readonly path: `/${string}`
  /** As in "of a project". */
  readonly of: string
  readonly scope: Scope<S>
  readonly can: Ability
  readonly params: TProperties
  /** Default: integration. */
  readonly noun?: IntegrationNoun
}

function integrationEndpoints<S extends InIntegrationPlace>({ path, of, scope, can, params, noun = 'Integration' }: Place<S>) {
  const inOne = inKind(scope, noun)
  const list = endpoint({
    route: `GET ${path}`,
    summary: `List the active integrations ${of}`,
    scope,
    can,
    answers: pageOf(IntegrationSummary),
    run: ({ integrations }) => integrations.where('active', '=', true),
  })
  const get = endpoint({
    route: `GET ${path}/:slug`,
    summary: `Get an integration ${of}, with its settings`,
    scope: inOne,
    can,
    answers: one(Integration),
    run: ctx => findIntegration(ctx, noun),
  })
  const set = endpoint({
    route: `PUT ${path}/:slug`,
    summary: `Set up an integration ${of}, or change its settings`,
    scope: inOne,
    can,
    params,
    answers: one(Integration),
    async run(ctx) {
      const given = ctx.params as GivenSettings
      if (given.use_inherited_settings) await inheritIntegration(ctx, ctx.place, ctx.kind)
      else await setIntegration(ctx, ctx.place, ctx.kind, given)
      return findIntegration(ctx, noun)
    },
  })
  const remove = endpoint({
    route: `DELETE ${path}/:slug`,
    summary: `Turn off an integration ${of} and forget its settings`,
    scope: inOne,
    can,
    answers: nothing,
    run: ctx => removeIntegration(ctx, ctx.place, ctx.kind),
  })
  return [list, get, set, remove] as const
}

const project = { of: 'of a project', scope: inProjectIntegrations, can: 'admin_project', params: inheritingParams } as const

export const projectIntegrations = integrationEndpoints({ ...project, path: '/projects/:id/integrations' })

/** Contract: the name of the addresses at 14.0 (services API). */
export const projectServices = integrationEndpoints({ ...project, path: '/projects/:id/services', noun: 'Service' })

export const groupIntegrations = integrationEndpoints({
  path: '/groups/:id/integrations',
  of: 'of a group',
  scope: inGroupIntegrations,
  can: 'admin_group',
  params: inheritingParams,
})

/** Of the instance, for all projects; the API at 14.0 has none. */
export const instanceIntegrations = integrationEndpoints({
  path: '/admin/integrations',
  of: 'of the instance',
  scope: inInstanceIntegrations,
  can: 'admin_instance',
  params: integrationParams,
})
