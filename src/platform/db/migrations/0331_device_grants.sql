-- Requests of devices without a browser, which a user answers with a short code on another one (RFC 8628).
create table oauth_device_grants (
  id bigint generated always as identity primary key,
  application_id bigint not null references oauth_applications on delete cascade,
  device_digest text not null unique,
  -- Keyed with the secret of the instance: the code is too short for a digest alone.
  user_code_digest text not null unique,
  scopes text[] not null,
  user_id bigint references users on delete cascade,
  decision text check (decision in ('allowed', 'denied')),
  auth_time timestamptz,
  interval_seconds integer not null,
  polled_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  check ((user_id is null) = (decision is null))
);
create index oauth_device_grants_application on oauth_device_grants (application_id);
create index oauth_device_grants_user on oauth_device_grants (user_id);
create index oauth_device_grants_end on oauth_device_grants (expires_at);
