-- Open pages of merge requests follow them (0152_live_pages): their attributes, notes, reactions, approvals and pipelines.
create function announce_merge_request() returns trigger language plpgsql as $$
begin
  perform announce_change('merge_request:' || new.id);
  perform announce_change('merge_requests:' || new.project_id);
  return null;
end $$;
create trigger announce_new_merge_request after insert on merge_requests for each row execute function announce_merge_request();
create trigger announce_merge_request after update on merge_requests
  for each row when (old.* is distinct from new.*) execute function announce_merge_request();

create function announce_change_of_merge_request() returns trigger language plpgsql as $$
begin
  perform announce_change('merge_request:' || coalesce(new.merge_request_id, old.merge_request_id));
  return null;
end $$;
create trigger announce_new_review_note after insert on notes
  for each row when (new.merge_request_id is not null) execute function announce_change_of_merge_request();
create trigger announce_changed_review_note after update on notes
  for each row when (new.merge_request_id is not null) execute function announce_change_of_merge_request();
create trigger announce_deleted_review_note after delete on notes
  for each row when (old.merge_request_id is not null) execute function announce_change_of_merge_request();
create trigger announce_approval after insert or delete on approvals for each row execute function announce_change_of_merge_request();

create or replace function announce_reaction() returns trigger language plpgsql as $$
declare
  issue bigint := coalesce(new.issue_id, old.issue_id);
  merge_request bigint := coalesce(new.merge_request_id, old.merge_request_id);
begin
  if coalesce(new.note_id, old.note_id) is not null then
    select notes.issue_id, notes.merge_request_id into issue, merge_request from notes where id = coalesce(new.note_id, old.note_id);
  end if;
  if issue is not null then
    perform announce_change('issue:' || issue);
  end if;
  if merge_request is not null then
    perform announce_change('merge_request:' || merge_request);
  end if;
  return null;
end $$;

-- A pipeline's status shows in the merge boxes of the merge requests with its commit: those that are watched are few, so they come first.
create function announce_pipeline() returns trigger language plpgsql as $$
begin
  perform announce_change(watched.topic)
     from (select distinct topic from live_watches where topic like 'merge\_request:%' and expires_at > now()) as watched
     join merge_requests on merge_requests.id = split_part(watched.topic, ':', 2)::bigint
    where merge_requests.head_sha = new.sha;
  return null;
end $$;
create trigger announce_new_pipeline after insert on pipelines for each row execute function announce_pipeline();
create trigger announce_pipeline after update of status on pipelines
  for each row when (old.status is distinct from new.status) execute function announce_pipeline();
