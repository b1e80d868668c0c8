-- Open pages of pipelines and jobs follow them (0152_live_pages): statuses, and what jobs write.
create or replace function announce_pipeline() returns trigger language plpgsql as $$
begin
  perform announce_change('pipelines:' || new.project_id);
  perform announce_change('pipeline:' || new.id);
  perform announce_change(watched.topic)
     from (select distinct topic from live_watches where topic like 'merge\_request:%' and expires_at > now()) as watched
     join merge_requests on merge_requests.id = split_part(watched.topic, ':', 2)::bigint
    where merge_requests.head_sha = new.sha;
  return null;
end $$;

create function announce_job() returns trigger language plpgsql as $$
begin
  perform announce_change('pipeline:' || new.pipeline_id);
  perform announce_change('job:' || new.id);
  return null;
end $$;
create trigger announce_new_job after insert on jobs for each row execute function announce_job();
create trigger announce_job after update of status, retried on jobs
  for each row when (old.status is distinct from new.status or old.retried is distinct from new.retried) execute function announce_job();

create function announce_trace() returns trigger language plpgsql as $$
begin
  perform announce_change('job:' || new.job_id);
  return null;
end $$;
create trigger announce_trace after insert or update on job_trace_chunks for each row execute function announce_trace();
