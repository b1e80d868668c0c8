-- The longest life of secrets of OAuth applications, in days; null for none. Secrets that exist begin theirs now.

alter table application_settings
  add column max_application_secret_lifetime integer check (max_application_secret_lifetime between 1 and 3650);

alter table oauth_applications add column secret_created_at timestamptz not null default now();
