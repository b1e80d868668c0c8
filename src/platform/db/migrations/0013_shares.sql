-- Projects and groups that are shared with a group: its members have a role there, without being members themselves.

create table shares (
  id bigint generated always as identity primary key,
  -- What is shared: a project, or a group with everything below it.
  project_id bigint references projects on delete cascade,
  namespace_id bigint references namespaces on delete cascade,
  -- The invited group. Those whom it inherits from the groups above are invited too.
  group_id bigint not null references namespaces on delete cascade,
  -- The highest level that an invited member has there.
  access_level integer not null check (access_level in (10, 20, 30, 40, 50)),
  expires_at date,
  created_at timestamptz not null default now(),
  check (num_nonnulls(project_id, namespace_id) = 1),
  check (namespace_id <> group_id),
  unique (project_id, group_id),
  unique (namespace_id, group_id)
);
create index shares_group on shares (group_id);

-- Everybody's levels in the places where they are given, by membership or by a share; those of groups hold for all that
-- is below. A share gives the lower of both levels until the earlier of both ends; where sharing with groups is locked,
-- shares of projects give nothing.
create view memberships as
select user_id, namespace_id, project_id, access_level, expires_at, created_at, null::bigint as share_id from members
union all
select m.user_id, s.namespace_id, s.project_id, least(m.access_level, s.access_level), least(m.expires_at, s.expires_at), m.created_at, s.id
  from shares s
  join namespaces invited on invited.id = s.group_id
  -- The same said twice: the one finds the members by the share, the other the shares by the member.
  join members m on m.namespace_id = any(invited.traversal_ids) and invited.traversal_ids @> array[m.namespace_id]
  left join projects on projects.id = s.project_id
  left join namespaces home on home.id = projects.namespace_id
 where home.share_with_group_lock is not true;
