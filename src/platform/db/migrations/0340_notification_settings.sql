-- About what a person gets mail: everywhere (both places null), below a group, or in a project (src/spaces/notification_settings).
create table notification_settings (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  namespace_id bigint references namespaces on delete cascade,
  project_id bigint references projects on delete cascade,
  level text not null check (level in ('disabled', 'participating', 'watch', 'global', 'mention', 'custom')),
  -- Of the level `custom`: the events that were chosen or taken out; others are as usual.
  events jsonb not null default '{}' check (jsonb_typeof(events) = 'object'),
  -- Of the global row: the address that mails go to, while the account has confirmed it; null: the primary one.
  email text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (namespace_id is null or project_id is null)
);
create unique index notification_settings_global on notification_settings (user_id) where namespace_id is null and project_id is null;
create unique index notification_settings_namespace on notification_settings (namespace_id, user_id) where namespace_id is not null;
create unique index notification_settings_project on notification_settings (project_id, user_id) where project_id is not null;
create index notification_settings_user on notification_settings (user_id);
