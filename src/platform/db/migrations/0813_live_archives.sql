-- Open pages follow how exports, imports and migrations go. See 0152_live_pages.
create trigger announce_project_export after insert or update or delete on project_exports
  for each row execute function announce_in_project('project_export');

create function announce_group_archive() returns trigger language plpgsql as $$
begin
  perform announce_change(tg_argv[0] || ':' || coalesce(new.namespace_id, old.namespace_id));
  return null;
end $$;
create trigger announce_group_export after insert or update or delete on group_exports
  for each row execute function announce_group_archive('group_export');
create trigger announce_group_import after update of state on group_imports
  for each row execute function announce_group_archive('group_import');

-- The page of a project says that its repository is being fetched.
create function announce_project_import() returns trigger language plpgsql as $$
begin
  perform announce_change('project_import:' || new.id);
  perform announce_change('repository:' || new.id);
  return null;
end $$;
create trigger announce_project_import after update of import_status on projects
  for each row when (old.import_status is distinct from new.import_status) execute function announce_project_import();

create function announce_migration() returns trigger language plpgsql as $$
begin
  perform announce_change('migration:' || new.id);
  return null;
end $$;
create trigger announce_migration after update of status on bulk_imports
  for each row when (old.status is distinct from new.status) execute function announce_migration();

create function announce_migrated() returns trigger language plpgsql as $$
begin
  perform announce_change('migration:' || new.bulk_import_id);
  return null;
end $$;
create trigger announce_added_migrated after insert on bulk_import_entities for each row execute function announce_migrated();
create trigger announce_migrated after update of status, step on bulk_import_entities
  for each row when (old.status is distinct from new.status or old.step is distinct from new.step) execute function announce_migrated();
