/** Who may do what with the images of a project: one answer for tokens, for the registry itself and for pages. */
import { type Ability, allows } from '../../../platform/access/abilities.ts'
import { type Actor, hasScope } from '../../../platform/access/actor.ts'
import type { DeployTokenScope, TokenScope } from '../../../platform/access/credentials/token_scopes.ts'
import { type ProjectWithRole, projectSubject } from '../../../spaces/projects/scope.ts'

/** What tokens are about. */
export const registryActions = ['pull', 'push', 'delete'] as const
export type RegistryAction = (typeof registryActions)[number]

/** The scopes of tokens besides `api` that permit to pull, and to push. */
export const pullScopes: readonly (TokenScope & DeployTokenScope)[] = ['read_registry', 'write_registry']
export const pushScopes: readonly (TokenScope & DeployTokenScope)[] = ['write_registry']

const scopesOf: Readonly<Record<RegistryAction, readonly (TokenScope | DeployTokenScope)[]>> = {
  pull: ['api', 'read_api', ...pullScopes],
  push: ['api', ...pushScopes],
  delete: ['api', ...pushScopes],
}

const abilityOf: Readonly<Record<RegistryAction, Ability>> = {
  pull: 'read_container_image',
  push: 'create_container_image',
  delete: 'destroy_container_image',
}

/** Is it the token of a job that would write to a project other than its own? */
export const writesElsewhere = ({ credential }: Actor, projectId: number, action: RegistryAction): boolean =>
  credential?.kind === 'job_token' && action !== 'pull' && credential.projectId !== projectId

/** May the actor do this with the images of a project that they see? */
export const mayUseImages = (actor: Actor, project: ProjectWithRole, action: RegistryAction): boolean =>
  hasScope(actor, scopesOf[action]) &&
  !writesElsewhere(actor, project.id, action) &&
  allows(actor, abilityOf[action], projectSubject(project)) === 'yes'
