-- Open pages follow environments and what is deployed there: see 0152_live_pages.
create function announce_environment() returns trigger language plpgsql as $$
begin
  perform announce_change('environments:' || coalesce(new.project_id, old.project_id));
  return null;
end $$;
create trigger announce_environment after insert or update or delete on environments
  for each row execute function announce_environment();
create trigger announce_deployment after insert or delete on deployments for each row execute function announce_environment();
create trigger announce_moved_deployment after update of status on deployments
  for each row when (new.status is distinct from old.status) execute function announce_environment();

-- The newest deployment of each kind to an environment, and the unfinished ones.
create index deployments_unfinished on deployments (environment_id, id) where status in ('created', 'running');
-- Pages list the environments of a state by name.
create index environments_state_name on environments (project_id, state, name);
