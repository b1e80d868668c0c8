/** Protected environments of projects (protected environments API at 14.0), and tiers protected by groups (document 2). */
import Type, { type TSchema } from 'typebox'
import { type Allowed, type LevelChange, LevelChanges } from '../../code/protected_branches/level_changes.ts'
import type { Ability } from '../../platform/access/abilities.ts'
import { type Endpoint, endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import type { Scope } from '../../platform/kernel/declaration/scope.ts'
import { integer, OneOf, optional } from '../../platform/kernel/declaration/types.ts'
import type { Rule } from '../../platform/kernel/request/params.ts'
import { EnvironmentName } from '../environments/params.ts'
import { deploymentTiers } from '../environments/tiers.ts'
import { protectEnvironment, unprotectEnvironment, updateProtection } from './commands.ts'
import { ProtectedEnvironment } from './entity.ts'
import type { ProtectedEnvironmentRow } from './queries.ts'
import {
  type InProtectingPlace,
  inGroupProtectedEnvironment,
  inProjectProtectedEnvironment,
  inProtectingGroup,
  inProtectingProject,
} from './scope.ts'

const DeployAccessLevels = Type.Array(
  Type.Object({
    user_id: optional(integer('ID of the user')),
    group_id: optional(integer('ID of the group')),
    access_level: optional(integer('30 developers and maintainers, 40 maintainers, 60 administrators')),
  }),
  {
    minItems: 1,
    maxItems: 100,
    description: 'Who may deploy: hashes with one of `user_id`, `group_id` and `access_level`',
    examples: [[{ access_level: 40 }]],
  },
)

const exactlyOne: Rule = {
  says: 'each of deploy_access_levels has exactly one of user_id, group_id, access_level',
  check({ deploy_access_levels: levels }) {
    const isOne = (level: unknown) => typeof level === 'object' && level !== null && Object.keys(level).length === 1
    return !Array.isArray(levels) || levels.every(isOne)
      ? undefined
      : { deploy_access_levels: ['must each have exactly one of user_id, group_id, access_level'] }
  },
}

const oneOrId: Rule = {
  says: 'each of deploy_access_levels has an id, or exactly one of user_id, group_id, access_level',
  check({ deploy_access_levels: levels }) {
    const names = ['user_id', 'group_id', 'access_level']
    const isOne = (level: unknown) => {
      const given = Object.keys(Object(level))
      const named = given.filter(name => names.includes(name)).length
      return named === 1 || (named === 0 && given.includes('id') && given.includes('_destroy'))
    }
    return !Array.isArray(levels) || levels.every(isOne)
      ? undefined
      : { deploy_access_levels: ['must each have exactly one of user_id, group_id, access_level, or be taken away by their id'] }
  },
}

interface Protecting {
  readonly noun: 'project' | 'group'
  /** As in "of a project". */
  readonly what: string
  readonly scope: Scope<InProtectingPlace>
  readonly inOne: Scope<InProtectingPlace & { readonly protectedEnvironment: ProtectedEnvironmentRow }>
  readonly can: Ability
  readonly Name: TSchema
}

function protectedEnvironmentEndpoints({ noun, what, scope, inOne, can, Name }: Protecting) {
  const path = `/${noun}s/:id/protected_environments` as const
  const list = endpoint({
    route: `GET ${path}`,
    summary: `List the protected ${what}s of a ${noun}`,
    scope,
    can,
    tier: 'premium',
    answers: pageOf(ProtectedEnvironment),
    run: ({ protections }) => protections,
  })
  const get = endpoint({
    route: `GET ${path}/:name`,
    summary: `Get a protected ${what} of a ${noun}`,
    scope: inOne,
    can,
    tier: 'premium',
    answers: one(ProtectedEnvironment),
    run: ({ protectedEnvironment }) => protectedEnvironment,
  })
  const protect = endpoint({
    route: `POST ${path}`,
    summary: `Protect an ${what} of a ${noun}`,
    scope,
    can,
    tier: 'premium',
    params: { name: Name, deploy_access_levels: DeployAccessLevels },
    rules: [exactlyOne],
    answers: one(ProtectedEnvironment),
    errors: ['conflict', 'unprocessable'],
    run: ctx => protectEnvironment(ctx, ctx, ctx.params as { name: string; deploy_access_levels: Allowed[] }),
  })
  // Contract: who may deploy is changed like this since release 15 (protected environments API).
  const update = endpoint({
    route: `PUT ${path}/:name`,
    summary: `Change who may deploy to a protected ${what} of a ${noun}`,
    scope: inOne,
    can,
    tier: 'premium',
    params: { deploy_access_levels: LevelChanges([30, 40, 60], { examples: [[{ access_level: 40 }]] }) },
    rules: [oneOrId],
    answers: one(ProtectedEnvironment),
    errors: ['unprocessable'],
    run: ctx => updateProtection(ctx, ctx, ctx.protectedEnvironment, ctx.params.deploy_access_levels as LevelChange[]),
  })
  return [list, get, protect, update] as const
}

const project: Protecting = {
  noun: 'project',
  what: 'environment',
  scope: inProtectingProject,
  inOne: inProjectProtectedEnvironment,
  can: 'admin_protected_environments',
  Name: EnvironmentName({ examples: ['production'] }),
}

const group: Protecting = {
  noun: 'group',
  what: 'environment tier',
  scope: inProtectingGroup,
  inOne: inGroupProtectedEnvironment,
  can: 'admin_group_protected_environments',
  Name: OneOf(deploymentTiers, { description: 'A tier', examples: ['testing'] }),
}

export const projectProtectedEnvironments: readonly Endpoint[] = [
  ...protectedEnvironmentEndpoints(project),
  endpoint({
    route: 'DELETE /projects/:id/protected_environments/:name',
    summary: 'Take the protection of an environment of a project away',
    scope: inProjectProtectedEnvironment,
    can: project.can,
    tier: 'premium',
    answers: nothing,
    run: ctx => unprotectEnvironment(ctx, ctx, ctx.protectedEnvironment),
  }),
]

export const groupProtectedEnvironments: readonly Endpoint[] = [
  ...protectedEnvironmentEndpoints(group),
  endpoint({
    route: 'DELETE /groups/:id/protected_environments/:name',
    summary: 'Take the protection of an environment tier of a group away, and answer what it was',
    scope: inGroupProtectedEnvironment,
    can: group.can,
    tier: 'premium',
    // Contract: 200 and not 204 (document 2); with a body, since clients read one from every 200.
    answers: one(ProtectedEnvironment, 200),
    async run(ctx) {
      await unprotectEnvironment(ctx, ctx, ctx.protectedEnvironment)
      return ctx.protectedEnvironment
    },
  }),
]
