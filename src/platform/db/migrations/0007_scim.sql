-- Provisioning of groups by an identity provider (SCIM), and the record of who changed what.

-- A group whose SCIM is on; only the digest of its token is kept.
create table scim_tokens (
  group_id bigint primary key references namespaces on delete cascade,
  digest text not null unique,
  -- What people whom the provider brings become in the group.
  default_membership_role integer not null default 10 check (default_membership_role in (10, 20, 30, 40, 50)),
  created_at timestamptz not null default now()
);

-- Who a member of a group is at the group's identity provider. A table beside `identities`, for these belong to a group
-- and go with it, can be inactive, and are unique within their group alone. An inactive one does not exist for the
-- provider until it brings it back.
create table scim_identities (
  id bigint generated always as identity primary key,
  group_id bigint not null references namespaces on delete cascade,
  user_id bigint not null references users on delete cascade,
  extern_uid text not null,
  -- The name that the provider gave; the account's may differ, for it is unique in the instance and has a form.
  user_name text not null,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint scim_identities_extern_uid_key unique (group_id, extern_uid),
  constraint scim_identities_user_key unique (group_id, user_id)
);
create index scim_identities_user on scim_identities (user_id);
create index scim_identities_user_name on scim_identities (group_id, lower(user_name));
create index scim_identities_active on scim_identities (group_id, id) where active;

-- Accounts that a group's provider made: their name, email and username are the provider's to change.
create table provisioned_users (
  user_id bigint primary key references users on delete cascade,
  group_id bigint not null references namespaces on delete cascade
);
create index provisioned_users_group on provisioned_users (group_id);

-- Names are kept beside the ids: the record outlives what it is about.
create table audit_events (
  id bigint generated always as identity primary key,
  -- Null when no person did it.
  author_id bigint references users on delete set null,
  author_name text not null,
  entity_type text not null check (entity_type in ('User', 'Group', 'Project')),
  entity_id bigint not null,
  entity_path text not null,
  target_type text not null,
  target_id bigint not null,
  target_details text not null,
  -- What was done: {custom_message} or {change, from, to}.
  details jsonb not null,
  ip_address text not null,
  created_at timestamptz not null default now()
);
create index audit_events_entity on audit_events (entity_type, entity_id, id);
create index audit_events_created_at on audit_events (created_at);
create index audit_events_author on audit_events (author_id);
