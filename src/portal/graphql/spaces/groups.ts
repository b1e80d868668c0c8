/** Groups. */
import { sql } from 'kysely'
import type { Ability } from '../../../platform/access/abilities.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import { Refusal } from '../../../platform/kernel/errors.ts'
import { projectsOfGroup } from '../../../spaces/group_projects/queries.ts'
import { Group } from '../../../spaces/groups/entity.ts'
import { descendantsOf, type GroupRow, groupsMatching, subgroupsOf } from '../../../spaces/groups/queries.ts'
import { inGroup } from '../../../spaces/groups/scope.ts'
import { Member } from '../../../spaces/members/entity.ts'
import { allMembersOf, membersOf } from '../../../spaces/members/queries.ts'
import { memberPlaceOfGroup } from '../../../spaces/members/scope.ts'
import { SimpleProject } from '../../../spaces/projects/entity.ts'
import { given, listInGroupFor, mayInGroup, permissionFields, permissionResolvers } from '../reading/access.ts'
import { connectionOf, type PageArgs } from '../reading/connections.ts'
import type { Part } from '../reading/part.ts'
import type { GraphRequest } from '../reading/request.ts'
import { globalId, idIn, type Thing } from '../reading/things.ts'
import { accessLevel, memberFields } from './members.ts'

/** A group that something visible belongs to, if the caller may see the group itself. */
export async function shownGroup(request: GraphRequest, id: number | null): Promise<Thing<GroupRow> | null> {
  const group = id === null ? undefined : await request.group(id)
  return group && mayInGroup(request, 'read_group', group) ? request.show(Group, group) : null
}

/** The permissions on a group, with their abilities. */
const permissions = { readGroup: 'read_group', createProjects: 'create_project_in_group' } as const satisfies Record<string, Ability>

interface GroupsArgs extends PageArgs {
  readonly ids?: readonly string[] | null
  readonly search?: string | null
}

interface MembersArgs extends PageArgs {
  readonly search?: string | null
  readonly relations?: readonly string[] | null
}

interface ProjectsArgs extends PageArgs {
  readonly includeSubgroups?: boolean | null
  readonly search?: string | null
}

export const groups: Part = {
  types: `
    extend type Query {
      "Find a group"
      group("Full path of the group" fullPath: ID!): Group
      "Find groups: those of the caller, or the public ones for callers who are not signed in"
      groups("Global IDs of the groups" ids: [ID!], "Part of the name or path" search: String): GroupConnection
    }
    "A group"
    type Group {
      "Global ID"
      id: ID!
      "Name"
      name: String!
      "Last part of the path"
      path: String!
      "Names of all parents and its own"
      fullName: String!
      "Full path"
      fullPath: ID!
      "Description"
      description: String
      "Who may see it"
      visibility: String
      "Address of the page for people"
      webUrl: String!
      "Address of the avatar"
      avatarUrl: String
      "The group above; null at the top"
      parent: Group
      "Whether Git LFS is on"
      lfsEnabled: Boolean
      "Whether users may request access"
      requestAccessEnabled: Boolean
      "Whether projects cannot be shared with other groups"
      shareWithGroupLock: Boolean
      "Whether members must have a second factor"
      requireTwoFactorAuthentication: Boolean
      "Hours that they have for setting it up"
      twoFactorGracePeriod: Int
      "Who may create projects"
      projectCreationLevel: String
      "Who may create groups below it"
      subgroupCreationLevel: String
      "Whether Auto DevOps is on"
      autoDevopsEnabled: Boolean
      "Whether email notifications are off"
      emailsDisabled: Boolean
      "Whether the group cannot be mentioned"
      mentionsDisabled: Boolean
      "Groups below it"
      descendantGroups("Part of the name or path" search: String, "Those at any depth" includeParentDescendants: Boolean = true): GroupConnection
      "Projects"
      projects("Projects of the groups below it too" includeSubgroups: Boolean = false, "Part of the name, path or description" search: String): ProjectConnection!
      "Members, those of the groups above included unless relations says otherwise"
      groupMembers("Part of the name or username" search: String, "Which members" relations: [GroupMemberRelation!] = [DIRECT, INHERITED]): GroupMemberConnection
      "What the caller may do"
      userPermissions: GroupPermissions!
    }
    "Where a member of a group belongs to"
    enum GroupMemberRelation {
      "Direct members"
      DIRECT
      "Members of a group above"
      INHERITED
    }
    "What the caller may do in a group"
    type GroupPermissions {
      ${permissionFields(permissions)}
    }
    "A member of a group"
    type GroupMember implements MemberInterface {
      ${memberFields}
      "The group"
      group: Group
    }
  `,
  resolvers: {
    Query: {
      async group(_, { fullPath }: { fullPath: string }, request) {
        // A number would be taken for an id.
        if (/^\d+$/.test(fullPath)) return null
        try {
          const { group } = await inGroup.load(request.ctx, { id: fullPath })
          return mayInGroup(request, 'read_group', group) ? request.show(Group, group) : null
        } catch (error) {
          if (error instanceof Refusal && error.kind === 'not_found') return null
          throw error
        }
      },
      groups(_, { ids, search, ...args }: GroupsArgs, request) {
        const { db, actor } = request.ctx
        return connectionOf(request, args, 'groups', Group, () => {
          const query = groupsMatching(db, actor, { search: given(search), ...(ids && { all_available: true }) })
          return ids ? query.where('namespaces.id', '=', anyOf(ids.map(id => idIn(id, 'Group')))) : query
        })
      },
    },
    Group: {
      id: ({ row }: Thing<GroupRow>) => globalId('Group', row.id),
      parent: ({ row }: Thing<GroupRow>, _args, request) => shownGroup(request, row.parent_id),
      descendantGroups: (
        { row }: Thing<GroupRow>,
        { search, includeParentDescendants, ...args }: GroupsArgs & { includeParentDescendants?: boolean | null },
        request,
      ) =>
        connectionOf(request, args, 'groups', Group, () =>
          (includeParentDescendants ? descendantsOf : subgroupsOf)(request.ctx.db, request.ctx.actor, row.id, {
            all_available: true,
            search: given(search),
          }),
        ),
      projects: listInGroupFor<ProjectsArgs>('read_group', (group, { includeSubgroups, search, ...args }, request) =>
        connectionOf(request, args, 'group_projects', SimpleProject, () =>
          projectsOfGroup(request.ctx.db, request.ctx.actor, group, {
            include_subgroups: given(includeSubgroups),
            search: given(search),
            with_shared: false,
          }),
        ),
      ),
      groupMembers: listInGroupFor<MembersArgs>('read_group_members', (group, { search, relations, ...args }, request) => {
        const all = relations?.includes('INHERITED')
        return connectionOf(request, args, all ? 'all_group_members' : 'group_members', Member, () => {
          const rows = (all ? allMembersOf : membersOf)(request.ctx.db, memberPlaceOfGroup(group), { query: given(search) })
          return (rows as ReturnType<typeof membersOf>).select(sql<number>`${group.id}::bigint`.as('place_group_id'))
        })
      }),
      userPermissions: async ({ row }: Thing<GroupRow>, _args, request) => {
        const group = await request.group(row.id)
        return (ability: Ability) => group !== undefined && mayInGroup(request, ability, group)
      },
    },
    GroupPermissions: permissionResolvers(permissions),
    GroupMember: {
      accessLevel,
      // The summary of the user is part of the member.
      user: member => member,
      group: ({ row }: Thing<{ place_group_id: number }>, _args, request) => shownGroup(request, row.place_group_id),
    },
  },
}
