-- Rules that raise the role which pushes, or deletes, tags of images. Neither role: such a tag keeps what it names.

create table container_tag_protection_rules (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  -- RE2, found anywhere in the name.
  tag_name_pattern text not null check (char_length(tag_name_pattern) between 1 and 100),
  minimum_access_level_for_push smallint check (minimum_access_level_for_push in (40, 50, 60)),
  minimum_access_level_for_delete smallint check (minimum_access_level_for_delete in (40, 50, 60)),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((minimum_access_level_for_push is null) = (minimum_access_level_for_delete is null)),
  constraint container_tag_protection_rules_name_key unique (project_id, tag_name_pattern)
);

-- Open pages follow the rules. See 0152_live_pages.
create trigger announce_container_tag_protection_rule after insert or update or delete on container_tag_protection_rules
  for each row execute function announce_in_project('container_tag_protection_rules');
