-- People, what proves who they are, and the instance's switches.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

create table users (
  id bigint generated always as identity primary key,
  username text not null,
  name text not null,
  email text not null,
  commit_email text,
  password_digest text,
  state text not null default 'active' check (state in ('active', 'blocked', 'banned', 'deactivated', 'blocked_pending_approval')),
  kind text not null default 'human' check (kind in ('human', 'project_bot', 'ghost')),
  admin boolean not null default false,
  auditor boolean not null default false,
  external boolean not null default false,
  private_profile boolean not null default false,
  can_create_group boolean not null default true,
  projects_limit integer not null default 100000,
  bio text,
  location text,
  public_email text not null default '',
  skype text not null default '',
  linkedin text not null default '',
  twitter text not null default '',
  website_url text not null default '',
  organization text,
  job_title text not null default '',
  pronouns text,
  note text,
  avatar_url text,
  theme_id integer not null default 1,
  color_scheme_id integer not null default 1,
  shared_runners_minutes_limit integer,
  extra_shared_runners_minutes_limit integer,
  sign_in_count integer not null default 0,
  current_sign_in_at timestamptz,
  current_sign_in_ip text,
  last_sign_in_at timestamptz,
  last_sign_in_ip text,
  last_activity_on date,
  confirmed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index users_username_key on users (lower(username));
create unique index users_email_key on users (lower(email));
create index users_name_trgm on users using gin (name gin_trgm_ops);
create index users_username_trgm on users using gin (username gin_trgm_ops);
create index users_created_at on users (created_at, id);

create table emails (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  email text not null,
  confirmed_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index emails_email_key on emails (lower(email));
create index emails_user on emails (user_id);

create table keys (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  title text not null,
  key text not null,
  fingerprint text not null,
  fingerprint_sha256 text not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index keys_fingerprint_sha256_key on keys (fingerprint_sha256);
create index keys_user on keys (user_id);

-- Who a user is elsewhere: at an identity provider. SCIM adds the group's own.
create table identities (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  provider text not null,
  extern_uid text not null,
  created_at timestamptz not null default now(),
  unique (provider, extern_uid)
);
create index identities_user on identities (user_id);

create table user_statuses (
  user_id bigint primary key references users on delete cascade,
  emoji text not null default 'speech_balloon',
  message text not null default '',
  availability text not null default 'not_set' check (availability in ('not_set', 'busy')),
  clear_status_at timestamptz
);

-- Personal, impersonation and project access tokens; only the digest of a token is kept.
create table personal_access_tokens (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  name text not null,
  digest text not null,
  scopes text[] not null,
  impersonation boolean not null default false,
  revoked boolean not null default false,
  expires_at date,
  last_used_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index personal_access_tokens_digest_key on personal_access_tokens (digest);
create index personal_access_tokens_user on personal_access_tokens (user_id);

create table sessions (
  id bigint generated always as identity primary key,
  digest text not null unique,
  user_id bigint not null references users on delete cascade,
  ip_address text,
  user_agent text,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index sessions_user on sessions (user_id);
create index sessions_expires_at on sessions (expires_at);

create table oauth_applications (
  id bigint generated always as identity primary key,
  uid text not null unique,
  secret_digest text not null,
  name text not null,
  redirect_uri text not null,
  scopes text[] not null,
  confidential boolean not null default true,
  trusted boolean not null default false,
  owner_id bigint references users on delete cascade,
  created_at timestamptz not null default now()
);
create index oauth_applications_owner on oauth_applications (owner_id);

create table oauth_authorization_codes (
  id bigint generated always as identity primary key,
  application_id bigint not null references oauth_applications on delete cascade,
  user_id bigint not null references users on delete cascade,
  digest text not null unique,
  redirect_uri text not null,
  scopes text[] not null,
  code_challenge text,
  code_challenge_method text,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index oauth_authorization_codes_application on oauth_authorization_codes (application_id);
create index oauth_authorization_codes_user on oauth_authorization_codes (user_id);

-- application_id is null for the password grant without a client; user_id is null for client credentials.
create table oauth_access_tokens (
  id bigint generated always as identity primary key,
  application_id bigint references oauth_applications on delete cascade,
  user_id bigint references users on delete cascade,
  digest text not null unique,
  refresh_digest text unique,
  scopes text[] not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);
create index oauth_access_tokens_application on oauth_access_tokens (application_id);
create index oauth_access_tokens_user on oauth_access_tokens (user_id);

-- Gates as the features API shows them: [{key: 'boolean', value: true}, {key: 'actors', value: ['Project:1']}, ...]
create table feature_flags (
  name text primary key,
  gates jsonb not null default '[]'
);
