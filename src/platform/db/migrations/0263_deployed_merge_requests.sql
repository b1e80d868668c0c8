-- The merge box shows where the commit of a merge request is deployed, and follows that: see 0186_live_merge_requests.
create index deployments_sha on deployments (project_id, sha, environment_id, id);

create function announce_deployed_merge_requests() returns trigger language plpgsql as $$
begin
  perform announce_change(watched.topic)
     from (select distinct topic from live_watches where topic like 'merge\_request:%' and expires_at > now()) as watched
     join merge_requests on merge_requests.id = split_part(watched.topic, ':', 2)::bigint
    where merge_requests.head_sha = new.sha and merge_requests.project_id = new.project_id;
  return null;
end $$;
create trigger announce_deployed_merge_requests after insert on deployments
  for each row execute function announce_deployed_merge_requests();
create trigger announce_moved_deployed_merge_requests after update of status on deployments
  for each row when (new.status is distinct from old.status) execute function announce_deployed_merge_requests();
create trigger announce_brought_merge_request after insert on deployment_merge_requests
  for each row execute function announce_change_of_merge_request();
