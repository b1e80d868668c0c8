-- Sign-ins that were begun at a provider and wait for its answer: each is used once, by the browser that began it, and ends soon.
create table provider_attempts (
  id bigint generated always as identity primary key,
  -- Of what goes to the provider and comes back with its answer.
  digest text not null unique,
  -- Of the cookie of the browser that began it.
  browser_digest text not null,
  provider text not null,
  -- Who links the identity to their account; null: it is a sign-in.
  user_id bigint references users on delete cascade,
  -- Path of this server to go to afterwards.
  return_to text not null,
  -- What the kind of provider keeps until the answer; nothing secret.
  data jsonb not null default '{}',
  expires_at timestamptz not null,
  created_at timestamptz not null
);
create index provider_attempts_user on provider_attempts (user_id);
create index provider_attempts_expires_at on provider_attempts (expires_at);

-- What a provider gave to the account of an identity besides memberships: it alone takes it away.
alter table identities
  add column gave_admin boolean not null default false,
  add column gave_external boolean not null default false;

-- Memberships that a provider owns. One whose level was changed since is no longer the provider's.
create table provided_memberships (
  identity_id bigint not null references identities on delete cascade,
  namespace_id bigint not null references namespaces on delete cascade,
  access_level integer not null,
  primary key (identity_id, namespace_id)
);
create index provided_memberships_namespace on provided_memberships (namespace_id);

-- The provider that a session was begun by: signing out may end its session there too.
alter table sessions add column provider text;
