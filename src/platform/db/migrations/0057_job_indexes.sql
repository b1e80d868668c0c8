-- A job is written four times before it is over, each time with its place in every index that has one for it. What most jobs never have is
-- not indexed where they do not have it.
drop index jobs_erased_by, jobs_environment, jobs_resource_group, jobs_mirrored_pipeline, jobs_runner;
create index jobs_erased_by on jobs (erased_by_id) where erased_by_id is not null;
create index jobs_environment on jobs (environment_id, id) where environment_id is not null;
create index jobs_resource_group on jobs (resource_group_id, status, id) where resource_group_id is not null;
create index jobs_mirrored_pipeline on jobs (mirrored_pipeline_id) where mirrored_pipeline_id is not null;
create index jobs_runner on jobs (runner_id, id) where runner_id is not null;
alter table jobs drop constraint jobs_token_digest_key;
create unique index jobs_token_digest_key on jobs (token_digest) where token_digest is not null;

-- The same order as in jobs_project_kind, for one of the kinds.
drop index jobs_project;
