-- Open pages of milestones follow them (0152_live_pages): their attributes, and the issues and merge requests that are in them.
create function announce_milestone() returns trigger language plpgsql as $$
begin
  perform announce_change('milestone:' || new.id);
  return null;
end $$;
create trigger announce_milestone after update on milestones for each row execute function announce_milestone();

create function announce_planned() returns trigger language plpgsql as $$
begin
  if new.milestone_id is not null then
    perform announce_change('milestone:' || new.milestone_id);
  end if;
  if old.milestone_id is not null and old.milestone_id is distinct from new.milestone_id then
    perform announce_change('milestone:' || old.milestone_id);
  end if;
  return null;
end $$;
create trigger announce_newly_planned_issue after insert on issues
  for each row when (new.milestone_id is not null) execute function announce_planned();
create trigger announce_planned_issue after update on issues
  for each row when (old.updated_at is distinct from new.updated_at and coalesce(new.milestone_id, old.milestone_id) is not null)
  execute function announce_planned();
create trigger announce_deleted_planned_issue after delete on issues
  for each row when (old.milestone_id is not null) execute function announce_planned();
create trigger announce_newly_planned_merge_request after insert on merge_requests
  for each row when (new.milestone_id is not null) execute function announce_planned();
create trigger announce_planned_merge_request after update on merge_requests
  for each row when (old.updated_at is distinct from new.updated_at and coalesce(new.milestone_id, old.milestone_id) is not null)
  execute function announce_planned();
