/** Projects. */
import { type RawBuilder, sql } from 'kysely'
import type { Ability } from '../../../platform/access/abilities.ts'
import { roles } from '../../../platform/access/abilities.ts'
import { isAdmin } from '../../../platform/access/actor.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import { Member } from '../../../spaces/members/entity.ts'
import { allMembersOf, membersOf } from '../../../spaces/members/queries.ts'
import { memberPlaceOfProject } from '../../../spaces/members/scope.ts'
import { SimpleProject } from '../../../spaces/projects/entity.ts'
import { type ProjectRow, projectsMatching } from '../../../spaces/projects/queries.ts'
import { projectAllowing } from '../../../spaces/projects/scope.ts'
import { given, inProjectFor, listInProjectFor, permissionFields, permissionResolvers } from '../reading/access.ts'
import { connectionOf, type PageArgs } from '../reading/connections.ts'
import type { Part, Resolver } from '../reading/part.ts'
import type { GraphRequest } from '../reading/request.ts'
import { globalId, idIn, type Thing } from '../reading/things.ts'
import { shownGroup } from './groups.ts'
import { accessLevel, memberFields } from './members.ts'

type Project = Thing<ProjectRow>

/** A project that something visible belongs to, if the caller may see the project itself. */
export async function shownProject(request: GraphRequest, id: number | null): Promise<Thing | null> {
  const project = id === null ? undefined : await request.project(id)
  return project && request.may('read_project', project) ? request.show(SimpleProject, project) : null
}

const isOn =
  (feature: 'builds' | 'issues' | 'merge_requests' | 'wiki' | 'snippets' | 'container_registry'): Resolver =>
  ({ row }: Project) =>
    row[`${feature}_access_level`] !== 'disabled'

interface ProjectsArgs extends PageArgs {
  readonly ids?: readonly string[] | null
  readonly membership?: boolean | null
  readonly search?: string | null
  readonly searchNamespaces?: boolean | null
  readonly sort?: string | null
}

/** `path_asc` as a column and a direction. */
function orderOf(sort: string | null | undefined) {
  const [, name, direction] = /^(id|name|path|created_at|updated_at|last_activity_at)_(asc|desc)$/i.exec(sort ?? '') ?? []
  return { order_by: (name?.toLowerCase() ?? 'id') as 'id', sort: (direction?.toLowerCase() ?? 'desc') as 'desc' }
}

/** The permissions on a project, with their abilities. */
const permissions = {
  adminProject: 'admin_project',
  archiveProject: 'archive_project',
  createIssue: 'create_issue',
  createLabel: 'admin_label',
  createMergeRequestFrom: 'create_merge_request_from',
  createMergeRequestIn: 'create_merge_request',
  createPipeline: 'create_pipeline',
  downloadCode: 'read_code',
  pushCode: 'push_code',
  readMergeRequest: 'read_merge_request',
  readProject: 'read_project',
  readProjectMember: 'read_project_members',
  readWiki: 'read_wiki',
  removeProject: 'remove_project',
} as const satisfies Record<string, Ability>

interface MembersArgs extends PageArgs {
  readonly search?: string | null
  readonly relations?: readonly string[] | null
}

export const projects: Part = {
  types: `
    extend type Query {
      "Find a project"
      project("Full path of the project" fullPath: ID!): Project
      "Find projects"
      projects(
        "Global IDs of the projects" ids: [ID!]
        "Only projects that the caller is a member of" membership: Boolean
        "Part of the name, path or description" search: String
        "Search in the names of namespaces too" searchNamespaces: Boolean
        "Order: a field of id, name, path, created_at, updated_at and last_activity_at with _asc or _desc" sort: String = "id_desc"
      ): ProjectConnection
    }
    "A project"
    type Project {
      "Global ID"
      id: ID!
      "Full path"
      fullPath: ID!
      "Last part of the path"
      path: String!
      "Name without the namespace"
      name: String!
      "Name with those of its namespaces"
      nameWithNamespace: String!
      "Short description"
      description: String
      "Topics, separated by commas"
      tagList: String @deprecated(reason: "This was renamed. Please use topics")
      "Topics"
      topics: [String!]
      "Address to clone over SSH"
      sshUrlToRepo: String
      "Address to clone over HTTP"
      httpUrlToRepo: String
      "Address of the page for people"
      webUrl: String
      "Number of stars"
      starCount: Int!
      "Number of forks"
      forksCount: Int!
      "When it was created"
      createdAt: Time
      "When something last happened"
      lastActivityAt: Time
      "Whether it is archived"
      archived: Boolean
      "Who may see it"
      visibility: String
      "Address of the avatar"
      avatarUrl: String
      "Whether Git LFS is on"
      lfsEnabled: Boolean
      "Whether runners of the instance run its jobs"
      sharedRunnersEnabled: Boolean
      "Whether it has a registry of images"
      containerRegistryEnabled: Boolean
      "Whether CI is on for those who ask"
      jobsEnabled: Boolean
      "Whether issues are on"
      issuesEnabled: Boolean
      "Whether merge requests are on"
      mergeRequestsEnabled: Boolean
      "Whether the wiki is on"
      wikiEnabled: Boolean
      "Whether snippets are on"
      snippetsEnabled: Boolean
      "Whether users below Reporter see pipelines and jobs"
      publicJobs: Boolean
      "Number of open issues that the caller may see"
      openIssuesCount: Int
      "How far the import is"
      importStatus: String
      "Whether only fast-forward merges are made"
      mergeRequestsFfOnlyEnabled: Boolean
      "Whether merging waits for the pipeline"
      onlyAllowMergeIfPipelineSucceeds: Boolean
      "Whether merging waits for all threads"
      onlyAllowMergeIfAllDiscussionsAreResolved: Boolean
      "Whether a skipped pipeline is enough"
      allowMergeOnSkippedPipeline: Boolean
      "Whether a push prints a link to a new merge request"
      printingMergeRequestLinkEnabled: Boolean
      "Whether source branches are deleted by default"
      removeSourceBranchAfterMerge: Boolean
      "Whether users may request access"
      requestAccessEnabled: Boolean
      "Whether merging closes the issues that are named"
      autocloseReferencedIssues: Boolean
      "Message of commits that apply suggestions"
      suggestionCommitMessage: String
      "Whether the service desk is on"
      serviceDeskEnabled: Boolean
      "The group; null in a personal namespace"
      group: Group
      "The namespace"
      namespace: Namespace
      "Sizes and counts, for members from Reporter up"
      statistics: ProjectStatistics
      "Members, those of the groups above included unless relations says otherwise"
      projectMembers(
        "Part of the name or username" search: String
        "Which members" relations: [ProjectMemberRelation!] = [DIRECT, INHERITED]
      ): MemberInterfaceConnection
      "What the caller may do"
      userPermissions: ProjectPermissions!
    }
    "Where a member of a project belongs to"
    enum ProjectMemberRelation {
      "Direct members"
      DIRECT
      "Members of a group above"
      INHERITED
      "Members of the groups above and of groups below"
      DESCENDANTS
    }
    "A group or the place of a user's own projects"
    type Namespace {
      "Global ID"
      id: ID!
      "Name"
      name: String!
      "Last part of the path"
      path: String!
      "Full path"
      fullPath: ID!
    }
    "Sizes and counts of a project, in bytes"
    type ProjectStatistics {
      "Number of commits"
      commitCount: Float!
      "Everything that is stored"
      storageSize: Float!
      "The repository"
      repositorySize: Float!
      "The wiki"
      wikiSize: Float
      "LFS objects"
      lfsObjectsSize: Float!
      "Artifacts of jobs"
      buildArtifactsSize: Float!
      "Packages"
      packagesSize: Float!
      "Snippets"
      snippetsSize: Float
    }
    "What the caller may do in a project"
    type ProjectPermissions {
      ${permissionFields(permissions)}
    }
    "A member of a project"
    type ProjectMember implements MemberInterface {
      ${memberFields}
      "The project"
      project: Project
    }
  `,
  resolvers: {
    Query: {
      async project(_, { fullPath }: { fullPath: string }, request) {
        // A path has a slash; a number would be taken for an id.
        const project = fullPath.includes('/') ? await projectAllowing(request.ctx, fullPath, 'read_project') : undefined
        return project ? request.show(SimpleProject, project) : null
      },
      projects(_, { ids, membership, search, searchNamespaces, sort, ...args }: ProjectsArgs, request) {
        const { db, actor } = request.ctx
        return connectionOf(request, args, 'projects', SimpleProject, () => {
          const filters = { membership: given(membership), search: given(search), search_namespaces: given(searchNamespaces) }
          const query = projectsMatching(db, actor, { ...filters, ...orderOf(sort) })
          return ids ? query.where('projects.id', '=', anyOf(ids.map(id => idIn(id, 'Project')))) : query
        })
      },
    },
    Project: {
      id: ({ row }: Project) => globalId('Project', row.id),
      tagList: ({ row }: Project) => row.topics.join(', '),
      nameWithNamespace: ({ row }: Project) => row.full_name,
      jobsEnabled: isOn('builds'),
      issuesEnabled: isOn('issues'),
      mergeRequestsEnabled: isOn('merge_requests'),
      wikiEnabled: isOn('wiki'),
      snippetsEnabled: isOn('snippets'),
      containerRegistryEnabled: isOn('container_registry'),
      mergeRequestsFfOnlyEnabled: ({ row }: Project) => row.merge_method === 'ff',
      openIssuesCount: inProjectFor('read_issue', (project, _args, { ctx }) =>
        project.role >= roles.reporter || isAdmin(ctx.actor)
          ? project.open_issues_count
          : project.open_issues_count - project.confidential_open_issues_count,
      ),
      group: ({ row }: Project, _args, request) => (row.namespace_kind === 'group' ? shownGroup(request, row.namespace_id) : null),
      namespace: ({ row }: Project) => ({
        id: globalId(row.namespace_kind === 'group' ? 'Group' : 'Namespaces::UserNamespace', row.namespace_id),
        name: row.namespace_name,
        path: row.namespace_path,
        fullPath: row.namespace_full_path,
      }),
      statistics: async ({ row }: Project, _args, request) => {
        const project = await request.project(row.id)
        // Contract: for members from Reporter up (decision 48).
        if (!project || (project.role < roles.reporter && !isAdmin(request.ctx.actor))) return null
        return (await request.statistics(row.id)) ?? null
      },
      projectMembers: listInProjectFor<MembersArgs>('read_project_members', (project, { search, relations, ...args }, request) => {
        const place = memberPlaceOfProject(project)
        const filters = { query: given(search) }
        const all = relations?.includes('INHERITED') || relations?.includes('DESCENDANTS')
        return connectionOf(request, args, all ? 'all_members' : 'members', Member, () => {
          const rows = all ? allMembersOf(request.ctx.db, place, filters) : membersOf(request.ctx.db, place, filters)
          const at = sql<number>`${project.id}::bigint` as RawBuilder<number>
          const inPlace = (rows as ReturnType<typeof membersOf>).select(at.as('place_project_id'))
          if (!all || relations?.includes('DIRECT')) return inPlace
          return inPlace.where(sql<boolean>`members.project_id is null`)
        })
      }),
      userPermissions: async ({ row }: Project, _args, request) => {
        const project = await request.project(row.id)
        return (ability: Ability) => project !== undefined && request.may(ability, project)
      },
    },
    ProjectStatistics: { buildArtifactsSize: (row: { job_artifacts_size: number }) => row.job_artifacts_size },
    ProjectPermissions: permissionResolvers(permissions),
    ProjectMember: {
      // The summary of the user is part of the member.
      user: member => member,
      accessLevel,
      project: ({ row }: Thing<{ place_project_id: number }>, _args, request) => shownProject(request, row.place_project_id),
    },
  },
}
