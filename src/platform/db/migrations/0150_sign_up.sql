-- Who may make an account of their own.
alter table application_settings
  add signup_enabled boolean not null default true,
  add require_admin_approval_after_user_signup boolean not null default true,
  add domain_allowlist text[] not null default '{}',
  add domain_denylist_enabled boolean not null default false,
  add domain_denylist text[] not null default '{}';
