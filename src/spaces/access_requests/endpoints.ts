/** Access requests of groups and projects (access requests API of the v4 level 14.0): the same declarations for both. */
import Type from 'typebox'
import { type Ability, allows, type Role, roles } from '../../platform/access/abilities.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import type { Scope } from '../../platform/kernel/declaration/scope.ts'
import { Member } from '../members/entity.ts'
import { type InPlace, inGroupPlace, inProjectPlace } from '../members/scope.ts'
import { approveAccess, denyAccess, requestAccess } from './commands.ts'
import { AccessRequest } from './entity.ts'
import { accessRequestsOf } from './queries.ts'
import { inAccessRequest } from './scope.ts'

interface Kind<S extends InPlace> {
  readonly noun: 'group' | 'project'
  readonly scope: Scope<S>
  readonly levels: readonly Role[]
  readonly ask: Ability
  readonly manage: Ability
  /** Does the place accept requests? */
  readonly enabled: (subjects: S) => boolean
}

function accessRequestEndpoints<S extends InPlace>({ noun, scope, levels, ask, manage, enabled }: Kind<S>) {
  const path = `/${noun}s/:id/access_requests` as const
  const inOne = inAccessRequest(scope)

  const list = endpoint({
    route: `GET ${path}`,
    summary: `List those who ask for access to a ${noun}`,
    scope,
    can: manage,
    answers: pageOf(AccessRequest),
    run: ({ db, place }) => accessRequestsOf(db, place.key),
  })
  const request = endpoint({
    route: `POST ${path}`,
    summary: `Ask for access to a ${noun}`,
    scope,
    can: ask,
    answers: one(AccessRequest),
    run: ctx => requestAccess(ctx, ctx.place, enabled(ctx)),
  })
  const approve = endpoint({
    route: `PUT ${path}/:user_id/approve`,
    summary: `Make the one who asks a member of a ${noun}`,
    scope: inOne,
    can: manage,
    params: {
      access_level: Type.Unsafe<Role>({
        type: 'integer',
        enum: [...levels],
        default: roles.developer,
        description: `${levels.join(', ')}; 30 (Developer) unless given`,
      }),
    },
    // Contract: 201 although it is a PUT (access requests API).
    answers: one(Member, 201),
    run: ctx => approveAccess(ctx, ctx.place, ctx.accessRequest, ctx.params.access_level),
  })
  const deny = endpoint({
    route: `DELETE ${path}/:user_id`,
    summary: `Deny access to a ${noun}, or take one’s own request back`,
    scope: inOne,
    can: ask,
    answers: nothing,
    run: ctx => denyAccess(ctx, ctx.place, ctx.accessRequest, allows(ctx.actor, manage, inOne.subject(ctx)) === 'yes'),
  })
  return [list, request, approve, deny] as const
}

export const groupAccessRequests = accessRequestEndpoints({
  noun: 'group',
  scope: inGroupPlace,
  levels: [10, 20, 30, 40, 50],
  ask: 'request_group_access',
  manage: 'admin_group_member',
  enabled: ({ group }) => group.request_access_enabled,
})

export const projectAccessRequests = accessRequestEndpoints({
  noun: 'project',
  scope: inProjectPlace,
  levels: [10, 20, 30, 40],
  ask: 'request_project_access',
  manage: 'admin_project_member',
  enabled: ({ project }) => project.request_access_enabled,
})
