-- Grants of OAuth end: a refresh token that nobody uses, and the whole of what one consent led to.

alter table oauth_access_tokens
  add column granted_at timestamptz,
  add column last_used_at timestamptz;
update oauth_access_tokens t
   set granted_at = (select min(f.created_at) from oauth_access_tokens f where f.family_id = t.family_id);
alter table oauth_access_tokens
  alter column granted_at set default now(),
  alter column granted_at set not null;

-- Without a client a password gives no right to act as others any more, and what it gave so far ends.
update oauth_access_tokens set revoked_at = now() where application_id is null and 'sudo' = any(scopes) and revoked_at is null;

alter table application_settings
  -- Seconds.
  add column oauth_access_token_lifetime integer not null default 7200 check (oauth_access_token_lifetime between 300 and 86400),
  -- Days.
  add column oauth_refresh_token_lifetime integer not null default 90 check (oauth_refresh_token_lifetime between 1 and 3650),
  add column max_oauth_grant_lifetime integer not null default 365 check (max_oauth_grant_lifetime between 1 and 3650);
