/** The owners of protected environments (projects and groups), and one protection. */
import type { Role } from '../../platform/access/abilities.ts'
import { featureEnabled } from '../../platform/access/feature_flags.ts'
import { type Scope, within } from '../../platform/kernel/declaration/scope.ts'
import { OneOf, text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inGroup } from '../../spaces/groups/scope.ts'
import type { MemberPlace } from '../../spaces/members/queries.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { deploymentTiers } from '../environments/tiers.ts'
import { type Protections, protectionsOfGroup, protectionsOfProject } from './queries.ts'

/** What every scope of this resource provides. */
export interface InProtectingPlace {
  readonly place: MemberPlace
  readonly protections: Protections
}

export const inProtectingProject = within(inProject, {
  name: 'inProject',
  path: {},
  load: async ({ db, project }): Promise<InProtectingPlace> => ({
    place: {
      key: { project_id: project.id },
      above: project.namespace_traversal_ids,
      ownerId: project.namespace_owner_id,
      role: project.role as Role,
    },
    protections: protectionsOfProject(db, project.id),
  }),
})

/** Contract: while the feature flag is off, groups have no protected environments: 404 (decision 31). */
export const inProtectingGroup = within(inGroup, {
  name: 'inProtectingGroup',
  path: {},
  async load({ db, actor, group }): Promise<InProtectingPlace> {
    if (!(await featureEnabled(db, 'group_level_protected_environments', { user: actor.user, group }))) throw notFound()
    return {
      place: { key: { namespace_id: group.id }, above: group.traversal_ids.slice(0, -1), ownerId: null, role: group.role as Role },
      protections: protectionsOfGroup(db, group.id),
    }
  },
})

async function findProtection({ protections }: InProtectingPlace, name: string) {
  const protectedEnvironment = await protections.where('name', '=', name).executeTakeFirst()
  if (!protectedEnvironment) throw notFound()
  return { protectedEnvironment }
}

/** `:name` becomes the protection of an environment of the project, or 404. */
export const inProjectProtectedEnvironment = within(inProtectingProject as Scope<InProtectingPlace>, {
  name: 'inProjectProtectedEnvironment',
  path: { name: text('URL-encoded name of an environment') },
  load: (ctx, { name }) => findProtection(ctx, name),
  modifiedAt: ({ protectedEnvironment }) => protectedEnvironment.created_at,
})

/** `:name` becomes the protection of a tier below the group, or 404. */
export const inGroupProtectedEnvironment = within(inProtectingGroup as Scope<InProtectingPlace>, {
  name: 'inGroupProtectedEnvironment',
  path: { name: OneOf(deploymentTiers, { description: 'A tier' }) },
  load: (ctx, { name }) => findProtection(ctx, name),
  modifiedAt: ({ protectedEnvironment }) => protectedEnvironment.created_at,
})
