-- The keys that sign id tokens. The newest one signs; a retired one has no private part any more, and is published while tokens that it signed live.
create table signing_keys (
  id bigint generated always as identity primary key,
  kid text not null unique,
  public_key jsonb not null,
  private_key text,
  created_at timestamptz not null,
  retired_at timestamptz,
  check ((private_key is null) = (retired_at is not null))
);
create unique index signing_keys_current on signing_keys ((true)) where retired_at is null;

-- What the id token of a code repeats, and when the user signed in who gave it.
alter table oauth_authorization_codes
  add column nonce text,
  add column auth_time timestamptz;
alter table oauth_access_tokens add column auth_time timestamptz;
