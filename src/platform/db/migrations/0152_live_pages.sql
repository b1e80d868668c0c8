-- Things that open pages show now, by the process that serves them (src/platform/pages/live). A change is announced only while it is
-- watched: announcing costs each commit a lock that all share. Rows of a process that died expire; a crash of the database may empty the
-- table, and processes register again with their new connection.
create unlogged table live_watches (
  -- Kind and id: `repository:12`.
  topic text not null,
  process uuid not null,
  expires_at timestamptz not null,
  primary key (topic, process)
);

create function announce_change(changed text) returns void language plpgsql as $$
begin
  if exists (select from live_watches where topic = changed and expires_at > now()) then
    perform pg_notify('ingot_live', changed);
  end if;
end $$;

create function announce_repository_change() returns trigger language plpgsql as $$
begin
  perform announce_change('repository:' || new.project_id);
  return null;
end $$;
create trigger announce_repository_change after insert on events
  for each row when (new.kind = 'repository.updated' and new.project_id is not null) execute function announce_repository_change();

create function announce_activity() returns trigger language plpgsql as $$
begin
  perform announce_change('activity:' || new.project_id);
  return null;
end $$;
create trigger announce_activity after insert on feed_entries for each row execute function announce_activity();

create function announce_todos() returns trigger language plpgsql as $$
begin
  perform announce_change('todos:' || coalesce(new.user_id, old.user_id));
  return null;
end $$;
create trigger announce_todos after insert or delete on todos for each row execute function announce_todos();
create trigger announce_moved_todos after update of state on todos
  for each row when (new.state is distinct from old.state) execute function announce_todos();
