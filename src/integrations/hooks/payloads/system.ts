/** The payloads of system hooks about users, groups, projects and members (system hooks API at 14.0). */
import type { GroupTombstone, ProjectTombstone, UserTombstone } from '../../../platform/events/tombstones.ts'

/** The names of roles; there are no levels in between. */
const roleNames: Readonly<Record<number, string>> = {
  5: 'Minimal Access',
  10: 'Guest',
  20: 'Reporter',
  30: 'Developer',
  40: 'Maintainer',
  50: 'Owner',
}

/** @param old its former path, if that has changed */
export const projectPayload = (event_name: string, project_id: number, project: ProjectTombstone, old?: string) => ({
  event_name,
  created_at: project.created_at,
  updated_at: project.updated_at,
  name: project.name,
  path: project.path,
  path_with_namespace: project.full_path,
  ...(old === undefined ? {} : { old_path_with_namespace: old }),
  project_id,
  owner_name: project.owner_name,
  owner_email: project.owner_email,
  project_visibility: project.visibility,
})

export const userPayload = (event_name: string, user_id: number, username: string, user: UserTombstone) => ({
  event_name,
  created_at: user.created_at,
  updated_at: user.updated_at,
  name: user.name,
  email: user.email,
  username,
  user_id,
})

export const groupPayload = (event_name: string, group_id: number, full_path: string, group: Omit<GroupTombstone, 'above'>) => ({
  event_name,
  created_at: group.created_at,
  updated_at: group.updated_at,
  name: group.name,
  path: group.path,
  full_path,
  group_id,
  // Contract: a group has no owner of its own; the fields stay for clients that read them (system hooks API).
  owner_name: null,
  owner_email: null,
})

/** The payload of group hooks about direct subgroups (group webhook events). */
export const subgroupPayload = (
  event_name: string,
  group_id: number,
  full_path: string,
  group: Omit<GroupTombstone, 'above'>,
  parent: { readonly id: number; readonly name: string; readonly path: string; readonly full_path: string },
) => ({
  event_name,
  created_at: group.created_at,
  updated_at: group.updated_at,
  name: group.name,
  path: group.path,
  full_path,
  group_id,
  parent_group_id: parent.id,
  parent_name: parent.name,
  parent_path: parent.path,
  parent_full_path: parent.full_path,
})

/** A membership: the user, and the role (undefined if it has ended). */
export interface Membership {
  readonly user: { readonly id: number; readonly name: string; readonly username: string; readonly email: string }
  readonly access_level: number | undefined
}

const memberPart = ({ user }: Membership) => ({
  user_id: user.id,
  user_name: user.name,
  user_username: user.username,
  user_email: user.email,
})

const roleOf = ({ access_level }: Membership) => (access_level === undefined ? null : (roleNames[access_level] ?? null))

export const projectMemberPayload = (event_name: string, project_id: number, project: ProjectTombstone, membership: Membership) => ({
  event_name,
  created_at: project.created_at,
  updated_at: project.updated_at,
  project_id,
  project_name: project.name,
  project_path: project.path,
  project_path_with_namespace: project.full_path,
  project_visibility: project.visibility,
  ...memberPart(membership),
  access_level: roleOf(membership),
})

export const groupMemberPayload = (
  event_name: string,
  group: { readonly id: number; readonly name: string; readonly path: string; readonly created_at: string; readonly updated_at: string },
  membership: Membership,
) => ({
  event_name,
  created_at: group.created_at,
  updated_at: group.updated_at,
  group_id: group.id,
  group_name: group.name,
  group_path: group.path,
  ...memberPart(membership),
  group_access: roleOf(membership),
})
