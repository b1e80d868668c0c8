-- Which projects the tokens of jobs reach (issue "Doors", 14).
alter table projects
  -- Jobs of other projects reach this one only where they are listed (`inbound`).
  add column ci_inbound_job_token_scope_enabled boolean not null default false,
  -- Jobs of this project reach others only where those are listed (`outbound`).
  add column ci_job_token_scope_enabled boolean not null default false;

create table job_token_scope_projects (
  project_id bigint not null references projects on delete cascade,
  direction text not null check (direction in ('inbound', 'outbound')),
  target_project_id bigint not null references projects on delete cascade,
  added_by_id bigint references users on delete set null,
  created_at timestamptz not null default now(),
  primary key (project_id, direction, target_project_id),
  check (project_id <> target_project_id)
);
create index job_token_scope_projects_target on job_token_scope_projects (target_project_id);
create index job_token_scope_projects_added_by on job_token_scope_projects (added_by_id);

-- Of a listed group the projects in it and below it are let in.
create table job_token_scope_groups (
  project_id bigint not null references projects on delete cascade,
  target_group_id bigint not null references namespaces on delete cascade,
  added_by_id bigint references users on delete set null,
  created_at timestamptz not null default now(),
  primary key (project_id, target_group_id)
);
create index job_token_scope_groups_target on job_token_scope_groups (target_group_id);
create index job_token_scope_groups_added_by on job_token_scope_groups (added_by_id);
