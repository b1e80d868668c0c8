-- Open pages of pipeline schedules follow them and their pipelines: see 0152_live_pages.
create function announce_schedule() returns trigger language plpgsql as $$
begin
  perform announce_change('pipeline_schedules:' || coalesce(new.project_id, old.project_id));
  return null;
end $$;
create trigger announce_schedule after insert or update or delete on pipeline_schedules
  for each row execute function announce_schedule();
create trigger announce_scheduled_pipeline after insert on pipelines
  for each row when (new.schedule_id is not null) execute function announce_schedule();
create trigger announce_moved_scheduled_pipeline after update of status on pipelines
  for each row when (new.schedule_id is not null and new.status is distinct from old.status) execute function announce_schedule();
