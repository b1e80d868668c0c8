-- Settings of the instance that administrators change while it runs: one row, a typed column for each setting.
create table application_settings (
  id boolean primary key default true check (id),
  default_project_visibility text not null default 'private' check (default_project_visibility in ('private', 'internal', 'public')),
  default_group_visibility text not null default 'private' check (default_group_visibility in ('private', 'internal', 'public')),
  updated_at timestamptz not null default now()
);
insert into application_settings default values;
