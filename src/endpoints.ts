/**
 * The explicit list of all endpoints: the map of the server. No autoloading; a resource is served when it stands here.
 */

import * as applications from './applications/endpoints.ts'
import * as auditEvents from './audit_events/endpoints.ts'
import * as emails from './emails/endpoints.ts'
import * as features from './features/endpoints.ts'
import * as gitHttp from './git_http/endpoints.ts'
import * as groups from './groups/endpoints.ts'
import * as home from './home/endpoints.ts'
import type { Endpoint } from './kernel/endpoint.ts'
import * as keys from './keys/endpoints.ts'
import * as members from './members/endpoints.ts'
import * as namespaces from './namespaces/endpoints.ts'
import * as oauth from './oauth/endpoints.ts'
import * as pages from './pages/endpoints.ts'
import * as profile from './profile/endpoints.ts'
import * as projects from './projects/endpoints.ts'
import * as protectedBranches from './protected_branches/endpoints.ts'
import * as branches from './repository/branches/endpoints.ts'
import * as commits from './repository/commits/endpoints.ts'
import * as repository from './repository/endpoints.ts'
import * as files from './repository/files/endpoints.ts'
import * as repositoryTags from './repository/tags/endpoints.ts'
import * as scim from './scim/endpoints.ts'
import * as scimTokens from './scim_tokens/endpoints.ts'
import * as sessions from './sessions/endpoints.ts'
import * as system from './system/endpoints.ts'
import * as tokens from './tokens/endpoints.ts'
import * as userStatus from './user_status/endpoints.ts'
import * as users from './users/endpoints.ts'

const isEndpoint = (value: unknown): value is Endpoint => typeof value === 'object' && value !== null && 'route' in value && 'run' in value

/** The endpoints that a module exports, in the order of their routes. */
const of = (module: Record<string, unknown>): Endpoint[] => Object.values(module).filter(isEndpoint)

/** Every resource by its name, which is also its chapter in the API description. One line for each. */
export const resources: Readonly<Record<string, readonly Endpoint[]>> = {
  users: of(users),
  groups: of(groups),
  projects: of(projects),
  protected_branches: of(protectedBranches),
  repository: of(repository),
  branches: of(branches),
  tags: of(repositoryTags),
  commits: of(commits),
  files: of(files),
  git: of(gitHttp),
  tokens: of(tokens),
  keys: of(keys),
  emails: of(emails),
  user_status: of(userStatus),
  features: of(features),
  namespaces: of(namespaces),
  members: [...members.groupMembers, ...members.projectMembers, members.listUserMemberships],
  scim: of(scim),
  scim_tokens: of(scimTokens),
  audit_events: of(auditEvents),
  applications: of(applications),
  oauth: of(oauth),
  sessions: of(sessions),
  pages: [...of(home), ...of(profile), ...of(pages)],
  system: [...of(system), system.describing(() => resources)],
}

export const endpoints: readonly Endpoint[] = Object.values(resources).flat()
