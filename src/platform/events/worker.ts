/** The tasks that Ingot queues: work after the answer, in the background, repeated after a crash. */
import { Type } from 'typebox'
import {
  ARCHIVES_QUEUE,
  type JobOf,
  LARGE_ARCHIVES_QUEUE,
  ownerName,
  queueOf,
  remoteQueue,
  type Scheduled,
  type Tasks as TasksOf,
} from './queue.ts'

/** An archive that has given way to others before, and takes as long as it needs (integrations/archives/turns.ts). */
const large = Type.Optional(Type.Boolean())

/** To whom the attempts of a delivery belong (`turnOf`), for those that are made again. */
const turn_of = Type.Optional(Type.String())

/** Name and payload of every task; a wrong payload does not compile. */
export const payloads = {
  /** Delivers a recorded event to its listeners, or to the one that failed before; `quiet` if no hook watches. */
  deliver_event: Type.Object({ event_id: Type.Integer(), listener: Type.Optional(Type.String()), quiet: Type.Optional(Type.Boolean()) }),
  /** The same for the events of one change. */
  deliver_events: Type.Object({ event_ids: Type.Array(Type.Integer()), quiet: Type.Optional(Type.Boolean()) }),
  /** Completes or drops reference moves that a crash left between the journal and the record. */
  reconcile_references: Type.Object({}),
  /** Packs a repository when pushes have left many packs and loose objects. */
  tidy_repository: Type.Object({ project_id: Type.Integer(), always: Type.Optional(Type.Boolean()) }),
  /** Writes the index of a repository's history when pushes have brought many commits. */
  index_history: Type.Object({ project_id: Type.Integer() }),
  /** Copies the repository of a fork. */
  copy_fork: Type.Object({ project_id: Type.Integer(), source_id: Type.Integer() }),
  /** Removes the rows and repositories of a deleted group and its subgroups. */
  remove_group: Type.Object({ group_id: Type.Integer() }),
  /** Makes the archive of a project. */
  export_project: Type.Object({ project_id: Type.Integer(), request_key: Type.String(), large }),
  /** Makes the archive of a group. */
  export_group: Type.Object({ group_id: Type.Integer(), request_key: Type.String(), large }),
  /** Makes the archive of what is known of a user. */
  export_account: Type.Object({ user_id: Type.Integer(), request_key: Type.String(), large }),
  /** Imports the archive that a group was made for. */
  import_group: Type.Object({ group_id: Type.Integer(), large }),
  /** Imports the archive that a project was made for. */
  import_archive: Type.Object({ project_id: Type.Integer(), large }),
  /** Imports a repository of GitHub with its issues and pull requests. */
  import_github: Type.Object({ project_id: Type.Integer() }),
  /** Goes on with a group or project that is migrated from another server. */
  migrate_entity: Type.Object({ entity_id: Type.Integer() }),
  /** Fetches a repository from the import URL of its project. */
  import_project: Type.Object({ project_id: Type.Integer() }),
  /** Updates the statistics of a repository whose references have moved: commits, bytes, and whether it needs packing. */
  survey_repository: Type.Object({ project_id: Type.Integer() }),
  /** The same, as older releases queued it. */
  measure_repository: Type.Object({ project_id: Type.Integer() }),
  /** Detects the languages of the default branch. */
  survey_languages: Type.Object({ project_id: Type.Integer() }),
  /** Updates the merge requests from and to moved branches. */
  follow_push: Type.Object({
    project_id: Type.Integer(),
    actor_id: Type.Union([Type.Integer(), Type.Null()]),
    moves: Type.Array(Type.Object({ ref: Type.String(), old: Type.String(), new: Type.String() })),
  }),
  /** Merges a merge request as requested, if its source branch still exists. */
  merge_as_asked: Type.Object({
    merge_request_id: Type.Integer(),
    user_id: Type.Integer(),
    sha: Type.Union([Type.String(), Type.Null()]),
  }),
  /** Checks whether a merge request can be merged. */
  check_mergeability: Type.Object({ merge_request_id: Type.Integer() }),
  /** Checks the merge requests of a page that a user views. */
  check_merge_requests: Type.Object({ merge_request_ids: Type.Array(Type.Integer()) }),
  /** The same for the open merge requests of a target branch. */
  check_target_branch: Type.Object({ project_id: Type.Integer(), branch: Type.String() }),
  /** Rebases the source branch of a merge request, if that is still requested. */
  rebase_merge_request: Type.Object({
    merge_request_id: Type.Integer(),
    user_id: Type.Integer(),
    requested_at: Type.String(),
    skip_ci: Type.Boolean(),
  }),
  /** Moves the log of a finished job into the object store. */
  archive_trace: Type.Object({ job_id: Type.Integer() }),
  /** Finds logs of finished jobs that have not been archived. */
  archive_traces: Type.Object({}),
  /** Starts the jobs of a pipeline that are ready, and updates its status. */
  process_pipeline: Type.Object({ pipeline_id: Type.Integer() }),
  /** Finds pipelines whose jobs have changed and that have not been processed since. */
  process_noted_pipelines: Type.Object({}),
  /** Creates the pipeline of a pushed branch or tag. */
  start_pipeline: Type.Object({
    project_id: Type.Integer(),
    actor_id: Type.Integer(),
    move: Type.Object({ ref: Type.String(), old: Type.String(), new: Type.String() }),
    options: Type.Array(Type.String()),
    /** Identifies the request, because the task may run twice; absent in tasks of older releases. */
    request_key: Type.Optional(Type.String()),
  }),
  /** Creates the pipeline of a merge request whose CI file includes files of other servers. */
  start_merge_request_pipeline: Type.Object({ merge_request_id: Type.Integer(), user_id: Type.Integer() }),
  /** Cancels pipelines that a newer pipeline of the same reference has made redundant. */
  cancel_redundant_pipelines: Type.Object({ pipeline_id: Type.Integer() }),
  /** Starts the downstream pipeline of a bridge. */
  start_downstream: Type.Object({ job_id: Type.Integer() }),
  /** Fails jobs whose runner is lost, and jobs that no runner takes. */
  fail_lost_jobs: Type.Object({}),
  /** Starts a delayed job when its time has come. */
  start_delayed_job: Type.Object({ job_id: Type.Integer() }),
  /** Assigns a free resource to the next job that waits for it. */
  assign_resource: Type.Object({ resource_group_id: Type.Integer() }),
  /** Queues the pipeline schedules that are due. */
  run_schedules: Type.Object({}),
  /** Creates the pipeline of a schedule: for its owner when it is due, or for the user who plays it. */
  run_schedule: Type.Object({
    schedule_id: Type.Integer(),
    for: Type.Union([Type.Object({ due_at: Type.String() }), Type.Object({ user_id: Type.Integer() })]),
    /** Identifies the request, because the task may run twice; absent in tasks of older releases. */
    request_key: Type.Optional(Type.String()),
  }),
  /** Cancels the pending and running work of a user whose account is no longer active. */
  drop_work_of_user: Type.Object({
    user_id: Type.Integer(),
    /** The jobs that ran or waited for a deleted account: no row refers to it any more. */
    job_ids: Type.Optional(Type.Array(Type.Integer())),
  }),
  /** Records the evidence of a release as of now. */
  collect_evidence: Type.Object({ release_id: Type.Integer() }),
  /** Stops environments that have expired. */
  stop_expired_environments: Type.Object({}),
  /** Parses a test report of a job. */
  parse_test_report: Type.Object({ artifact_id: Type.Integer() }),
  /** Parses a report of a job about lines: coverage, code quality. */
  parse_line_report: Type.Object({ artifact_id: Type.Integer() }),
  /** Removes the artifacts of jobs that have expired. */
  remove_expired_artifacts: Type.Object({}),
  /** Counts what CI did today and yesterday. */
  count_ci_days: Type.Object({}),
  /** The same for the last week, and forgets days that are old. */
  recount_ci_days: Type.Object({}),
  /** Expires the artifacts of a project that existed at an instant. */
  expire_project_artifacts: Type.Object({ project_id: Type.Integer(), until: Type.String() }),
  /** Deletes the groups whose deletion delay has passed. */
  remove_marked_groups: Type.Object({}),
  /** Deletes the projects whose deletion delay has passed. */
  remove_marked_projects: Type.Object({}),
  /** Sends a mail that was written before. */
  send_mail: Type.Object({ mail_id: Type.Integer() }),
  /** Writes mails about issues that are due tomorrow. */
  mail_due_issues: Type.Object({}),
  /** Deletes mails that could not be sent for weeks, and links of mails that have ended. */
  sweep_mails: Type.Object({}),
  /** Queues the digests that are due. */
  queue_digests: Type.Object({}),
  /** Sends a user the notifications that they gathered, up to one. */
  send_digest: Type.Object({ user_id: Type.Integer(), last_id: Type.Integer() }),
  /** Writes mails about tokens and keys that end within a week. */
  mail_expiring: Type.Object({}),
  /** Writes the mail to someone who forgot their password, if the address is an account's. */
  send_password_reset: Type.Object({
    email: Type.String(),
    /** Where the request came from. */
    request: Type.Object({ id: Type.String(), ip: Type.String(), userAgent: Type.String() }),
  }),
  /** Writes the mail with a link that confirms an address, if an account waits with it. */
  send_confirmation: Type.Object({ email: Type.String(), request_id: Type.String() }),
  /** Writes the mail with a link that unlocks an account, if the address is of a locked one. */
  send_unlock: Type.Object({ email: Type.String(), ip: Type.String() }),
  /** Asks each directory about its people. */
  check_directories: Type.Object({}),
  /** Asks a directory about those of its people whose identity comes after this one, a number of them, and queues the rest. */
  check_directory_people: Type.Object({ provider: Type.String(), after: Type.Integer() }),
  /** Attempts a delivery to a hook. */
  send_to_hook: Type.Object({ delivery_id: Type.Integer(), turn_of }),
  /** Attempts what an integration is notified. */
  send_to_integration: Type.Object({ delivery_id: Type.Integer(), turn_of }),
  /** Brings a repository elsewhere up to date with its project. */
  push_mirror: Type.Object({ mirror_id: Type.Integer() }),
  /** Brings a project up to date with the repository that it pulls from. */
  pull_mirror: Type.Object({ project_id: Type.Integer() }),
  /** Queues the projects whose time to pull has come. */
  pull_due_mirrors: Type.Object({}),
  /** Serves the archive of a job as the site of its project, and says with a reported status how that went. */
  publish_site: Type.Object({ job_id: Type.Integer(), status_id: Type.Integer() }),
  /** Looks up the record that proves whose the domain of a site is. */
  verify_site_domain: Type.Object({ domain_id: Type.Integer() }),
  /** Queues the domains whose record is due, and removes those that were not verified in time. */
  verify_site_domains: Type.Object({}),
  /** Deletes old deliveries to hooks and integrations. */
  sweep_deliveries: Type.Object({}),
  /** Deletes entries of the audit log that are past the retention period. */
  sweep_audit_events: Type.Object({}),
  /** Deletes expired and revoked OAuth codes and tokens. */
  sweep_oauth_tokens: Type.Object({}),
  /** Reads again what the row of a snippet says of its repository. */
  refresh_snippet: Type.Object({ snippet_id: Type.Integer() }),
  /** Removes the repositories of deleted snippets. */
  remove_deleted_snippets: Type.Object({}),
  /** Deletes repositories without an owner. */
  sweep_repositories: Type.Object({}),
  /** Deletes stored objects that no row refers to any more. */
  drop_unused_objects: Type.Object({}),
  /** Deletes LFS objects that no project uses any more. */
  drop_unused_lfs_objects: Type.Object({}),
  /** Deletes what the container registry has and nothing names any more. */
  collect_container_garbage: Type.Object({}),
  /** Queues the projects whose expiration policies of images are due. */
  run_cleanup_policies: Type.Object({}),
  /** Removes the tags that the expiration policy of a project names. */
  run_cleanup_policy: Type.Object({ project_id: Type.Integer() }),
  /** Removes many tags of a repository of images, as a user has asked. */
  clean_up_container_repository: Type.Object({
    repository_id: Type.Integer(),
    user_id: Type.Integer(),
    cleanup: Type.Object({
      name_regex_delete: Type.String(),
      name_regex_keep: Type.Optional(Type.String()),
      keep_n: Type.Optional(Type.Integer()),
      older_than: Type.Optional(Type.String()),
    }),
  }),
  /** Deletes bytes in the object store that never got a row. */
  sweep_objects: Type.Object({}),
}

/** Tasks that run by the clock (UTC), on one of the workers. */
export const schedule: readonly Scheduled<typeof payloads>[] = [
  { task: 'reconcile_references', at: '* * * * *' },
  { task: 'stop_expired_environments', at: '* * * * *' },
  { task: 'remove_expired_artifacts', at: '* * * * *' },
  { task: 'run_schedules', at: '* * * * *' },
  { task: 'pull_due_mirrors', at: '* * * * *' },
  { task: 'process_noted_pipelines', at: '* * * * *' },
  { task: 'count_ci_days', at: '*/10 * * * *' },
  { task: 'recount_ci_days', at: '43 2 * * *' },
  { task: 'remove_deleted_snippets', at: '*/10 * * * *' },
  { task: 'remove_marked_projects', at: '7 3 * * *' },
  { task: 'remove_marked_groups', at: '9 3 * * *' },
  { task: 'verify_site_domains', at: '*/15 * * * *' },
  { task: 'archive_traces', at: '*/5 * * * *' },
  { task: 'fail_lost_jobs', at: '*/5 * * * *' },
  { task: 'check_directories', at: '13 * * * *' },
  { task: 'sweep_deliveries', at: '23 * * * *' },
  { task: 'sweep_audit_events', at: '51 3 * * *' },
  { task: 'sweep_oauth_tokens', at: '57 3 * * *' },
  { task: 'mail_expiring', at: '11 6 * * *' },
  { task: 'mail_due_issues', at: '50 0 * * *' },
  { task: 'queue_digests', at: '2 * * * *' },
  { task: 'sweep_mails', at: '3 4 * * *' },
  { task: 'sweep_repositories', at: '17 4 * * *' },
  { task: 'drop_unused_objects', at: '41 * * * *' },
  { task: 'drop_unused_lfs_objects', at: '29 * * * *' },
  { task: 'collect_container_garbage', at: '21 * * * *' },
  { task: 'run_cleanup_policies', at: '*/5 * * * *' },
  { task: 'sweep_objects', at: '37 4 * * *' },
]

/** The implementations of the tasks, for `startWorker`. */
export type Tasks = TasksOf<typeof payloads>

export const { enqueue, enqueueJobs, enqueuing, startWorker } = queueOf(payloads)

export { ARCHIVES_QUEUE, LARGE_ARCHIVES_QUEUE, ownerName, remoteQueue }

/** A job to be queued together with others. */
export type Job = JobOf<typeof payloads>
