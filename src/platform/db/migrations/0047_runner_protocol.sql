-- What runners and the server tell each other of jobs.

-- The instance has a token of its own: the row that names neither group nor project.
alter table runners_tokens drop constraint runners_tokens_check;
alter table runners_tokens add constraint runners_tokens_check check (num_nonnulls(namespace_id, project_id) <= 1);
create unique index runners_tokens_instance_key on runners_tokens ((true)) where namespace_id is null and project_id is null;

alter table jobs
  -- Of the token that its runner was given: tells that runner how the job ended when the token opens nothing any more.
  add column handed_out_digest text,
  -- Of the log so far: CRC-32 (IEEE).
  add column trace_checksum bigint not null default 0,
  -- When its runner first said that it is over and the log was not the one the runner has.
  add column disputed_at timestamptz;

alter table plan_limits
  -- In megabytes.
  add column ci_jobs_trace_size_limit integer not null default 100 check (ci_jobs_trace_size_limit >= 0);

-- Wakes the runners that wait (src/ci/runner_protocol/waiting.ts), however a job came to be pending.
create function announce_pending_job() returns trigger language plpgsql as $$
begin
  perform pg_notify('ingot_runner_queue', new.id::text);
  return null;
end $$;
create trigger announce_pending_job after insert or update of status on jobs
  for each row when (new.status = 'pending' and new.kind = 'build') execute function announce_pending_job();
