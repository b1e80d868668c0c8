-- What jobs leave behind: when the clock looks at it, and what test reports say.

-- When the clock looks whether it may go: when it expires, or, where its pipeline keeps it then, some time later; null for never.
alter table job_artifacts add column sweep_at timestamptz;
drop index job_artifacts_expires_at;
create index job_artifacts_sweep_at on job_artifacts (sweep_at, id) where sweep_at is not null;

-- Pipelines that keep their artifacts, of which a later one takes over from an earlier one.
create index pipelines_locked on pipelines (project_id, ref, id) where locked;

-- The junit report of a job, as it was parsed.
create table test_reports (
  job_id bigint primary key references jobs on delete cascade,
  -- Counts of cases; seconds.
  success_count integer not null,
  failed_count integer not null,
  skipped_count integer not null,
  error_count integer not null,
  total_time double precision not null,
  -- Why it could not be read.
  suite_error text,
  -- In the order of the report, as the API shows them.
  cases json not null,
  created_at timestamptz not null default now()
);
