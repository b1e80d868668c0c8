-- Pages of environments list the deployments that wait for a person: their jobs become manual, and they themselves stay as they are.
-- See 0255_live_environments.
create trigger announce_waiting_deployment after update of status on jobs
  for each row when (old.status is distinct from new.status and new.environment_id is not null)
  execute function announce_in_project('environments');
