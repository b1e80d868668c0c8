-- Pipelines with their jobs, the runners that run them, and what jobs leave behind.

alter table iid_counters drop constraint iid_counters_noun_check;
alter table iid_counters add constraint iid_counters_noun_check
  check (noun in ('issue', 'milestone', 'iteration', 'epic', 'merge_request', 'deployment', 'pipeline'));

create table runners (
  id bigint generated always as identity primary key,
  runner_type text not null check (runner_type in ('instance_type', 'group_type', 'project_type')),
  token_digest text not null constraint runners_token_digest_key unique,
  -- The beginning of the token, by which people tell runners apart.
  short_token text not null,
  description text,
  -- Paused where not.
  active boolean not null default true,
  -- A runner of projects that no further project may have.
  locked boolean not null default false,
  run_untagged boolean not null default true,
  access_level text not null default 'not_protected' check (access_level in ('not_protected', 'ref_protected')),
  tags text[] not null default '{}',
  -- In seconds.
  maximum_timeout integer check (maximum_timeout >= 600),
  -- What it told of itself when it last asked.
  contacted_at timestamptz,
  ip_address text,
  name text,
  version text,
  revision text,
  platform text,
  architecture text,
  executor text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index runners_type on runners (runner_type, id);

-- The projects of a `project_type` runner; the first is its owner.
create table runner_projects (
  runner_id bigint not null references runners on delete cascade,
  project_id bigint not null references projects on delete cascade,
  created_at timestamptz not null default now(),
  primary key (runner_id, project_id)
);
create index runner_projects_project on runner_projects (project_id, runner_id);

-- The group of a `group_type` runner.
create table runner_groups (
  runner_id bigint primary key references runners on delete cascade,
  namespace_id bigint not null references namespaces on delete cascade
);
create index runner_groups_namespace on runner_groups (namespace_id, runner_id);

-- Pipelines that the clock starts.
create table pipeline_schedules (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  -- Whom its pipelines act for; null once the account is gone.
  owner_id bigint references users on delete set null,
  description text not null,
  ref text not null,
  cron text not null,
  cron_timezone text not null default 'UTC',
  active boolean not null default true,
  -- Null: the cron expression never comes round again.
  next_run_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index pipeline_schedules_project on pipeline_schedules (project_id, id);
create index pipeline_schedules_due on pipeline_schedules (next_run_at) where active;
create index pipeline_schedules_owner on pipeline_schedules (owner_id);

-- Tokens by which others start pipelines.
create table pipeline_triggers (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  owner_id bigint references users on delete cascade,
  description text,
  token_digest text not null constraint pipeline_triggers_token_digest_key unique,
  -- Encrypted: its owner may see it again.
  token text not null,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index pipeline_triggers_project on pipeline_triggers (project_id, id);
create index pipeline_triggers_owner on pipeline_triggers (owner_id);

create table pipelines (
  id bigint generated always as identity primary key,
  iid bigint not null,
  project_id bigint not null references projects on delete cascade,
  -- Null once the account is gone.
  user_id bigint references users on delete set null,
  -- A branch or tag; `refs/merge-requests/<iid>/head` of merge request pipelines.
  ref text not null,
  tag boolean not null default false,
  sha text not null,
  -- What the reference was before the push.
  before_sha text,
  source text not null check (source in (
    'push', 'web', 'trigger', 'schedule', 'api', 'external', 'pipeline', 'chat', 'webide', 'merge_request_event',
    'external_pull_request_event', 'parent_pipeline', 'ondemand_dast_scan', 'ondemand_dast_validation')),
  status text not null default 'created' check (status in (
    'created', 'waiting_for_resource', 'preparing', 'pending', 'running', 'success', 'failed', 'canceled', 'skipped', 'manual', 'scheduled')),
  -- What is wrong with the CI file, for a pipeline that has failed by that.
  yaml_errors text,
  failure_reason text check (failure_reason in (
    'config_error', 'external_validation_failure', 'user_not_verified', 'user_blocked', 'size_limit_exceeded', 'job_activity_limit_exceeded',
    'deployments_limit_exceeded', 'unknown_failure')),
  -- Was the branch or tag protected when the pipeline was made?
  protected boolean not null default false,
  -- Its artifacts outlive their expiry, as those of the latest successful pipeline of a reference (`keep_latest_artifact`).
  locked boolean not null default false,
  merge_request_id bigint references merge_requests on delete set null,
  schedule_id bigint references pipeline_schedules on delete set null,
  trigger_id bigint references pipeline_triggers on delete set null,
  auto_canceled_by_id bigint references pipelines on delete set null,
  -- The bridge that started it. A child where the source is `parent_pipeline`.
  upstream_job_id bigint,
  parent_id bigint references pipelines on delete cascade,
  -- Stages in their order, as the CI file has them.
  stages text[] not null default '{}',
  started_at timestamptz,
  finished_at timestamptz,
  -- In seconds: while jobs were running; until the first one was.
  duration integer,
  queued_duration integer,
  committed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint pipelines_iid_key unique (project_id, iid)
);
create index pipelines_project on pipelines (project_id, id);
create index pipelines_updated_at on pipelines (project_id, updated_at, id);
create index pipelines_status on pipelines (project_id, status, id);
create index pipelines_ref on pipelines (project_id, ref, id);
create index pipelines_ref_status on pipelines (project_id, ref, status, id);
create index pipelines_sha on pipelines (project_id, sha, id);
create index pipelines_user on pipelines (user_id, id);
create index pipelines_merge_request on pipelines (merge_request_id, id);
create index pipelines_schedule on pipelines (schedule_id, id);
create index pipelines_trigger on pipelines (trigger_id);
create index pipelines_auto_canceled_by on pipelines (auto_canceled_by_id);
create index pipelines_upstream on pipelines (upstream_job_id);
create index pipelines_parent on pipelines (parent_id);
create index pipelines_alive on pipelines (project_id, id)
  where status in ('created', 'waiting_for_resource', 'preparing', 'pending', 'running', 'scheduled');

-- One job of these may run at a time.
create table resource_groups (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  key text not null,
  process_mode text not null default 'unordered' check (process_mode in ('unordered', 'oldest_first', 'newest_first')),
  -- Who has it now.
  job_id bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint resource_groups_key_key unique (project_id, key)
);

-- Jobs that runners run, bridges that start other pipelines, and statuses that others report of a commit.
create table jobs (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  pipeline_id bigint not null references pipelines on delete cascade,
  kind text not null default 'build' check (kind in ('build', 'bridge', 'external')),
  name text not null,
  stage text not null,
  stage_position integer not null,
  status text not null default 'created' check (status in (
    'created', 'waiting_for_resource', 'preparing', 'pending', 'running', 'success', 'failed', 'canceled', 'skipped', 'manual', 'scheduled')),
  failure_reason text,
  exit_code integer,
  "when" text not null default 'on_success' check ("when" in ('on_success', 'on_failure', 'always', 'manual', 'delayed')),
  allow_failure boolean not null default false,
  -- What it waits for: the stages before it, or the jobs of `job_needs`.
  scheduling text not null default 'stage' check (scheduling in ('stage', 'dag')),
  user_id bigint references users on delete set null,
  runner_id bigint references runners on delete set null,
  -- Another job of the name has taken its place.
  retried boolean not null default false,
  -- How many of the name came before it by `retry:`.
  retries integer not null default 0,
  interruptible boolean not null default false,
  protected boolean not null default false,
  tags text[] not null default '{}',
  coverage double precision,
  environment_id bigint references environments on delete set null,
  -- With variables in place, as the job names it.
  environment text,
  resource_group_id bigint references resource_groups on delete set null,
  -- In seconds.
  timeout integer,
  -- The job as the plan of the pipeline has it (ci/config/plan.ts), without what has a column.
  options jsonb not null default '{}',
  -- Of the CI file: [{key, value}].
  variables jsonb not null default '[]',
  -- Its token: valid while it runs, found by its digest.
  token_digest text constraint jobs_token_digest_key unique,
  trace_size bigint not null default 0,
  artifacts_expire_at timestamptz,
  erased_at timestamptz,
  erased_by_id bigint references users on delete set null,
  -- When a delayed job is to begin.
  scheduled_at timestamptz,
  queued_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  -- When its runner last told of it.
  contacted_at timestamptz,
  -- Of reported statuses.
  target_url text,
  description text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
alter table pipelines add constraint pipelines_upstream_fkey foreign key (upstream_job_id) references jobs on delete set null;
alter table resource_groups add constraint resource_groups_job_fkey foreign key (job_id) references jobs on delete set null;
create index resource_groups_job on resource_groups (job_id);
create index jobs_pipeline on jobs (pipeline_id, id);
create index jobs_pipeline_name on jobs (pipeline_id, name, id);
create index jobs_project on jobs (project_id, id) where kind = 'build';
create index jobs_project_status on jobs (project_id, status, id) where kind = 'build';
create index jobs_project_kind on jobs (project_id, kind, id);
-- The queue that runners take from.
create index jobs_pending on jobs (project_id, id) where status = 'pending' and kind = 'build';
create index jobs_running on jobs (project_id) where status = 'running' and kind = 'build';
create index jobs_scheduled on jobs (scheduled_at) where status = 'scheduled';
create index jobs_watched on jobs (contacted_at) where status = 'running' and kind = 'build';
create index jobs_runner on jobs (runner_id, id);
create index jobs_user on jobs (user_id);
create index jobs_erased_by on jobs (erased_by_id);
create index jobs_environment on jobs (environment_id, id);
create index jobs_resource_group on jobs (resource_group_id, status, id);

-- Which jobs of the same pipeline a job needs.
create table job_needs (
  job_id bigint not null references jobs on delete cascade,
  name text not null,
  artifacts boolean not null default true,
  optional boolean not null default false,
  primary key (job_id, name)
);

-- What a person gave a job or a pipeline, or another job left for later ones.
create table run_variables (
  id bigint generated always as identity primary key,
  pipeline_id bigint references pipelines on delete cascade,
  schedule_id bigint references pipeline_schedules on delete cascade,
  job_id bigint references jobs on delete cascade,
  key text not null,
  -- Encrypted with the instance's key.
  value text not null,
  variable_type text not null default 'env_var' check (variable_type in ('env_var', 'file')),
  raw boolean not null default false,
  -- Of jobs: given by whoever played it, or by a `dotenv` report of the job itself, for those that come after it.
  source text not null default 'given' check (source in ('given', 'dotenv')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (num_nonnulls(pipeline_id, schedule_id, job_id) = 1)
);
create unique index run_variables_pipeline_key on run_variables (pipeline_id, key) where pipeline_id is not null;
create unique index run_variables_schedule_key on run_variables (schedule_id, key) where schedule_id is not null;
create unique index run_variables_job_key on run_variables (job_id, source, key) where job_id is not null;

-- A log while it is written; what is whole lies in the object store, as an artifact of type `trace`.
create table job_trace_chunks (
  job_id bigint not null references jobs on delete cascade,
  -- Where in the log it begins, in bytes.
  start bigint not null,
  bytes bytea not null,
  primary key (job_id, start)
);
alter table job_trace_chunks alter column bytes set storage external;

create table job_artifacts (
  id bigint generated always as identity primary key,
  job_id bigint not null references jobs on delete cascade,
  project_id bigint not null references projects on delete cascade,
  -- `archive`, `metadata`, `trace`, or the type of a report.
  file_type text not null,
  file_format text check (file_format in ('raw', 'zip', 'gzip')),
  filename text not null,
  object_id bigint not null references stored_objects,
  -- In bytes.
  size bigint not null check (size >= 0),
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  constraint job_artifacts_type_key unique (job_id, file_type)
);
create index job_artifacts_project on job_artifacts (project_id, id);
create index job_artifacts_object on job_artifacts (object_id);
create index job_artifacts_expires_at on job_artifacts (expires_at) where expires_at is not null;

-- Deployments that jobs make.
alter table deployments
  add column job_id bigint references jobs on delete set null,
  -- The job that stops the environment.
  add column on_stop text;
create index deployments_job on deployments (job_id);
alter table environments add column auto_stop_at timestamptz;
create index environments_auto_stop on environments (auto_stop_at) where auto_stop_at is not null and state = 'available';

-- Releases.
create table releases (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  tag text not null,
  name text,
  description text,
  sha text,
  author_id bigint references users on delete set null,
  released_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint releases_tag_key unique (project_id, tag)
);
create index releases_released_at on releases (project_id, released_at, id);
create index releases_created_at on releases (project_id, created_at, id);
create index releases_author on releases (author_id);

create table release_links (
  id bigint generated always as identity primary key,
  release_id bigint not null references releases on delete cascade,
  name text not null,
  url text not null,
  filepath text,
  link_type text not null default 'other' check (link_type in ('other', 'runbook', 'image', 'package')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint release_links_name_key unique (release_id, name),
  constraint release_links_url_key unique (release_id, url),
  constraint release_links_filepath_key unique (release_id, filepath)
);

create table release_milestones (
  release_id bigint not null references releases on delete cascade,
  milestone_id bigint not null references milestones on delete cascade,
  primary key (release_id, milestone_id)
);
create index release_milestones_milestone on release_milestones (milestone_id);

create table release_evidences (
  id bigint generated always as identity primary key,
  release_id bigint not null references releases on delete cascade,
  -- Of the summary.
  sha text not null,
  summary jsonb not null,
  collected_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index release_evidences_release on release_evidences (release_id, id);
