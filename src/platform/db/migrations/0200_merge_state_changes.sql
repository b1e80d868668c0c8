-- When the merge check or a rebase last changed a merge request: neither is a change by a person, so `updated_at` stays. A page that was made
-- before, and whose stream opens after it, finds out by this that it is outdated (src/portal/merge_requests/live.ts).
alter table merge_requests add column merge_state_changed_at timestamptz;

create function note_merge_state() returns trigger language plpgsql as $$
begin
  new.merge_state_changed_at := clock_timestamp();
  return new;
end $$;
create trigger note_merge_state before update of merge_status, rebase_requested_at, merge_error, merge_when_pipeline_succeeds on merge_requests
  for each row when ((old.merge_status, old.rebase_requested_at, old.merge_error, old.merge_when_pipeline_succeeds)
    is distinct from (new.merge_status, new.rebase_requested_at, new.merge_error, new.merge_when_pipeline_succeeds))
  execute function note_merge_state();
