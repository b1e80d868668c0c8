-- Open pages follow the rules of a project: what is protected, freezes of deployments, and who has a resource. See 0152_live_pages.
create function announce_in_project() returns trigger language plpgsql as $$
begin
  perform announce_change(tg_argv[0] || ':' || coalesce(new.project_id, old.project_id));
  return null;
end $$;
create trigger announce_protected_branch after insert or update or delete on protected_branches
  for each row execute function announce_in_project('protected_branches');
create trigger announce_protected_tag after insert or update or delete on protected_tags
  for each row execute function announce_in_project('protected_tags');
create trigger announce_freeze_period after insert or update or delete on freeze_periods
  for each row execute function announce_in_project('freeze_periods');
create trigger announce_resource_group after insert or update or delete on resource_groups
  for each row execute function announce_in_project('resource_groups');
-- Of the jobs of a group only those that wait are shown, and the one that has the resource.
create trigger announce_waiting_job after update of status on jobs
  for each row when (old.status is distinct from new.status and new.resource_group_id is not null)
  execute function announce_in_project('resource_groups');

create function announce_protected_environment() returns trigger language plpgsql as $$
begin
  perform announce_change('protected_environments:' || coalesce(new.project_id, old.project_id));
  perform announce_change('protected_tiers:' || coalesce(new.namespace_id, old.namespace_id));
  return null;
end $$;
create trigger announce_protected_environment after insert or update or delete on protected_environments
  for each row execute function announce_protected_environment();

-- Who may do what. Levels that go with their protection find none: its own trigger has announced that.
create function announce_branch_level() returns trigger language plpgsql as $$
begin
  perform announce_change('protected_branches:' || project_id) from protected_branches
    where id = coalesce(new.protected_branch_id, old.protected_branch_id);
  return null;
end $$;
create trigger announce_branch_level after insert or update or delete on protected_branch_access_levels
  for each row execute function announce_branch_level();

create function announce_tag_level() returns trigger language plpgsql as $$
begin
  perform announce_change('protected_tags:' || project_id) from protected_tags
    where id = coalesce(new.protected_tag_id, old.protected_tag_id);
  return null;
end $$;
create trigger announce_tag_level after insert or update or delete on protected_tag_access_levels
  for each row execute function announce_tag_level();

create function announce_environment_level() returns trigger language plpgsql as $$
begin
  perform announce_change('protected_environments:' || project_id), announce_change('protected_tiers:' || namespace_id)
    from protected_environments where id = coalesce(new.protected_environment_id, old.protected_environment_id);
  return null;
end $$;
create trigger announce_environment_level after insert or update or delete on protected_environment_access_levels
  for each row execute function announce_environment_level();
