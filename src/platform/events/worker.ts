/** The tasks that Ingot queues: the work that follows an answer, in the background and after a crash too. */
import { Type } from 'typebox'
import { type JobOf, queueOf, type Scheduled, type Tasks as TasksOf } from './queue.ts'

/** Name and payload of every task; a wrong payload does not compile. */
export const payloads = {
  /** Hands a recorded event to its listeners, or to the one that has failed before; `quiet` where no hook watches. */
  deliver_event: Type.Object({ event_id: Type.Integer(), listener: Type.Optional(Type.String()), quiet: Type.Optional(Type.Boolean()) }),
  /** The same for the events of one change. */
  deliver_events: Type.Object({ event_ids: Type.Array(Type.Integer()), quiet: Type.Optional(Type.Boolean()) }),
  /** Finishes or drops what a crash left between intended and recorded moves of references. */
  reconcile_references: Type.Object({}),
  /** Packs a repository where many pushes have left many pieces. */
  tidy_repository: Type.Object({ project_id: Type.Integer(), always: Type.Optional(Type.Boolean()) }),
  /** Fills the repository of a fork. */
  copy_fork: Type.Object({ project_id: Type.Integer(), source_id: Type.Integer() }),
  /** Removes the rows and repositories of a group that was deleted with all that is below it. */
  remove_group: Type.Object({ group_id: Type.Integer() }),
  /** Takes a repository over from the address that its project is imported from. */
  import_project: Type.Object({ project_id: Type.Integer() }),
  /** Finds out about a repository whose references have moved: its commits and bytes, its languages, whether it is to be packed. */
  survey_repository: Type.Object({ project_id: Type.Integer() }),
  /** Parts of that, as older releases queued them. */
  measure_repository: Type.Object({ project_id: Type.Integer() }),
  survey_languages: Type.Object({ project_id: Type.Integer() }),
  /** Follows moved branches in the merge requests from and to them. */
  follow_push: Type.Object({
    project_id: Type.Integer(),
    actor_id: Type.Union([Type.Integer(), Type.Null()]),
    moves: Type.Array(Type.Object({ ref: Type.String(), old: Type.String(), new: Type.String() })),
  }),
  /** Merges a merge request as somebody has asked for, if its source branch is still there. */
  merge_as_asked: Type.Object({
    merge_request_id: Type.Integer(),
    user_id: Type.Integer(),
    sha: Type.Union([Type.String(), Type.Null()]),
  }),
  /** Finds out whether a merge request can be merged. */
  check_mergeability: Type.Object({ merge_request_id: Type.Integer() }),
  /** Has those of a page that somebody looks at checked. */
  check_merge_requests: Type.Object({ merge_request_ids: Type.Array(Type.Integer()) }),
  /** The same for those that are open for a branch. */
  check_target_branch: Type.Object({ project_id: Type.Integer(), branch: Type.String() }),
  /** Rebases the source branch of a merge request, if that is still to be done. */
  rebase_merge_request: Type.Object({
    merge_request_id: Type.Integer(),
    user_id: Type.Integer(),
    requested_at: Type.String(),
    skip_ci: Type.Boolean(),
  }),
  /** Puts the log of a job that is over into the object store. */
  archive_trace: Type.Object({ job_id: Type.Integer() }),
  /** Finds logs of such jobs that nobody has put there. */
  archive_traces: Type.Object({}),
  /** Moves the jobs of a pipeline whose turn has come, and follows with its status. */
  process_pipeline: Type.Object({ pipeline_id: Type.Integer() }),
  /** Finds pipelines whose jobs have moved and that nobody has processed since. */
  process_noted_pipelines: Type.Object({}),
  /** Makes the pipeline of a branch or tag that was pushed. */
  start_pipeline: Type.Object({
    project_id: Type.Integer(),
    actor_id: Type.Integer(),
    move: Type.Object({ ref: Type.String(), old: Type.String(), new: Type.String() }),
    options: Type.Array(Type.String()),
    /** Names the asking, for it may run twice; absent in tasks of older releases. */
    request_key: Type.Optional(Type.String()),
  }),
  /** Cancels what a newer pipeline of the same reference has made redundant. */
  cancel_redundant_pipelines: Type.Object({ pipeline_id: Type.Integer() }),
  /** Starts the pipeline that a bridge is for. */
  start_downstream: Type.Object({ job_id: Type.Integer() }),
  /** Fails jobs whose runner is lost, and those that no runner takes. */
  fail_lost_jobs: Type.Object({}),
  /** Starts a delayed job whose time has come. */
  start_delayed_job: Type.Object({ job_id: Type.Integer() }),
  /** Gives a resource that is free to the next job that waits for it. */
  assign_resource: Type.Object({ resource_group_id: Type.Integer() }),
  /** Queues the pipeline schedules that are due. */
  run_schedules: Type.Object({}),
  /** Makes the pipeline of a schedule: for its owner, because it is due, or for somebody who plays it. */
  run_schedule: Type.Object({
    schedule_id: Type.Integer(),
    for: Type.Union([Type.Object({ due_at: Type.String() }), Type.Object({ user_id: Type.Integer() })]),
    /** Names the asking, for it may run twice; absent in tasks of older releases. */
    request_key: Type.Optional(Type.String()),
  }),
  /** Ends what waits to be done, or runs, in the name of a user whose account is no longer active. */
  drop_work_of_user: Type.Object({
    user_id: Type.Integer(),
    /** The jobs that ran or waited for them, where the account was deleted: no row says so any more. */
    job_ids: Type.Optional(Type.Array(Type.Integer())),
  }),
  /** Writes down what a release consists of at this moment. */
  collect_evidence: Type.Object({ release_id: Type.Integer() }),
  /** Stops environments whose time has run out. */
  stop_expired_environments: Type.Object({}),
  /** Reads a test report that a job has left. */
  parse_test_report: Type.Object({ artifact_id: Type.Integer() }),
  /** Removes the artifacts of jobs that have expired. */
  remove_expired_artifacts: Type.Object({}),
  /** Lets the artifacts of a project expire that were there at an instant. */
  expire_project_artifacts: Type.Object({ project_id: Type.Integer(), until: Type.String() }),
  /** Deletes the projects that were marked for deletion long enough ago. */
  remove_marked_projects: Type.Object({}),
  /** Makes an attempt at sending something to a hook. */
  send_to_hook: Type.Object({ delivery_id: Type.Integer() }),
  /** Deletes what is kept of old deliveries to hooks. */
  sweep_deliveries: Type.Object({}),
  /** Deletes entries of the audit log that are older than the instance keeps them. */
  sweep_audit_events: Type.Object({}),
  /** Deletes repositories that belong to no project. */
  sweep_repositories: Type.Object({}),
  /** Deletes stored objects that no row names any more. */
  drop_unused_objects: Type.Object({}),
  /** Deletes LFS objects that no project has any more. */
  drop_unused_lfs_objects: Type.Object({}),
  /** Deletes bytes in the object store that never got a row. */
  sweep_objects: Type.Object({}),
}

/** Tasks that run by the clock (UTC), on one of the workers. */
export const schedule: readonly Scheduled<typeof payloads>[] = [
  { task: 'reconcile_references', at: '* * * * *' },
  { task: 'stop_expired_environments', at: '* * * * *' },
  { task: 'remove_expired_artifacts', at: '* * * * *' },
  { task: 'run_schedules', at: '* * * * *' },
  { task: 'process_noted_pipelines', at: '* * * * *' },
  { task: 'remove_marked_projects', at: '7 3 * * *' },
  { task: 'archive_traces', at: '*/5 * * * *' },
  { task: 'fail_lost_jobs', at: '*/5 * * * *' },
  { task: 'sweep_deliveries', at: '23 * * * *' },
  { task: 'sweep_audit_events', at: '51 3 * * *' },
  { task: 'sweep_repositories', at: '17 4 * * *' },
  { task: 'drop_unused_objects', at: '41 * * * *' },
  { task: 'drop_unused_lfs_objects', at: '29 * * * *' },
  { task: 'sweep_objects', at: '37 4 * * *' },
]

/** What the tasks do, to be given to `startWorker`. */
export type Tasks = TasksOf<typeof payloads>

export const { enqueue, enqueueJobs, enqueuing, startWorker } = queueOf(payloads)

/** A job to be queued together with others. */
export type Job = JobOf<typeof payloads>
