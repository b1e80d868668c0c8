/** Epics and iterations, as issues name them. */
import { Epic } from '../../../planning/epics/entity.ts'
import { type EpicRow, visibleEpicsById } from '../../../planning/epics/queries.ts'
import type { IssueRow } from '../../../planning/issues/queries.ts'
import { embeddedIterations, presentIteration } from '../../../planning/shared/embedded.ts'
import { connectionOfKnown, type PageArgs } from '../reading/connections.ts'
import type { Part } from '../reading/part.ts'
import type { GraphRequest } from '../reading/request.ts'
import { globalId, Thing } from '../reading/things.ts'
import { shownGroup } from '../spaces/groups.ts'
import { labelsOfIds, remembered } from './shared.ts'

type Epics = (ids: readonly number[]) => Promise<ReadonlyMap<number, EpicRow>>
const epicLoaders = new WeakMap<GraphRequest, Epics>()

type Iterations = (ids: readonly number[]) => ReturnType<typeof embeddedIterations>
const iterationLoaders = new WeakMap<GraphRequest, Iterations>()

interface IterationJson {
  readonly id: number
  readonly state: number
  readonly web_url: string
}

const states: Readonly<Record<number, string>> = { 1: 'upcoming', 2: 'started', 3: 'closed' }

const jsonOf = (iteration: Thing<unknown, IterationJson> | IterationJson): IterationJson =>
  iteration instanceof Thing ? iteration.json : iteration

export const epics: Part = {
  types: `
    extend type Issue {
      "Weight; premium"
      weight: Int
      "The epic; premium"
      epic: Epic
      "The iteration; premium"
      iteration: Iteration
    }
    "An epic"
    type Epic {
      "Global ID"
      id: ID!
      "Number within the group"
      iid: ID!
      "Title"
      title: String
      "Description"
      description: String
      "State"
      state: EpicState!
      "Who wrote it"
      author: UserCore!
      "The group"
      group: Group
      "Whether only members from Reporter up may see it"
      confidential: Boolean
      "First day"
      startDate: Time
      "Last day"
      dueDate: Time
      "Labels"
      labels: LabelConnection
      "Number of thumbs up"
      upvotes: Int!
      "Number of thumbs down"
      downvotes: Int!
      "Reference as it is written in texts"
      reference: String!
      "Address of the page for people"
      webUrl: String!
      "When it was created"
      createdAt: Time
      "When it was last changed"
      updatedAt: Time
      "When it was closed"
      closedAt: Time
    }
    "State of an epic"
    enum EpicState {
      "Open" opened
      "Closed" closed
    }
    "An iteration"
    type Iteration {
      "Global ID"
      id: ID!
      "Number within the group"
      iid: ID!
      "Title"
      title: String!
      "Description"
      description: String
      "State"
      state: IterationState!
      "First day"
      startDate: Time
      "Last day"
      dueDate: Time
      "Address of the page for people"
      webUrl: String!
      "When it was created"
      createdAt: Time!
      "When it was last changed"
      updatedAt: Time!
    }
    "State of an iteration"
    enum IterationState {
      "Not begun" upcoming
      "Under way" started
      "Over" closed
    }
  `,
  resolvers: {
    Issue: {
      weight: ({ json }: Thing<IssueRow, { weight?: number | null }>) => json.weight ?? null,
      async epic({ row, json }: Thing<IssueRow, object>, _args, request) {
        // Below premium the REST API has no epic either.
        if (row.epic_id === null || !('epic_iid' in json)) return null
        const load = remembered(epicLoaders, request, () => ids => visibleEpicsById(request.ctx.db, request.ctx.actor, ids))
        const epic = await request.byId(load, row.epic_id)
        return epic && (await request.group(epic.namespace_id)) ? request.show(Epic as never, epic) : null
      },
      async iteration({ row, json }: Thing<IssueRow, object>, _args, request) {
        if (row.iteration_id === null || !('weight' in json)) return null
        const load = remembered(iterationLoaders, request, () => ids => embeddedIterations(request.ctx.db, ids))
        const iteration = await request.byId(load, row.iteration_id)
        return iteration && (await request.group(iteration.namespace_id)) ? presentIteration(iteration, request.ctx) : null
      },
    },
    Epic: {
      id: ({ row }: Thing<EpicRow>) => globalId('Epic', row.id),
      group: ({ row }: Thing<EpicRow>, _args, request) => shownGroup(request, row.namespace_id),
      labels: ({ row }: Thing<EpicRow>, args: PageArgs, request) =>
        connectionOfKnown(request, args, () => labelsOfIds(request, row.label_ids)),
    },
    Iteration: {
      id: (iteration: IterationJson) => globalId('Iteration', jsonOf(iteration).id),
      state: (iteration: IterationJson) => states[jsonOf(iteration).state] ?? 'closed',
    },
  },
}
