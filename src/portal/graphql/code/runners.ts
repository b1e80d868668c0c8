/** Runners, and repositories of images as mutations answer them. */
import { RunnerInFull } from '../../../ci/runners/entity.ts'
import type { RunnerRow } from '../../../ci/runners/queries.ts'
import { inRunner } from '../../../ci/runners/scope.ts'
import { Refusal } from '../../../platform/kernel/errors.ts'
import { numberIn } from '../reading/ids.ts'
import type { Part } from '../reading/part.ts'
import { globalId, type Thing } from '../reading/things.ts'

type Shown = Thing<RunnerRow>

export const runners: Part = {
  types: `
    extend type Query {
      "Find a runner"
      runner("Global ID of the runner" id: CiRunnerID!): CiRunner
    }

  "A repository of images"
  type ContainerRepository {
    "Global ID"
    id: ID!
    "Name below the path of the project"
    name: String!
    "Path of the image"
    path: String!
    "Path with the host of the registry"
    location: String!
    "When the first image was pushed"
    createdAt: Time!
    "When it was last changed"
    updatedAt: Time!
  }
  "Which jobs a runner takes"
  enum CiRunnerAccessLevel {
    "All" NOT_PROTECTED
    "Those of protected references" REF_PROTECTED
  }
  "Whom a runner serves"
  enum CiRunnerType {
    "The instance" INSTANCE_TYPE
    "A group" GROUP_TYPE
    "Projects" PROJECT_TYPE
  }
  "State of a runner"
  enum CiRunnerStatus {
    "It contacted the server lately" ONLINE
    "It did not" OFFLINE
    "It never did" NOT_CONNECTED
    "It takes no jobs" PAUSED
  }
  "A runner"
  type CiRunner {
    "Global ID"
    id: ID!
    "Description"
    description: String
    "Whom it serves"
    runnerType: CiRunnerType!
    "State"
    status: CiRunnerStatus!
    "Whether it takes jobs"
    active: Boolean!
    "Which jobs it takes"
    accessLevel: CiRunnerAccessLevel!
    "Whether it is locked to its projects"
    locked: Boolean
    "Whether it takes jobs without tags"
    runUntagged: Boolean!
    "Tags"
    tagList: [String!]
    "Longest time of a job, in seconds"
    maximumTimeout: Int
    "Version of the program"
    version: String
    "Revision of the program"
    revision: String
    "IP address"
    ipAddress: String
    "When it last contacted the server"
    contactedAt: Time
  }
  `,
  resolvers: {
    Query: {
      async runner(_, { id }: { id: string }, request) {
        if (!request.ctx.actor.user) return null
        try {
          const { runner } = await inRunner.load(request.ctx, { id: numberIn('CiRunnerID', id) })
          return request.show(RunnerInFull, runner)
        } catch (error) {
          if (error instanceof Refusal && (error.kind === 'not_found' || error.kind === 'forbidden')) return null
          throw error
        }
      },
    },
    CiRunner: {
      id: ({ row }: Shown) => globalId('Ci::Runner', row.id),
      runnerType: ({ row }: Shown) => row.runner_type.toUpperCase(),
      status: ({ json }: Thing<RunnerRow, { status: string }>) => json.status.toUpperCase(),
      accessLevel: ({ row }: Shown) => row.access_level.toUpperCase(),
    },
  },
}
