-- Processing of pipelines reads what a move can change, and not every job of the pipeline each time.

-- Jobs that have come to a state which others may have their turn by, and whose pipeline has not been processed since.
create table unprocessed_jobs (
  job_id bigint primary key references jobs on delete cascade,
  pipeline_id bigint not null
);
create index unprocessed_jobs_pipeline on unprocessed_jobs (pipeline_id);

-- Which statuses there are in which stage is found by stepping from one to the next.
create index jobs_turns on jobs (pipeline_id, stage_position, status, allow_failure, scheduling) where not retried;

-- Who needs a job: by its pipeline, since names are common.
alter table job_needs add column pipeline_id bigint;
update job_needs set pipeline_id = jobs.pipeline_id from jobs where jobs.id = job_needs.job_id;
alter table job_needs alter column pipeline_id set not null;
create index job_needs_needed on job_needs (pipeline_id, name, job_id);
