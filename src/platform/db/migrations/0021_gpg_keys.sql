-- Public keys by which people sign commits and tags.
create table gpg_keys (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  -- As it was pasted: armoured.
  key text not null,
  -- Of the primary key, 40 hex digits.
  fingerprint text not null,
  created_at timestamptz not null default now()
);
create unique index gpg_keys_fingerprint_key on gpg_keys (fingerprint);
create index gpg_keys_user on gpg_keys (user_id);
