-- What pushes must keep to: of a project, or of a group or the instance for their new projects. Without an owner: the instance's.

create table push_rules (
  id bigint generated always as identity primary key,
  project_id bigint unique references projects on delete cascade,
  namespace_id bigint unique references namespaces on delete cascade,
  commit_message_regex text,
  commit_message_negative_regex text,
  branch_name_regex text,
  author_email_regex text,
  file_name_regex text,
  deny_delete_tag boolean not null default false,
  member_check boolean not null default false,
  prevent_secrets boolean not null default false,
  commit_committer_check boolean not null default false,
  reject_unsigned_commits boolean not null default false,
  -- In MB; 0: any size.
  max_file_size integer not null default 0,
  created_at timestamptz not null default now(),
  check (project_id is null or namespace_id is null)
);
create unique index push_rules_instance on push_rules ((true)) where project_id is null and namespace_id is null;
