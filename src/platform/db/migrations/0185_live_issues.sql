-- Open pages of issues follow them (0152_live_pages): their attributes, their notes, and the reactions to both.
create function announce_issue() returns trigger language plpgsql as $$
begin
  perform announce_change('issue:' || new.id);
  perform announce_change('issues:' || new.project_id);
  return null;
end $$;
create trigger announce_new_issue after insert on issues for each row execute function announce_issue();
create trigger announce_issue after update on issues
  for each row when (old.updated_at is distinct from new.updated_at) execute function announce_issue();

create function announce_note() returns trigger language plpgsql as $$
begin
  perform announce_change('issue:' || coalesce(new.issue_id, old.issue_id));
  return null;
end $$;
create trigger announce_new_note after insert on notes
  for each row when (new.issue_id is not null) execute function announce_note();
create trigger announce_changed_note after update on notes
  for each row when (new.issue_id is not null) execute function announce_note();
create trigger announce_deleted_note after delete on notes
  for each row when (old.issue_id is not null) execute function announce_note();

create function announce_reaction() returns trigger language plpgsql as $$
declare
  changed bigint := coalesce(new.issue_id, old.issue_id);
begin
  if changed is null then
    select issue_id into changed from notes where id = coalesce(new.note_id, old.note_id);
  end if;
  if changed is not null then
    perform announce_change('issue:' || changed);
  end if;
  return null;
end $$;
create trigger announce_reaction after insert or delete on award_emoji for each row execute function announce_reaction();
