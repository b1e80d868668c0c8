-- Open pages of epics follow them (0152_live_pages): their attributes, their notes, the reactions to both, and what is in them.

-- A change in an epic is one of all epics above it, whose pages show how far they are.
create function announce_epics_above(epic bigint) returns void language plpgsql as $$
begin
  if epic is null or not exists (select from live_watches where topic like 'epic:%' and expires_at > now()) then
    return;
  end if;
  perform announce_change('epic:' || line.id)
     from (with recursive line as (
             select id, parent_id, 1 as depth from epics where id = epic
             union all select epics.id, epics.parent_id, depth + 1 from epics join line on epics.id = line.parent_id where depth < 20
           ) select id from line) as line;
end $$;

create function announce_epic() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    perform announce_epics_above(old.parent_id);
  end if;
  if tg_op = 'DELETE' then
    perform announce_change('epics:' || unnest(traversal_ids)) from namespaces where id = old.namespace_id;
    return null;
  end if;
  perform announce_epics_above(new.id);
  perform announce_change('epics:' || unnest(traversal_ids)) from namespaces where id = new.namespace_id;
  return null;
end $$;
create trigger announce_new_epic after insert on epics for each row execute function announce_epic();
create trigger announce_deleted_epic after delete on epics for each row execute function announce_epic();
create trigger announce_epic after update on epics
  for each row when (old.* is distinct from new.*) execute function announce_epic();

create function announce_issue_of_epic() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.epic_id is distinct from new.epic_id then
    perform announce_epics_above(old.epic_id);
  end if;
  if tg_op = 'DELETE' then
    perform announce_epics_above(old.epic_id);
  else
    perform announce_epics_above(new.epic_id);
  end if;
  return null;
end $$;
create trigger announce_issue_of_epic after update on issues
  for each row when (
    (old.epic_id is not null or new.epic_id is not null) and
    (old.epic_id, old.epic_position, old.state, old.weight, old.title, old.milestone_id, old.confidential)
      is distinct from (new.epic_id, new.epic_position, new.state, new.weight, new.title, new.milestone_id, new.confidential)
  ) execute function announce_issue_of_epic();
create trigger announce_new_issue_of_epic after insert on issues
  for each row when (new.epic_id is not null) execute function announce_issue_of_epic();
create trigger announce_deleted_issue_of_epic after delete on issues
  for each row when (old.epic_id is not null) execute function announce_issue_of_epic();

create function announce_note_on_epic() returns trigger language plpgsql as $$
begin
  perform announce_change('epic:' || coalesce(new.epic_id, old.epic_id));
  return null;
end $$;
create trigger announce_new_note_on_epic after insert on notes
  for each row when (new.epic_id is not null) execute function announce_note_on_epic();
create trigger announce_changed_note_on_epic after update on notes
  for each row when (new.epic_id is not null) execute function announce_note_on_epic();
create trigger announce_deleted_note_on_epic after delete on notes
  for each row when (old.epic_id is not null) execute function announce_note_on_epic();

create function announce_reaction_to_epic() returns trigger language plpgsql as $$
declare
  changed bigint := coalesce(new.epic_id, old.epic_id);
begin
  if changed is null then
    select epic_id into changed from notes where id = coalesce(new.note_id, old.note_id);
  end if;
  if changed is not null then
    perform announce_change('epic:' || changed);
  end if;
  return null;
end $$;
create trigger announce_reaction_to_epic after insert or delete on award_emoji for each row execute function announce_reaction_to_epic();
