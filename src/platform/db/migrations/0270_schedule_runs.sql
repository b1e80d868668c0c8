-- What came of the last run of a schedule: without errors it made a pipeline.
alter table pipeline_schedules add column last_run_at timestamptz;
alter table pipeline_schedules add column last_run_errors text[] not null default '{}';
