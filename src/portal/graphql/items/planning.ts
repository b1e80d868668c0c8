/** Labels and milestones. */
import { textColor } from '../../../planning/labels/colors.ts'
import { ProjectLabel } from '../../../planning/labels/entity.ts'
import { type LabelRow, labelsIn, labelsMatching } from '../../../planning/labels/queries.ts'
import { Milestone } from '../../../planning/milestones/entity.ts'
import {
  issueStatsOf,
  type MilestoneRow,
  milestoneSorts,
  milestonesMatching,
  sortedMilestones,
} from '../../../planning/milestones/queries.ts'
import { containing } from '../../../platform/db/statements/like.ts'
import { type PlanningPlace, placeOfGroup, placeOfProject } from '../../../spaces/places/places.ts'
import { given, inGroupFor, inProjectFor, listInGroupFor, listInProjectFor } from '../reading/access.ts'
import { connectionOf, type PageArgs } from '../reading/connections.ts'
import type { Part } from '../reading/part.ts'
import type { GraphRequest } from '../reading/request.ts'
import { globalId, idIn, Thing } from '../reading/things.ts'
import { remembered } from './shared.ts'

interface LabelsArgs extends PageArgs {
  readonly searchTerm?: string | null
  readonly includeAncestorGroups?: boolean | null
  readonly includeDescendantGroups?: boolean | null
  readonly onlyGroupLabels?: boolean | null
}

const labels = (
  place: PlanningPlace,
  { searchTerm, includeAncestorGroups, includeDescendantGroups, onlyGroupLabels, ...args }: LabelsArgs,
  request: GraphRequest,
) =>
  connectionOf(request, args, 'labels', ProjectLabel, () =>
    labelsMatching(request.ctx.db, request.ctx.actor, place, {
      search: given(searchTerm),
      include_ancestor_groups: includeAncestorGroups ?? false,
      include_descendant_groups: includeDescendantGroups ?? false,
      only_group_labels: onlyGroupLabels ?? true,
    }),
  )

const label = async (place: PlanningPlace, { title }: { readonly title: string }, request: GraphRequest) => {
  const { db, actor } = request.ctx
  const row = await labelsIn(db, actor, place, {}).where('labels.name', '=', title).orderBy('labels.project_id').limit(1).executeTakeFirst()
  return row ? request.show(ProjectLabel, row) : null
}

interface MilestonesArgs extends PageArgs {
  readonly ids?: readonly string[] | null
  readonly state?: 'active' | 'closed' | null
  readonly title?: string | null
  readonly searchTitle?: string | null
  readonly includeAncestors?: boolean | null
  readonly sort?: string | null
}

const milestones = (place: PlanningPlace, args: MilestonesArgs, request: GraphRequest) =>
  connectionOf(request, args, 'milestones', Milestone, () => {
    let query = milestonesMatching(request.ctx.db, place, {
      state: given(args.state),
      title: given(args.title),
      include_parent_milestones: args.includeAncestors ?? false,
    })
    const ids = args.ids?.map(id => idIn(id, 'Milestone'))
    if (ids) query = query.where('milestones.id', 'in', ids.length === 0 ? [0] : ids)
    if (args.searchTitle) query = query.where('milestones.title', 'ilike', containing(args.searchTitle))
    return args.sort ? sortedMilestones(query, args.sort.toLowerCase() as (typeof milestoneSorts)[number]) : query
  })

type Stats = (ids: readonly number[]) => ReturnType<typeof issueStatsOf>
const statsLoaders = new WeakMap<GraphRequest, Stats>()

const milestoneArgs = `
  "Global IDs of the milestones" ids: [ID!]
  "State of the milestones" state: MilestoneStateEnum
  "Title" title: String
  "Part of the title" searchTitle: String
  "Milestones of the groups above too" includeAncestors: Boolean
  "Order of the list" sort: MilestoneSort
`

/** A label, alone or as a row that issues and merge requests name. */
const rowOf = (source: Thing<LabelRow> | LabelRow): LabelRow => (source instanceof Thing ? source.row : source)

export const planning: Part = {
  types: `
    extend type Project {
      "A label of the project or of a group above it"
      label("Title" title: String!): Label
      "Labels"
      labels("Part of the title or description" searchTerm: String, "Labels of the groups above too" includeAncestorGroups: Boolean = false): LabelConnection
      "Milestones"
      milestones(${milestoneArgs}): MilestoneConnection
    }
    extend type Group {
      "A label of the group or of a group above it"
      label("Title" title: String!): Label
      "Labels"
      labels(
        "Part of the title or description" searchTerm: String
        "Labels of the groups above too" includeAncestorGroups: Boolean = false
        "Labels of the groups below too" includeDescendantGroups: Boolean = false
        "No labels of projects" onlyGroupLabels: Boolean = true
      ): LabelConnection
      "Milestones"
      milestones(${milestoneArgs}): MilestoneConnection
    }
    "A label"
    type Label {
      "Global ID"
      id: ID!
      "Title"
      title: String!
      "Description"
      description: String
      "Color of the background"
      color: String!
      "Color of the text"
      textColor: String!
      "When it was created"
      createdAt: Time!
      "When it was last changed"
      updatedAt: Time!
    }
    "A milestone"
    type Milestone {
      "Global ID"
      id: ID!
      "Number within the project or group"
      iid: ID!
      "Title"
      title: String!
      "Description"
      description: String
      "State"
      state: MilestoneStateEnum!
      "Last day"
      dueDate: Time
      "First day"
      startDate: Time
      "Whether its last day has passed"
      expired: Boolean!
      "Path of the page for people"
      webPath: String!
      "When it was created"
      createdAt: Time!
      "When it was last changed"
      updatedAt: Time!
      "Whether it belongs to a project"
      projectMilestone: Boolean!
      "Whether it belongs to a group"
      groupMilestone: Boolean!
      "Numbers of its issues that the caller may see"
      stats: MilestoneStats
    }
    "Numbers of the issues of a milestone"
    type MilestoneStats {
      "Closed ones"
      closedIssuesCount: Int
      "All"
      totalIssuesCount: Int
    }
    "State of a milestone"
    enum MilestoneStateEnum {
      "Active" active
      "Closed" closed
    }
    "Order of a list of milestones"
    enum MilestoneSort {
      ${milestoneSorts.map(name => `"${name.replaceAll('_', ' ')}" ${name.toUpperCase()}`).join('\n')}
    }
  `,
  resolvers: {
    Project: {
      label: inProjectFor<{ title: string }>('read_label', (project, args, request) => label(placeOfProject(project), args, request)),
      labels: listInProjectFor<LabelsArgs>('read_label', (project, args, request) => labels(placeOfProject(project), args, request)),
      milestones: listInProjectFor<MilestonesArgs>('read_milestone', (project, args, request) =>
        milestones(placeOfProject(project), args, request),
      ),
    },
    Group: {
      label: inGroupFor<{ title: string }>('read_group_label', (group, args, request) => label(placeOfGroup(group), args, request)),
      labels: listInGroupFor<LabelsArgs>('read_group_label', (group, args, request) => labels(placeOfGroup(group), args, request)),
      milestones: listInGroupFor<MilestonesArgs>('read_group_milestone', (group, args, request) =>
        milestones(placeOfGroup(group), args, request),
      ),
    },
    Label: {
      id: (source: LabelRow) => {
        const { id, project_id } = rowOf(source)
        return globalId(project_id === null ? 'GroupLabel' : 'ProjectLabel', id)
      },
      title: (source: LabelRow) => rowOf(source).name,
      textColor: (source: LabelRow) => textColor(rowOf(source).color),
    },
    Milestone: {
      id: ({ row }: Thing<MilestoneRow>) => globalId('Milestone', row.id),
      webPath: ({ row }: Thing<MilestoneRow>) => `/${row.project_id === null ? 'groups/' : ''}${row.place_path}/-/milestones/${row.iid}`,
      projectMilestone: ({ row }: Thing<MilestoneRow>) => row.project_id !== null,
      groupMilestone: ({ row }: Thing<MilestoneRow>) => row.project_id === null,
      async stats({ row }: Thing<MilestoneRow>, _args, request) {
        const load = remembered(statsLoaders, request, () => ids => issueStatsOf(request.ctx.db, request.ctx.actor, ids))
        const { closed, total } = (await request.byId(load, row.id)) ?? { closed: 0, total: 0 }
        return { closedIssuesCount: closed, totalIssuesCount: total }
      },
    },
  },
}
