-- Rules that raise the role which publishes, or deletes, packages and images of a name. Null: what holds without a rule.

create table package_protection_rules (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  package_type text not null check (package_type in
    ('maven', 'npm', 'nuget', 'pypi', 'composer', 'generic', 'debian', 'rubygems', 'helm')),
  -- `*` stands for any text.
  package_name_pattern text not null check (char_length(package_name_pattern) between 1 and 255),
  minimum_access_level_for_push smallint check (minimum_access_level_for_push in (40, 50, 60)),
  minimum_access_level_for_delete smallint check (minimum_access_level_for_delete in (40, 50, 60)),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (coalesce(minimum_access_level_for_push, minimum_access_level_for_delete) is not null),
  constraint package_protection_rules_name_key unique (project_id, package_type, package_name_pattern)
);

create table container_protection_rules (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  -- After the path of the project, which may change. `*` stands for any text.
  name_pattern text not null check (char_length(name_pattern) <= 255),
  minimum_access_level_for_push smallint check (minimum_access_level_for_push in (40, 50, 60)),
  minimum_access_level_for_delete smallint check (minimum_access_level_for_delete in (40, 50, 60)),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (coalesce(minimum_access_level_for_push, minimum_access_level_for_delete) is not null),
  constraint container_protection_rules_name_key unique (project_id, name_pattern)
);

-- Open pages follow the rules. See 0152_live_pages.
create trigger announce_package_protection_rule after insert or update or delete on package_protection_rules
  for each row execute function announce_in_project('package_protection_rules');
create trigger announce_container_protection_rule after insert or update or delete on container_protection_rules
  for each row execute function announce_in_project('container_protection_rules');
