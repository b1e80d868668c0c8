/** Pipelines and jobs. */
import { Job } from '../../../ci/jobs/entity.ts'
import { jobsOfPipeline, jobsOfProject } from '../../../ci/jobs/lists/lists.ts'
import type { JobRow } from '../../../ci/jobs/queries.ts'
import { Pipeline as ShownPipeline } from '../../../ci/pipelines/entity.ts'
import { pipelinesOfProject } from '../../../ci/pipelines/lists/lists.ts'
import { pipelines as allPipelines, type PipelineRow } from '../../../ci/pipelines/queries.ts'
import { type JobStatus, jobMachine } from '../../../ci/states.ts'
import type { Ability } from '../../../platform/access/abilities.ts'
import { given, inProjectFor, listInProjectFor, permissionFields, permissionResolvers } from '../reading/access.ts'
import { connectionOf, connectionOfKnown, emptyConnection, type PageArgs } from '../reading/connections.ts'
import type { Part } from '../reading/part.ts'
import { globalId, type Thing } from '../reading/things.ts'
import { shownProject } from '../spaces/projects.ts'

export { ShownPipeline }

const isActive = (status: JobStatus) => ['waiting_for_resource', 'preparing', 'pending', 'running'].includes(status)
const isComplete = (status: JobStatus) => ['success', 'failed', 'canceled', 'skipped'].includes(status)
/** Of a pipeline and of a job alike: what has not ended can be canceled. */
const isCancelable = (status: JobStatus) => isActive(status) || status === 'created' || status === 'scheduled'

interface PipelinesArgs extends PageArgs {
  readonly status?: string | null
  readonly ref?: string | null
  readonly sha?: string | null
  readonly source?: string | null
}

interface JobsArgs extends PageArgs {
  readonly statuses?: readonly string[] | null
}

const statusesOf = ({ statuses }: JobsArgs) => statuses?.map(status => status.toLowerCase() as JobStatus)

/** The permissions on a pipeline, with their abilities. */
const permissions = {
  updatePipeline: 'update_pipeline',
  adminPipeline: 'update_pipeline',
  destroyPipeline: 'destroy_pipeline',
} as const satisfies Record<string, Ability>

type Shown = Thing<PipelineRow>
type ShownJob<Json = unknown> = Thing<JobRow, Json>

const statusValues = (name: string) => `
  "Status of a ${name}"
  enum ${name === 'job' ? 'CiJobStatus' : 'PipelineStatusEnum'} {
    ${jobMachine.states.map(state => `"${state.replaceAll('_', ' ')}" ${state.toUpperCase()}`).join('\n')}
  }
`

export const pipelines: Part = {
  types: `
    extend type Project {
      "A pipeline, by its number or its commit"
      pipeline("Number of the pipeline within the project" iid: ID, "ID of the commit" sha: String): Pipeline
      "Pipelines, the newest first"
      pipelines(
        "Status of the pipelines" status: PipelineStatusEnum
        "Branch or tag" ref: String
        "ID of the commit" sha: String
        "What caused them" source: String
      ): PipelineConnection
      "Jobs, the newest first"
      jobs("Statuses of the jobs" statuses: [CiJobStatus!]): CiJobConnection
    }
    "A pipeline"
    type Pipeline {
      "Global ID"
      id: ID!
      "Number within the project"
      iid: String!
      "ID of the commit"
      sha: String!
      "Commit before the push"
      beforeSha: String
      "Branch or tag"
      ref: String
      "What caused it"
      source: String
      "Status"
      status: PipelineStatusEnum!
      "Status as pages show it"
      detailedStatus: DetailedStatus!
      "Whether it has ended"
      complete: Boolean!
      "Whether it is under way"
      active: Boolean!
      "Whether jobs can be retried"
      retryable: Boolean!
      "Whether it can be canceled"
      cancelable: Boolean!
      "Time that its jobs ran, in seconds"
      duration: Int
      "Coverage in percent"
      coverage: Float
      "When it was created"
      createdAt: Time!
      "When it was last changed"
      updatedAt: Time!
      "When it began"
      startedAt: Time
      "When it ended"
      finishedAt: Time
      "When its commit was made"
      committedAt: Time
      "Who started it"
      user: UserCore
      "Path of the page for people"
      path: String
      "The project"
      project: Project
      "Jobs, the newest first"
      jobs("Statuses of the jobs" statuses: [CiJobStatus!], "Jobs that were retried too" retried: Boolean = false): CiJobConnection
      "What the caller may do"
      userPermissions: PipelinePermissions!
    }
    "What the caller may do with a pipeline"
    type PipelinePermissions {
      ${permissionFields(permissions)}
    }
    "A status as pages show it"
    type DetailedStatus {
      "Path of the page"
      detailsPath: String
      "Path of the small icon"
      favicon: String
      "Group of similar states"
      group: String
      "Whether there is a page"
      hasDetails: Boolean
      "Name of the icon"
      icon: String
      "Label"
      label: String
      "Text"
      text: String
      "Tooltip"
      tooltip: String
    }
    ${statusValues('pipeline')}
    ${statusValues('job')}
    "A job"
    type CiJob {
      "Global ID"
      id: ID!
      "Name"
      name: String
      "Status"
      status: CiJobStatus
      "Stage"
      stage: CiStage
      "Whether the pipeline passes when it fails"
      allowFailure: Boolean!
      "Branch or tag"
      refName: String
      "First characters of the commit"
      shortSha: String!
      "Tags that the runner must have"
      tags: [String!]
      "Coverage in percent"
      coverage: Float
      "Time it ran, in seconds"
      duration: Int
      "Whether it is under way"
      active: Boolean!
      "Whether it waits for people to start it"
      manualJob: Boolean
      "Whether it can be started by people"
      playable: Boolean!
      "Whether it can be retried"
      retryable: Boolean!
      "Whether it can be canceled"
      cancelable: Boolean!
      "When it was created"
      createdAt: Time!
      "When it was queued"
      queuedAt: Time
      "When it began"
      startedAt: Time
      "When it ended"
      finishedAt: Time
      "Path of the page for people"
      webPath: String
      "Files that it stored"
      artifacts: CiJobArtifactConnection
      "The pipeline"
      pipeline: Pipeline
    }
    "A stage of a pipeline"
    type CiStage {
      "Name"
      name: String
    }
    "A file that a job stored"
    type CiJobArtifact {
      "Kind of the file"
      fileType: String
      "Name of the file"
      name: String
      "Size in bytes"
      size: BigInt
    }
  `,
  resolvers: {
    Project: {
      pipeline: inProjectFor<{ iid?: string | null; sha?: string | null }>('read_pipeline', async (project, { iid, sha }, request) => {
        const ofProject = allPipelines(request.ctx.db).where('pipelines.project_id', '=', project.id)
        if (iid != null && !/^\d{1,9}$/.test(iid)) return null
        const named = iid == null ? ofProject.where('pipelines.sha', '=', sha ?? '') : ofProject.where('pipelines.iid', '=', Number(iid))
        const row = await named.orderBy('pipelines.id', 'desc').limit(1).executeTakeFirst()
        return row ? request.show(ShownPipeline, row) : null
      }),
      pipelines: listInProjectFor<PipelinesArgs>('read_pipeline', (project, { status, ref, sha, source, ...args }, request) =>
        connectionOf(request, args, 'pipelines', ShownPipeline, () =>
          pipelinesOfProject(request.ctx, project, {
            status: status?.toLowerCase() as JobStatus | undefined,
            ref: given(ref),
            sha: given(sha),
            source: given(source) as never,
            order_by: 'id',
            sort: 'desc',
          }),
        ),
      ),
      jobs: listInProjectFor<JobsArgs>('read_job', (project, args, request) =>
        connectionOf(request, args, 'jobs', Job, () => jobsOfProject(request.ctx.db, project.id, statusesOf(args))),
      ),
    },
    Pipeline: {
      id: ({ row }: Shown) => globalId('Ci::Pipeline', row.id),
      status: ({ row }: Shown) => row.status.toUpperCase(),
      complete: ({ row }: Shown) => isComplete(row.status),
      active: ({ row }: Shown) => isActive(row.status),
      retryable: ({ row }: Shown) => row.status === 'failed' || row.status === 'canceled',
      cancelable: ({ row }: Shown) => isCancelable(row.status),
      path: ({ row }: Shown) => `/${row.project_path}/-/pipelines/${row.id}`,
      project: ({ row }: Shown, _args, request) => shownProject(request, row.project_id),
      async jobs({ row }: Shown, { statuses, retried, ...args }: JobsArgs & { retried?: boolean | null }, request) {
        const project = await request.project(row.project_id)
        if (!project || !request.may('read_job', project)) return emptyConnection(request, args)
        return connectionOf(request, args, 'jobs', Job, () =>
          jobsOfPipeline(request.ctx.db, row.id, { scope: statusesOf({ statuses }), include_retried: retried ?? false }),
        )
      },
      userPermissions: async ({ row }: Shown, _args, request) => {
        const project = await request.project(row.project_id)
        return (ability: Ability) => project !== undefined && request.may(ability, project)
      },
    },
    PipelinePermissions: permissionResolvers(permissions),
    CiJob: {
      id: ({ row }: ShownJob) => globalId(row.kind === 'bridge' ? 'Ci::Bridge' : 'Ci::Build', row.id),
      status: ({ row }: ShownJob) => row.status.toUpperCase(),
      stage: ({ row }: ShownJob) => ({ name: row.stage }),
      refName: ({ json }: ShownJob<{ ref: string }>) => json.ref,
      shortSha: ({ json }: ShownJob<{ pipeline: { sha: string } }>) => json.pipeline.sha.slice(0, 8),
      duration: ({ json }: ShownJob<{ duration: number | null }>) => (json.duration === null ? null : Math.round(json.duration)),
      active: ({ row }: ShownJob) => isActive(row.status),
      manualJob: ({ row }: ShownJob) => row.when === 'manual',
      playable: ({ row }: ShownJob) => row.status === 'manual' || row.status === 'scheduled',
      retryable: ({ row }: ShownJob) => !row.retried && ['success', 'failed', 'canceled'].includes(row.status),
      cancelable: ({ row }: ShownJob) => isCancelable(row.status),
      webPath: ({ json }: ShownJob<{ web_url: string }>, _args, { ctx }) => json.web_url.slice(ctx.url.length),
      artifacts: ({ json }: ShownJob<{ artifacts: unknown[] }>, args, request) => connectionOfKnown(request, args, () => json.artifacts),
      async pipeline({ row }: ShownJob, _args, request) {
        const pipeline = await request.byId(request.pipelines, row.pipeline_id)
        return pipeline ? request.show(ShownPipeline, pipeline) : null
      },
    },
    CiJobArtifact: {
      fileType: ({ file_type }: { file_type: string }) => file_type.toUpperCase(),
      name: ({ filename }: { filename: string }) => filename,
    },
  },
}
