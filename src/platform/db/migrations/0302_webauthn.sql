-- Security keys and passkeys (WebAuthn).
create table webauthn_credentials (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  -- As the authenticator calls it, base64url.
  credential_id text not null unique,
  public_key bytea not null,
  -- How often the authenticator was used, as far as it counts: it never goes back.
  counter bigint not null,
  transports text[] not null,
  -- Signs in by itself, since the authenticator verifies its user; else a second factor besides the password.
  passkey boolean not null,
  name text not null,
  last_used_at timestamptz,
  created_at timestamptz not null default now()
);
create index webauthn_credentials_user on webauthn_credentials (user_id);

-- Challenges that were answered: each counts once. Whether one is ours its signature says.
create table webauthn_used_challenges (
  id bigint generated always as identity primary key,
  challenge text not null unique,
  expires_at timestamptz not null
);
create index webauthn_used_challenges_expires_at on webauthn_used_challenges (expires_at);
