/** Projects and users in payloads (webhook events, 14.0). */

import type { UserRow } from '../../../identity/users/queries.ts'
import type { Visibility } from '../../../platform/access/abilities.ts'
import type { Facts } from '../../../platform/kernel/context.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'

const visibilityLevels: Readonly<Record<Visibility, number>> = { private: 0, internal: 10, public: 20 }

/** What other projects of a payload are made from. */
type Addresses = Pick<Facts, 'url' | 'sshUrl'>

const addressesOf = ({ full_path }: ProjectRow, { url, sshUrl }: Addresses) => ({
  homepage: `${url}/${full_path}`,
  ssh: `${sshUrl}${full_path}.git`,
  http: `${url}/${full_path}.git`,
})

/** `project` of a payload, with the older names of its address fields. */
export function projectPart(row: ProjectRow, facts: Addresses) {
  const { homepage, ssh, http } = addressesOf(row, facts)
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    web_url: homepage,
    avatar_url: row.avatar_url && `${facts.url}${row.avatar_url}`,
    git_ssh_url: ssh,
    git_http_url: http,
    namespace: row.namespace_name,
    visibility_level: visibilityLevels[row.visibility as Visibility],
    path_with_namespace: row.full_path,
    default_branch: row.default_branch,
    ci_config_path: row.ci_config_path,
    homepage,
    url: ssh,
    ssh_url: ssh,
    http_url: http,
  }
}

/** `repository` of a payload, except of a push. */
export function repositoryPart(row: ProjectRow, facts: Addresses) {
  const { homepage, ssh } = addressesOf(row, facts)
  return { name: row.name, url: ssh, description: row.description, homepage }
}

/** `repository` of a push. */
export function pushedRepositoryPart(row: ProjectRow, facts: Addresses) {
  const { ssh, http } = addressesOf(row, facts)
  const visibility_level = visibilityLevels[row.visibility as Visibility]
  return { ...repositoryPart(row, facts), git_http_url: http, git_ssh_url: ssh, visibility_level }
}

/** The columns of a user that payloads need. */
type PayloadUser = Pick<UserRow, 'id' | 'name' | 'username' | 'avatar_url' | 'public_email'>

/** The public fields of a user: the address of their avatar, and their public email. */
const shownOf = (user: PayloadUser | undefined, { url }: Addresses) => ({
  avatar: user?.avatar_url ? `${url}${user.avatar_url}` : null,
  email: user?.public_email ?? '',
})

/** `user` of a payload; a deleted user has no name. */
export function userPart(user: PayloadUser | undefined, facts: Addresses) {
  const { avatar, email } = shownOf(user, facts)
  return { id: user?.id ?? null, name: user?.name ?? null, username: user?.username ?? null, avatar_url: avatar, email }
}

/** The user who pushed, in payloads of pushes. */
export function pusherPart(user: UserRow | undefined, facts: Addresses) {
  const { avatar, email } = shownOf(user, facts)
  return {
    user_id: user?.id ?? null,
    user_name: user?.name ?? null,
    user_username: user?.username ?? null,
    user_email: email,
    user_avatar: avatar,
  }
}
