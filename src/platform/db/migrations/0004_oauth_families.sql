-- What one consent led to: a code, the token it was exchanged for, and every token refreshed from that. When a code or
-- a refresh token comes a second time, somebody has stolen it, and the whole family is revoked.

alter table oauth_authorization_codes
  add column family_id uuid not null default gen_random_uuid(),
  add column used_at timestamptz;

alter table oauth_access_tokens add column family_id uuid not null default gen_random_uuid();
create index oauth_access_tokens_family on oauth_access_tokens (family_id);
