-- Links of groups to groups of a directory, by their name, or to the people of a directory whom a filter finds: these people are members of the
-- group with that level, as long as they are in the one, or found by the other.
create table ldap_group_links (
  id bigint generated always as identity primary key,
  namespace_id bigint not null references namespaces on delete cascade,
  -- The name of the directory in the file of providers.
  provider text not null,
  cn text,
  -- RFC 4515.
  filter text,
  access_level integer not null,
  created_at timestamptz not null default now(),
  check ((cn is null) <> (filter is null))
);
create unique index ldap_group_links_cn on ldap_group_links (namespace_id, provider, lower(cn));
create unique index ldap_group_links_filter on ldap_group_links (namespace_id, provider, filter);
create index ldap_group_links_provider on ldap_group_links (provider);

-- Memberships by a link of the group, and not by the file of providers alone: the last owner keeps them.
alter table provided_memberships add column by_link boolean not null default false;
