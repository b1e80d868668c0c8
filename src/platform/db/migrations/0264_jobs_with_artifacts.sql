-- Which jobs of a project have left artifacts other than their log, and how large those are together: the list of artifacts in each of its orders
-- is read by an index, however many there are. Triggers on `job_artifacts` write it.
create table jobs_with_artifacts (
  job_id bigint primary key references jobs on delete cascade,
  project_id bigint not null references projects on delete cascade,
  -- Of the pipeline.
  ref text not null,
  -- In bytes, together.
  size bigint not null,
  files integer not null
);
create index jobs_with_artifacts_age on jobs_with_artifacts (project_id, job_id);
create index jobs_with_artifacts_size on jobs_with_artifacts (project_id, size, job_id);
create index jobs_with_artifacts_ref on jobs_with_artifacts (project_id, ref, job_id);
create index jobs_with_artifacts_ref_size on jobs_with_artifacts (project_id, ref, size, job_id);

insert into jobs_with_artifacts (job_id, project_id, ref, size, files)
select a.job_id, a.project_id, pipelines.ref, sum(a.size), count(*)
  from job_artifacts a join jobs on jobs.id = a.job_id join pipelines on pipelines.id = jobs.pipeline_id
 where a.file_type <> 'trace'
 group by a.job_id, a.project_id, pipelines.ref;

create function count_added_artifacts() returns trigger language plpgsql as $$
begin
  insert into jobs_with_artifacts (job_id, project_id, ref, size, files)
  select a.job_id, a.project_id, pipelines.ref, sum(a.size), count(*)
    from added a join jobs on jobs.id = a.job_id join pipelines on pipelines.id = jobs.pipeline_id
   where a.file_type <> 'trace'
   group by a.job_id, a.project_id, pipelines.ref
   order by a.job_id
  on conflict (job_id) do update set size = jobs_with_artifacts.size + excluded.size, files = jobs_with_artifacts.files + excluded.files;
  return null;
end $$;
create trigger count_added_artifacts after insert on job_artifacts
  referencing new table as added for each statement execute function count_added_artifacts();

create function count_removed_artifacts() returns trigger language plpgsql as $$
begin
  -- Locked in the order of their ids, so that two removals wait for each other instead of deadlocking.
  perform from jobs_with_artifacts where job_id in (select job_id from removed where file_type <> 'trace') order by job_id for no key update;
  update jobs_with_artifacts listed set size = listed.size - gone.size, files = listed.files - gone.files
    from (select job_id, sum(size) as size, count(*) as files from removed where file_type <> 'trace' group by job_id) gone
   where listed.job_id = gone.job_id;
  delete from jobs_with_artifacts where files = 0 and job_id in (select job_id from removed);
  return null;
end $$;
create trigger count_removed_artifacts after delete on job_artifacts
  referencing old table as removed for each statement execute function count_removed_artifacts();
