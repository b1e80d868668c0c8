-- The pages of a hook follow what is sent to it. See 0152_live_pages.
alter table hook_deliveries add column updated_at timestamptz not null default now();

create function announce_hook() returns trigger language plpgsql as $$
begin
  perform announce_change('hook:' || new.hook_id);
  return null;
end $$;
create trigger announce_hook after insert or update on hook_deliveries for each row execute function announce_hook();
