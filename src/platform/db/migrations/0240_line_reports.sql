-- What reports of jobs say of lines: parsed once, by the worker. The rows go with their artifact.
create table line_reports (
  artifact_id bigint primary key references job_artifacts on delete cascade,
  -- Why it, or a part of it, could not be read.
  error text,
  created_at timestamptz not null default now()
);

-- Coverage (`cobertura`): which lines of a file ran, and how often.
create table coverage_files (
  artifact_id bigint not null references line_reports on delete cascade,
  path text not null,
  lines integer[] not null,
  hits integer[] not null,
  primary key (artifact_id, path)
);

-- Findings of code quality (`codequality`), in the order of the report.
create table code_quality_findings (
  artifact_id bigint not null references line_reports on delete cascade,
  number integer not null,
  fingerprint text not null,
  path text not null,
  line integer not null,
  severity text not null,
  check_name text,
  description text not null,
  primary key (artifact_id, number)
);
create index code_quality_findings_fingerprint on code_quality_findings (artifact_id, fingerprint);
create index code_quality_findings_path on code_quality_findings (artifact_id, path);

-- A report that was read shows in the merge boxes of the merge requests with its commit.
create function announce_report() returns trigger language plpgsql as $$
begin
  perform announce_change('merge_request:' || watched.id)
     from (select distinct split_part(topic, ':', 2)::bigint as id from live_watches
            where topic like 'merge\_request:%' and expires_at > now()) as watched
     join merge_requests on merge_requests.id = watched.id
     join pipelines on pipelines.sha = merge_requests.head_sha
     join jobs on jobs.pipeline_id = pipelines.id
     join job_artifacts on job_artifacts.job_id = jobs.id
    where job_artifacts.id = new.artifact_id;
  return null;
end $$;
create trigger announce_report after insert on line_reports for each row execute function announce_report();
