-- What CI did on each day (UTC), for the pages of usage: counted by the worker (src/ci/usage/counting.ts), so that a page reads a row for each day.
-- Of a project, of a group with the groups below it, or of the instance: then both ids are null.
create table ci_days (
  day date not null,
  project_id bigint references projects on delete cascade,
  namespace_id bigint references namespaces on delete cascade,
  -- Pipelines that were made on the day, by how they have ended so far.
  pipelines integer not null default 0,
  succeeded integer not null default 0,
  failed integer not null default 0,
  canceled integer not null default 0,
  -- Of pipelines that have ended: seconds that half of them, and 95 of 100, took at most.
  duration_p50 double precision,
  duration_p95 double precision,
  jobs integer not null default 0,
  failed_jobs integer not null default 0,
  -- Failed jobs that passed when they were run again on the same commit.
  flaky_jobs integer not null default 0,
  -- That jobs ran, in seconds.
  job_seconds bigint not null default 0,
  -- Seconds that jobs waited for a runner.
  queue_p50 double precision,
  queue_p95 double precision,
  constraint ci_days_of_one check (project_id is null or namespace_id is null)
);
create unique index ci_days_project on ci_days (project_id, day) include (job_seconds, pipelines, failed) where project_id is not null;
create unique index ci_days_namespace on ci_days (namespace_id, day) where namespace_id is not null;
create unique index ci_days_instance on ci_days (day) where project_id is null and namespace_id is null;
-- The projects that ran longest on a day.
create index ci_days_busiest on ci_days (day, job_seconds desc) where project_id is not null;
create index ci_days_day on ci_days (day);

-- What the jobs of a name did on a day: those that ran longest, and those that failed most.
create table ci_job_days (
  day date not null,
  project_id bigint not null references projects on delete cascade,
  -- Without the number of a parallel job.
  name text not null,
  runs integer not null,
  failed integer not null,
  flaky integer not null,
  -- That have run to their end, and how long they took together and at most.
  ended integer not null,
  seconds bigint not null,
  longest integer not null,
  primary key (project_id, day, name)
);
create index ci_job_days_day on ci_job_days (day);

-- Rows lie in the order of their time: this finds those of a day and costs next to nothing.
create index pipelines_days on pipelines using brin (created_at) with (pages_per_range = 32);
