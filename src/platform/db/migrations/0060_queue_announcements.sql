-- Whatever changes which jobs a runner may be handed is announced, so that runners that wait or ask again need not look in between
-- (src/ci/runner_protocol/waiting.ts). Jobs that come to be pending are announced already (`announce_pending_job`).

-- What it tells of itself, and when, is no such change.
create function announce_runner() returns trigger language plpgsql as $$
begin
  perform pg_notify('ingot_runner_queue', 'runner ' || old.id);
  return null;
end $$;
create trigger announce_runner
  after delete or update of runner_type, token_digest, description, active, locked, run_untagged, access_level, tags, maximum_timeout on runners
  for each row execute function announce_runner();

create function announce_place_of_runner() returns trigger language plpgsql as $$
begin
  perform pg_notify('ingot_runner_queue', 'runner ' || coalesce(new.runner_id, old.runner_id));
  return null;
end $$;
create trigger announce_project_of_runner after insert or delete on runner_projects for each row execute function announce_place_of_runner();
create trigger announce_group_of_runner after insert or delete on runner_groups for each row execute function announce_place_of_runner();

-- Jobs that wait are pending for other runners now.
create function announce_jobs_of_project() returns trigger language plpgsql as $$
begin
  perform pg_notify('ingot_runner_queue', id::text) from jobs where project_id = new.id and status = 'pending' and kind = 'build';
  return null;
end $$;
create trigger announce_jobs_of_project
  after update of namespace_id, shared_runners_enabled, builds_access_level, repository_access_level, archived, deleting on projects
  for each row
  when ((new.namespace_id, new.shared_runners_enabled, new.builds_access_level, new.repository_access_level, new.archived, new.deleting)
        is distinct from (old.namespace_id, old.shared_runners_enabled, old.builds_access_level, old.repository_access_level, old.archived, old.deleting))
  execute function announce_jobs_of_project();

create function announce_jobs_of_namespace() returns trigger language plpgsql as $$
begin
  perform pg_notify('ingot_runner_queue', jobs.id::text) from projects join jobs on jobs.project_id = projects.id
    where projects.namespace_id = new.id and jobs.status = 'pending' and jobs.kind = 'build';
  return null;
end $$;
create trigger announce_jobs_of_namespace after update of traversal_ids on namespaces
  for each row when (new.traversal_ids is distinct from old.traversal_ids) execute function announce_jobs_of_namespace();
