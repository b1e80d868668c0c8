-- Who may deploy: to an environment of a project by its name, or to all environments of a tier below a group.

create table protected_environments (
  id bigint generated always as identity primary key,
  project_id bigint references projects on delete cascade,
  namespace_id bigint references namespaces on delete cascade,
  -- In a project the name of an environment, in a group a tier.
  name text not null,
  created_at timestamptz not null default now(),
  check (num_nonnulls(project_id, namespace_id) = 1),
  check (namespace_id is null or name in ('production', 'staging', 'testing', 'development', 'other')),
  constraint protected_environments_project_name_key unique (project_id, name),
  constraint protected_environments_namespace_name_key unique (namespace_id, name)
);

-- Any of these grants; access_level 60 is administrators.
create table protected_environment_access_levels (
  id bigint generated always as identity primary key,
  protected_environment_id bigint not null references protected_environments on delete cascade,
  access_level integer not null default 40 check (access_level in (30, 40, 60)),
  user_id bigint references users on delete cascade,
  group_id bigint references namespaces on delete cascade,
  check (num_nonnulls(user_id, group_id) <= 1)
);
create index protected_environment_access_levels_of on protected_environment_access_levels (protected_environment_id, id);
create index protected_environment_access_levels_user on protected_environment_access_levels (user_id);
create index protected_environment_access_levels_group on protected_environment_access_levels (group_id);
