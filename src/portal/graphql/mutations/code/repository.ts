/** Mutations of branches, commits, pipelines and jobs. */

import { Job } from '../../../../ci/jobs/entity.ts'
import type { JobRow } from '../../../../ci/jobs/queries.ts'
import { Pipeline } from '../../../../ci/pipelines/entity.ts'
import type { PipelineRow } from '../../../../ci/pipelines/queries.ts'
import { presentCommit } from '../../../../code/repository/commits/entity.ts'
import { requireCommits } from '../../../../platform/git/index.ts'
import type { Route } from '../../../../platform/kernel/declaration/endpoint.ts'
import { Refusal, sentenceOf, unprocessable } from '../../../../platform/kernel/errors.ts'
import { findRepository } from '../../../../spaces/projects/repository/store.ts'
import type { ProjectWithRole } from '../../../../spaces/projects/scope.ts'
import { numberIn } from '../../reading/ids.ts'
import type { Mutation, Mutations } from '../mutation.ts'
import { projectAt } from '../places.ts'
import { type MutationRun, type Payload, required, type Sent } from '../run.ts'

const BRANCH: Route = 'POST /projects/:id/repository/branches'
const COMMIT: Route = 'POST /projects/:id/repository/commits'

/** A commit of a project as the schema shows it. */
async function shownCommit({ ctx }: MutationRun, project: ProjectWithRole, id: string) {
  const repository = required(await findRepository(ctx.deps.storages, project))
  const [commit] = await requireCommits(repository, [id])
  return presentCommit(required(commit), project, ctx)
}

interface Action {
  readonly action: string
  readonly filePath: string
  readonly content?: string | null
  readonly previousPath?: string | null
  readonly lastCommitId?: string | null
  readonly executeFilemode?: boolean | null
  readonly encoding?: string | null
}

const actionOf = (action: Action) => ({
  action: action.action.toLowerCase(),
  file_path: action.filePath,
  content: action.content,
  previous_path: action.previousPath,
  last_commit_id: action.lastCommitId,
  execute_filemode: action.executeFilemode,
  encoding: action.encoding?.toLowerCase(),
})

/** Where a pipeline is. */
async function pipelinePlace({ ctx }: MutationRun, globalId: string): Promise<Sent> {
  const pipeline_id = numberIn('CiPipelineID', globalId)
  const row = await ctx.db.selectFrom('pipelines').select('project_id').where('id', '=', pipeline_id).executeTakeFirst()
  return { id: String(required(row).project_id), pipeline_id }
}

/** Where a job is. */
async function jobPlace({ ctx }: MutationRun, globalId: string): Promise<Sent> {
  const job_id = numberIn('CiBuildID', globalId)
  const row = await ctx.db.selectFrom('jobs').select('project_id').where('id', '=', job_id).executeTakeFirst()
  return { id: String(required(row).project_id), job_id }
}

const onPipeline = (says: string, route: Route, shows: boolean): Mutation => ({
  says,
  input: '"The pipeline" id: CiPipelineID!',
  payload: shows ? '"The pipeline after the mutation" pipeline: Pipeline' : '',
  runs: [route],
  async run({ id }: { id: string }, run) {
    const { result } = await run.perform(route, await pipelinePlace(run, id))
    return shows ? { pipeline: await run.request.show(Pipeline, result as PipelineRow) } : {}
  },
})

const shownJob = async ({ request }: MutationRun, row: unknown): Promise<Payload> => ({ job: await request.show(Job, row as JobRow) })

const onJob = (says: string, action: 'play' | 'retry' | 'cancel'): Mutation => {
  const route: Route = `POST /projects/:id/jobs/:job_id/${action}`
  return {
    says,
    input: '"The job" id: CiBuildID!',
    payload: '"The job after the mutation" job: CiJob',
    runs: [route],
    async run({ id }: { id: string }, run) {
      const place = await jobPlace(run, id)
      try {
        return await shownJob(run, (await run.perform(route, place)).result)
      } catch (error) {
        if (!(error instanceof Refusal) || error.kind !== 'forbidden') throw error
        // Of those who have the ability, the state of the job is refused.
        await run.subjects(route, place)
        throw unprocessable([sentenceOf(error).replace('403 Forbidden - ', '')])
      }
    },
    otherwise: async ({ id }: { id: string }, run) => shownJob(run, (await run.subjects(route, await jobPlace(run, id))).job),
  }
}

export const codeMutations: Mutations = {
  createBranch: {
    says: 'Create a branch',
    input: `
      "Full path of the project" projectPath: ID!
      "Name of the branch" name: String!
      "Branch, tag or commit that it begins at" ref: String!
    `,
    payload: '"The branch" branch: Branch',
    runs: [BRANCH],
    async run({ projectPath, name, ref }: { projectPath: string; name: string; ref: string }, run) {
      const { result } = await run.perform(BRANCH, { id: projectAt(projectPath), branch: name, ref })
      const branch = result as { readonly name: string; readonly commit: string; readonly project: ProjectWithRole }
      return { branch: { name: branch.name, commit: () => shownCommit(run, branch.project, branch.commit) } }
    },
  },
  commitCreate: {
    says: 'Create a commit',
    input: `
      "Full path of the project" projectPath: ID!
      "Branch that it is made on; created where it is missing" branch: String!
      "Branch that a new one begins at" startBranch: String
      "Message" message: String!
      "What it changes" actions: [CommitAction!]!
    `,
    payload: '"The commit" commit: Commit',
    runs: [COMMIT],
    async run(
      input: { projectPath: string; branch: string; startBranch?: string | null; message: string; actions: readonly Action[] },
      run,
    ) {
      const { result, subjects } = await run.perform(COMMIT, {
        id: projectAt(input.projectPath),
        branch: input.branch,
        start_branch: input.startBranch ?? undefined,
        commit_message: input.message,
        actions: input.actions.map(actionOf),
      })
      const { id } = (result as { commit?: { id: string }; id?: string }).commit ?? (result as { id: string })
      return { commit: await shownCommit(run, subjects.project as ProjectWithRole, id as string) }
    },
  },
  pipelineCancel: onPipeline('Cancel a pipeline', 'POST /projects/:id/pipelines/:pipeline_id/cancel', false),
  pipelineRetry: onPipeline('Run the jobs of a pipeline again that failed', 'POST /projects/:id/pipelines/:pipeline_id/retry', true),
  pipelineDestroy: onPipeline('Delete a pipeline', 'DELETE /projects/:id/pipelines/:pipeline_id', false),
  jobPlay: onJob('Start a manual job', 'play'),
  jobRetry: onJob('Run a job again', 'retry'),
  jobCancel: onJob('Cancel a job', 'cancel'),
}

export const codeTypes = `
  "A branch"
  type Branch {
    "Name"
    name: String!
    "The newest commit"
    commit: Commit
  }
  "A change of a file"
  input CommitAction {
    "What is done" action: CommitActionMode!
    "Path of the file" filePath: String!
    "New content" content: String
    "Path before a move" previousPath: String
    "The newest commit that changed the file, as the caller knows it" lastCommitId: String
    "Whether it can be executed" executeFilemode: Boolean
    "How the content is written" encoding: CommitEncoding
  }
  "What is done with a file"
  enum CommitActionMode {
    "Create it" CREATE
    "Delete it" DELETE
    "Move it" MOVE
    "Change its content" UPDATE
    "Change whether it can be executed" CHMOD
  }
  "How the content of a file is written"
  enum CommitEncoding {
    "As text" TEXT
    "In Base64" BASE64
  }
`
