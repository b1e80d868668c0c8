-- Second factors of accounts (src/identity/two_factor).
-- Does a password alone no longer open the account? Kept by src/identity/two_factor/commands.ts, since every sign-in and every user of the API asks.
alter table users add column two_factor_enabled boolean not null default false;

-- The app that makes codes (RFC 6238): one for each account.
create table totp_factors (
  id bigint generated always as identity primary key,
  user_id bigint not null unique references users on delete cascade,
  -- Encrypted.
  secret text not null,
  -- The last time step whose code was used: a code counts once.
  last_step bigint not null,
  created_at timestamptz not null default now()
);

-- Codes for those who have lost the other factor. Each opens the account once.
create table recovery_codes (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  digest text not null,
  created_at timestamptz not null default now(),
  unique (user_id, digest)
);

-- Sign-ins that wait for the second factor: the first one was proven.
create table pending_sign_ins (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  digest text not null unique,
  method text not null,
  -- Which password the account had then (passwordProof).
  password_proof text not null,
  -- The provider by which it was proven, and the identity there: the sign-in ends with it.
  provider text,
  identity_id bigint references identities on delete cascade,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index pending_sign_ins_user on pending_sign_ins (user_id);
create index pending_sign_ins_identity on pending_sign_ins (identity_id);
create index pending_sign_ins_expires_at on pending_sign_ins (expires_at);
