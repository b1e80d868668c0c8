-- What the valid request of every reading endpoint asks the database, by an administrator, once the caller is found:
select t.id, 'personal_access_token' as kind, t.scopes, t.impersonation, t.last_used_at, u.id as user_id, u.username, u.name, u.email, u.admin, u.external, u.state, u.kind as user_kind, u.last_activity_on
  from personal_access_tokens t join users u on u.id = t.user_id
  where t.digest = $1 and not t.revoked and (t.expires_at is null or t.expires_at > $2::timestamptz::date)
  union all select t.id, 'oauth_token', t.scopes, false, now(), u.id as user_id, u.username, u.name, u.email, u.admin, u.external, u.state, u.kind as user_kind, u.last_activity_on
  from oauth_access_tokens t join users u on u.id = t.user_id
  where t.digest = $3 and t.revoked_at is null and (t.expires_at is null or t.expires_at > $4);

-- GET /applications
select "oauth_applications".*
  from "oauth_applications"
  order by "oauth_applications"."id"
  limit $1 offset $2;
select count(*)::int as total
  from (select 1 as "one"
  from "oauth_applications"
  limit $1) as counted;

-- GET /audit_events
select "audit_events".*
  from "audit_events"
  order by "audit_events"."id" desc
  limit $1 offset $2;
select count(*)::int as total
  from (select 1 as "one"
  from "audit_events"
  limit $1) as counted;

-- GET /audit_events/:audit_event_id
select "audit_events".*
  from "audit_events"
  where "audit_events"."id" = $1
  order by "audit_events"."id" desc;

-- GET /features
select "name", "gates" as "gates"
  from "feature_flags"
  order by "name"
  limit $1 offset $2;
select count(*)::int as total
  from (select 1 as "one"
  from "feature_flags"
  limit $1) as counted;

-- GET /features/definitions

-- GET /groups
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $1 and true
  order by lower("namespaces"."name") asc, "namespaces"."id" asc
  limit $2 offset $3;
select count(*)::int as total
  from (select 1 as "one"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $1 and true
  limit $2) as counted;

-- GET /groups/:id
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from members m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and (m.expires_at is null or m.expires_at > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from members m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and (m.expires_at is null or m.expires_at > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and true;

-- GET /groups/:id/audit_events
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from members m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and (m.expires_at is null or m.expires_at > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from members m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and (m.expires_at is null or m.expires_at > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and true;
select "audit_events".*
  from "audit_events"
  where "audit_events"."entity_type" = $1 and "audit_events"."entity_id" = $2
  order by "audit_events"."id" desc
  limit $3 offset $4;
select count(*)::int as total
  from (select 1 as "one"
  from "audit_events"
  where "audit_events"."entity_type" = $1 and "audit_events"."entity_id" = $2
  limit $3) as counted;

-- GET /groups/:id/audit_events/:audit_event_id
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from members m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and (m.expires_at is null or m.expires_at > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from members m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and (m.expires_at is null or m.expires_at > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and true;
select "audit_events".*
  from "audit_events"
  where "audit_events"."entity_type" = $1 and "audit_events"."entity_id" = $2 and "audit_events"."id" = $3
  order by "audit_events"."id" desc;

-- GET /groups/:id/descendant_groups
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from members m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and (m.expires_at is null or m.expires_at > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from members m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and (m.expires_at is null or m.expires_at > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and true;
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $1 and true and namespaces.traversal_ids @> $2 and "namespaces"."id" <> $3
  order by lower("namespaces"."name") asc, "namespaces"."id" asc
  limit $4 offset $5;
select count(*)::int as total
  from (select 1 as "one"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $1 and true and namespaces.traversal_ids @> $2 and "namespaces"."id" <> $3
  limit $4) as counted;

-- GET /groups/:id/members
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from members m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and (m.expires_at is null or m.expires_at > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from members m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and (m.expires_at is null or m.expires_at > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and true;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url", "members"."access_level", "members"."expires_at", "members"."created_at"
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where (members.expires_at is null or members.expires_at > current_date) and members.namespace_id = $1
  order by "users"."id"
  limit $2 offset $3;
select count(*)::int as total
  from (select 1 as "one"
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where (members.expires_at is null or members.expires_at > current_date) and members.namespace_id = $1
  limit $2) as counted;

-- GET /groups/:id/members/:user_id
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from members m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and (m.expires_at is null or m.expires_at > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from members m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and (m.expires_at is null or m.expires_at > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and true;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url", "members"."access_level", "members"."expires_at", "members"."created_at"
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where (members.expires_at is null or members.expires_at > current_date) and "users"."id" in ($1) and members.namespace_id = $2
  order by "users"."id";

-- GET /groups/:id/members/all
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from members m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and (m.expires_at is null or m.expires_at > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from members m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and (m.expires_at is null or m.expires_at > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and true;
select distinct on ("users"."id") "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url", "members"."access_level", "members"."expires_at", "members"."created_at"
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where (members.expires_at is null or members.expires_at > current_date) and (members.namespace_id = $1 or members.namespace_id = any($2))
  order by "users"."id", "members"."access_level" desc
  limit $3 offset $4;
select count(*)::int as total
  from (select distinct on ("users"."id") 1 as "one"
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where (members.expires_at is null or members.expires_at > current_date) and (members.namespace_id = $1 or members.namespace_id = any($2))
  limit $3) as counted;

-- GET /groups/:id/members/all/:user_id
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from members m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and (m.expires_at is null or m.expires_at > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from members m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and (m.expires_at is null or m.expires_at > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and true;
select distinct on ("users"."id") "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url", "members"."access_level", "members"."expires_at", "members"."created_at"
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where (members.expires_at is null or members.expires_at > current_date) and "users"."id" in ($1) and (members.namespace_id = $2 or members.namespace_id = any($3))
  order by "users"."id", "members"."access_level" desc;

-- GET /groups/:id/scim_token
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from members m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and (m.expires_at is null or m.expires_at > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from members m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and (m.expires_at is null or m.expires_at > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and true;
select "group_id", "default_membership_role", "created_at"
  from "scim_tokens"
  where "group_id" = $1;

-- GET /groups/:id/subgroups
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from members m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and (m.expires_at is null or m.expires_at > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from members m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and (m.expires_at is null or m.expires_at > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and true;
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $1 and true and "namespaces"."parent_id" = $2
  order by lower("namespaces"."name") asc, "namespaces"."id" asc
  limit $3 offset $4;
select count(*)::int as total
  from (select 1 as "one"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $1 and true and "namespaces"."parent_id" = $2
  limit $3) as counted;

-- GET /keys
select *
  from "keys"
  where "fingerprint_sha256" = $1;
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where "users"."id" = any($1);

-- GET /keys/:id
select *
  from "keys"
  where "id" = $1;
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where "users"."id" = any($1);

-- GET /metadata

-- GET /namespaces
select "namespaces"."id", "namespaces"."kind", "namespaces"."name", "namespaces"."path", "namespaces"."parent_id", "namespaces"."avatar_url", "namespaces"."owner_id", "namespaces"."traversal_ids", "routes"."path" as "full_path", coalesce( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from members m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and (m.expires_at is null or m.expires_at > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from members m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and (m.expires_at is null or m.expires_at > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  order by "namespaces"."id"
  limit $7 offset $8;
select count(*)::int as total
  from (select 1 as "one"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  limit $1) as counted;
select top.id, count(distinct m.user_id)::int as members, count(distinct m.user_id) filter (where u.kind = 'human' and u.state = 'active' and m.access_level > $1)::int as billable
  from unnest($2::bigint[]) top(id) join namespaces below on below.traversal_ids @> array[top.id]
  left join projects p on p.namespace_id = below.id join members m on m.namespace_id = below.id or m.project_id = p.id join users u on u.id = m.user_id
  where m.expires_at is null or m.expires_at > current_date group by top.id;

-- GET /namespaces/:id
select "namespaces"."id", "namespaces"."kind", "namespaces"."name", "namespaces"."path", "namespaces"."parent_id", "namespaces"."avatar_url", "namespaces"."owner_id", "namespaces"."traversal_ids", "routes"."path" as "full_path", coalesce( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from members m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and (m.expires_at is null or m.expires_at > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from members m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and (m.expires_at is null or m.expires_at > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where namespaces.id = $7;
select top.id, count(distinct m.user_id)::int as members, count(distinct m.user_id) filter (where u.kind = 'human' and u.state = 'active' and m.access_level > $1)::int as billable
  from unnest($2::bigint[]) top(id) join namespaces below on below.traversal_ids @> array[top.id]
  left join projects p on p.namespace_id = below.id join members m on m.namespace_id = below.id or m.project_id = p.id join users u on u.id = m.user_id
  where m.expires_at is null or m.expires_at > current_date group by top.id;

-- GET /namespaces/:id/exists
select wanted.path
  from unnest($1::text[]) wanted(path)
  where exists (select
  from routes
  where lower(routes.path) = lower($2 || wanted.path) and routes.namespace_id is not null);

-- GET /openapi.json

-- GET /personal_access_tokens
select "personal_access_tokens"."id", "personal_access_tokens"."user_id", "personal_access_tokens"."name", "personal_access_tokens"."scopes", "personal_access_tokens"."impersonation", "personal_access_tokens"."revoked", "personal_access_tokens"."created_at", "personal_access_tokens"."expires_at", "personal_access_tokens"."last_used_at"
  from "personal_access_tokens"
  where "impersonation" = $1
  order by "id"
  limit $2 offset $3;
select count(*)::int as total
  from (select 1 as "one"
  from "personal_access_tokens"
  where "impersonation" = $1
  limit $2) as counted;

-- GET /personal_access_tokens/:id
select "personal_access_tokens"."id", "personal_access_tokens"."user_id", "personal_access_tokens"."name", "personal_access_tokens"."scopes", "personal_access_tokens"."impersonation", "personal_access_tokens"."revoked", "personal_access_tokens"."created_at", "personal_access_tokens"."expires_at", "personal_access_tokens"."last_used_at"
  from "personal_access_tokens"
  where "id" = $1;

-- GET /personal_access_tokens/self
select "personal_access_tokens"."id", "personal_access_tokens"."user_id", "personal_access_tokens"."name", "personal_access_tokens"."scopes", "personal_access_tokens"."impersonation", "personal_access_tokens"."revoked", "personal_access_tokens"."created_at", "personal_access_tokens"."expires_at", "personal_access_tokens"."last_used_at"
  from "personal_access_tokens"
  where "id" = $1;

-- GET /projects
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where true
  order by "projects"."created_at" desc, "projects"."id" desc
  limit $1 offset $2;
select count(*)::int as total
  from (select 1 as "one"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where true
  limit $1) as counted;
select "id", "name", "username", "state", "avatar_url", "created_at"
  from "users"
  where "id" = any($1);
select p.id, (select access_level
  from members
  where user_id = $1 and project_id = p.id and (expires_at is null or expires_at > current_date)) as project, (select max(access_level)
  from members
  where user_id = $2 and namespace_id = any(n.traversal_ids) and (expires_at is null or expires_at > current_date)) as group
  from projects p join namespaces n on n.id = p.namespace_id
  where p.id = any($3);

-- GET /projects/:id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.project_id = projects.id and (m.expires_at is null or m.expires_at > current_date)), (select max(m.access_level)
  from members m
  where m.user_id = $2 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where projects.id = $4 and true;
select p.id, (select access_level
  from members
  where user_id = $1 and project_id = p.id and (expires_at is null or expires_at > current_date)) as project, (select max(access_level)
  from members
  where user_id = $2 and namespace_id = any(n.traversal_ids) and (expires_at is null or expires_at > current_date)) as group
  from projects p join namespaces n on n.id = p.namespace_id
  where p.id = any($3);

-- GET /projects/:id/access_tokens
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.project_id = projects.id and (m.expires_at is null or m.expires_at > current_date)), (select max(m.access_level)
  from members m
  where m.user_id = $2 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where projects.id = $4 and true;
select "personal_access_tokens"."id", "personal_access_tokens"."user_id", "personal_access_tokens"."name", "personal_access_tokens"."scopes", "personal_access_tokens"."impersonation", "personal_access_tokens"."revoked", "personal_access_tokens"."created_at", "personal_access_tokens"."expires_at", "personal_access_tokens"."last_used_at", coalesce("members"."access_level", 0) as "access_level"
  from "personal_access_tokens"
  inner join "project_bots" on "project_bots"."user_id" = "personal_access_tokens"."user_id"
  left join "members" on "members"."user_id" = "project_bots"."user_id" and "members"."project_id" = "project_bots"."project_id"
  where "project_bots"."project_id" = $1 and "personal_access_tokens"."revoked" = $2
  order by "personal_access_tokens"."id"
  limit $3 offset $4;
select count(*)::int as total
  from (select 1 as "one"
  from "personal_access_tokens"
  inner join "project_bots" on "project_bots"."user_id" = "personal_access_tokens"."user_id"
  left join "members" on "members"."user_id" = "project_bots"."user_id" and "members"."project_id" = "project_bots"."project_id"
  where "project_bots"."project_id" = $1 and "personal_access_tokens"."revoked" = $2
  limit $3) as counted;

-- GET /projects/:id/members
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.project_id = projects.id and (m.expires_at is null or m.expires_at > current_date)), (select max(m.access_level)
  from members m
  where m.user_id = $2 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where projects.id = $4 and true;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url", "members"."access_level", "members"."expires_at", "members"."created_at"
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where (members.expires_at is null or members.expires_at > current_date) and members.project_id = $1
  order by "users"."id"
  limit $2 offset $3;
select count(*)::int as total
  from (select 1 as "one"
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where (members.expires_at is null or members.expires_at > current_date) and members.project_id = $1
  limit $2) as counted;

-- GET /projects/:id/members/:user_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.project_id = projects.id and (m.expires_at is null or m.expires_at > current_date)), (select max(m.access_level)
  from members m
  where m.user_id = $2 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where projects.id = $4 and true;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url", "members"."access_level", "members"."expires_at", "members"."created_at"
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where (members.expires_at is null or members.expires_at > current_date) and "users"."id" in ($1) and members.project_id = $2
  order by "users"."id";

-- GET /projects/:id/members/all
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.project_id = projects.id and (m.expires_at is null or m.expires_at > current_date)), (select max(m.access_level)
  from members m
  where m.user_id = $2 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where projects.id = $4 and true;
select distinct on ("users"."id") "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url", "members"."access_level", "members"."expires_at", "members"."created_at"
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where (members.expires_at is null or members.expires_at > current_date) and (members.project_id = $1 or members.namespace_id = any($2))
  order by "users"."id", "members"."access_level" desc
  limit $3 offset $4;
select count(*)::int as total
  from (select distinct on ("users"."id") 1 as "one"
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where (members.expires_at is null or members.expires_at > current_date) and (members.project_id = $1 or members.namespace_id = any($2))
  limit $3) as counted;

-- GET /projects/:id/members/all/:user_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.project_id = projects.id and (m.expires_at is null or m.expires_at > current_date)), (select max(m.access_level)
  from members m
  where m.user_id = $2 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where projects.id = $4 and true;
select distinct on ("users"."id") "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url", "members"."access_level", "members"."expires_at", "members"."created_at"
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where (members.expires_at is null or members.expires_at > current_date) and "users"."id" in ($1) and (members.project_id = $2 or members.namespace_id = any($3))
  order by "users"."id", "members"."access_level" desc;

-- GET /projects/:id/protected_branches
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.project_id = projects.id and (m.expires_at is null or m.expires_at > current_date)), (select max(m.access_level)
  from members m
  where m.user_id = $2 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where projects.id = $4 and true;
select "protected_branches".*, (select coalesce(json_agg(agg), '[]')
  from (select "levels"."id", "levels"."action", "levels"."access_level", "levels"."user_id", "levels"."group_id"
  from "protected_branch_access_levels" as "levels"
  where "levels"."protected_branch_id" = "protected_branches"."id"
  order by "levels"."id") as agg) as "levels"
  from "protected_branches"
  where "protected_branches"."project_id" = $1
  order by "protected_branches"."name"
  limit $2 offset $3;
select count(*)::int as total
  from (select 1 as "one"
  from "protected_branches"
  where "protected_branches"."project_id" = $1
  limit $2) as counted;

-- GET /projects/:id/protected_branches/:name
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.project_id = projects.id and (m.expires_at is null or m.expires_at > current_date)), (select max(m.access_level)
  from members m
  where m.user_id = $2 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where projects.id = $4 and true;
select "protected_branches".*, (select coalesce(json_agg(agg), '[]')
  from (select "levels"."id", "levels"."action", "levels"."access_level", "levels"."user_id", "levels"."group_id"
  from "protected_branch_access_levels" as "levels"
  where "levels"."protected_branch_id" = "protected_branches"."id"
  order by "levels"."id") as agg) as "levels"
  from "protected_branches"
  where "protected_branches"."project_id" = $1 and "protected_branches"."name" = $2;

-- GET /projects/:id/repository/archive
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.project_id = projects.id and (m.expires_at is null or m.expires_at > current_date)), (select max(m.access_level)
  from members m
  where m.user_id = $2 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where projects.id = $4 and true;

-- GET /projects/:id/repository/archive.:format
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.project_id = projects.id and (m.expires_at is null or m.expires_at > current_date)), (select max(m.access_level)
  from members m
  where m.user_id = $2 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where projects.id = $4 and true;

-- GET /projects/:id/repository/blobs/:sha
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.project_id = projects.id and (m.expires_at is null or m.expires_at > current_date)), (select max(m.access_level)
  from members m
  where m.user_id = $2 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where projects.id = $4 and true;

-- GET /projects/:id/repository/blobs/:sha/raw
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.project_id = projects.id and (m.expires_at is null or m.expires_at > current_date)), (select max(m.access_level)
  from members m
  where m.user_id = $2 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where projects.id = $4 and true;

-- GET /projects/:id/repository/branches
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.project_id = projects.id and (m.expires_at is null or m.expires_at > current_date)), (select max(m.access_level)
  from members m
  where m.user_id = $2 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where projects.id = $4 and true;
select "protected_branches".*, (select coalesce(json_agg(agg), '[]')
  from (select "levels"."id", "levels"."action", "levels"."access_level", "levels"."user_id", "levels"."group_id"
  from "protected_branch_access_levels" as "levels"
  where "levels"."protected_branch_id" = "protected_branches"."id"
  order by "levels"."id") as agg) as "levels"
  from "protected_branches"
  where "protected_branches"."project_id" = $1;

-- GET /projects/:id/repository/branches/:branch
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.project_id = projects.id and (m.expires_at is null or m.expires_at > current_date)), (select max(m.access_level)
  from members m
  where m.user_id = $2 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where projects.id = $4 and true;
select "protected_branches".*, (select coalesce(json_agg(agg), '[]')
  from (select "levels"."id", "levels"."action", "levels"."access_level", "levels"."user_id", "levels"."group_id"
  from "protected_branch_access_levels" as "levels"
  where "levels"."protected_branch_id" = "protected_branches"."id"
  order by "levels"."id") as agg) as "levels"
  from "protected_branches"
  where "protected_branches"."project_id" = $1;

-- GET /projects/:id/repository/commits
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.project_id = projects.id and (m.expires_at is null or m.expires_at > current_date)), (select max(m.access_level)
  from members m
  where m.user_id = $2 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where projects.id = $4 and true;

-- GET /projects/:id/repository/commits/:sha
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.project_id = projects.id and (m.expires_at is null or m.expires_at > current_date)), (select max(m.access_level)
  from members m
  where m.user_id = $2 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where projects.id = $4 and true;

-- GET /projects/:id/repository/commits/:sha/diff
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.project_id = projects.id and (m.expires_at is null or m.expires_at > current_date)), (select max(m.access_level)
  from members m
  where m.user_id = $2 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where projects.id = $4 and true;

-- GET /projects/:id/repository/commits/:sha/refs
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.project_id = projects.id and (m.expires_at is null or m.expires_at > current_date)), (select max(m.access_level)
  from members m
  where m.user_id = $2 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where projects.id = $4 and true;

-- GET /projects/:id/repository/commits/:sha/signature
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.project_id = projects.id and (m.expires_at is null or m.expires_at > current_date)), (select max(m.access_level)
  from members m
  where m.user_id = $2 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where projects.id = $4 and true;

-- GET /projects/:id/repository/compare
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.project_id = projects.id and (m.expires_at is null or m.expires_at > current_date)), (select max(m.access_level)
  from members m
  where m.user_id = $2 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where projects.id = $4 and true;

-- GET /projects/:id/repository/contributors
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.project_id = projects.id and (m.expires_at is null or m.expires_at > current_date)), (select max(m.access_level)
  from members m
  where m.user_id = $2 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where projects.id = $4 and true;

-- GET /projects/:id/repository/files/:file_path
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.project_id = projects.id and (m.expires_at is null or m.expires_at > current_date)), (select max(m.access_level)
  from members m
  where m.user_id = $2 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where projects.id = $4 and true;

-- GET /projects/:id/repository/files/:file_path/blame
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.project_id = projects.id and (m.expires_at is null or m.expires_at > current_date)), (select max(m.access_level)
  from members m
  where m.user_id = $2 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where projects.id = $4 and true;

-- GET /projects/:id/repository/files/:file_path/raw
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.project_id = projects.id and (m.expires_at is null or m.expires_at > current_date)), (select max(m.access_level)
  from members m
  where m.user_id = $2 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where projects.id = $4 and true;

-- GET /projects/:id/repository/merge_base
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.project_id = projects.id and (m.expires_at is null or m.expires_at > current_date)), (select max(m.access_level)
  from members m
  where m.user_id = $2 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where projects.id = $4 and true;

-- GET /projects/:id/repository/tags
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.project_id = projects.id and (m.expires_at is null or m.expires_at > current_date)), (select max(m.access_level)
  from members m
  where m.user_id = $2 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where projects.id = $4 and true;

-- GET /projects/:id/repository/tags/:tag_name
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.project_id = projects.id and (m.expires_at is null or m.expires_at > current_date)), (select max(m.access_level)
  from members m
  where m.user_id = $2 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where projects.id = $4 and true;

-- GET /projects/:id/repository/tree
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level)
  from members m
  where m.user_id = $1 and m.project_id = projects.id and (m.expires_at is null or m.expires_at > current_date)), (select max(m.access_level)
  from members m
  where m.user_id = $2 and m.namespace_id = any(namespaces.traversal_ids) and (m.expires_at is null or m.expires_at > current_date)), case when namespaces.owner_id = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where projects.id = $4 and true;

-- GET /user
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where "users"."id" = $1;
select "user_id", "provider", "extern_uid"
  from "identities"
  where "user_id" = any($1)
  order by "id";

-- GET /user/activities
select "username", "last_activity_on" as "last_activity_on"
  from "users"
  where "last_activity_on" >= $1
  order by "last_activity_on", "id"
  limit $2 offset $3;
select count(*)::int as total
  from (select 1 as "one"
  from "users"
  where "last_activity_on" >= $1
  limit $2) as counted;

-- GET /user/emails
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where "users"."id" = $1;
select "id", "user_id", "email", "confirmed_at"
  from "emails"
  where "user_id" = $1
  order by "id"
  limit $2 offset $3;
select count(*)::int as total
  from (select 1 as "one"
  from "emails"
  where "user_id" = $1
  limit $2) as counted;

-- GET /user/emails/:email_id
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where "users"."id" = $1;
select "id", "user_id", "email", "confirmed_at"
  from "emails"
  where "user_id" = $1 and "id" = $2;

-- GET /user/keys
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where "users"."id" = $1;
select *
  from "keys"
  where "user_id" = $1
  order by "id"
  limit $2 offset $3;
select count(*)::int as total
  from (select 1 as "one"
  from "keys"
  where "user_id" = $1
  limit $2) as counted;

-- GET /user/keys/:key_id
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where "users"."id" = $1;
select *
  from "keys"
  where "user_id" = $1 and "id" = $2;

-- GET /user/status
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where "users"."id" = $1;
select "emoji", "message", "availability", "clear_status_at"
  from "user_statuses"
  where "user_id" = $1 and ("clear_status_at" is null or "clear_status_at" > $2);

-- GET /users
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  order by "users"."id" desc, "users"."id" desc
  limit $1 offset $2;
select count(*)::int as total
  from (select 1 as "one"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  limit $1) as counted;
select "user_id", "provider", "extern_uid"
  from "identities"
  where "user_id" = any($1)
  order by "id";

-- GET /users/:id
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where users.id = $1;
select "user_id", "provider", "extern_uid"
  from "identities"
  where "user_id" = any($1)
  order by "id";

-- GET /users/:id/memberships
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where users.id = $1;
select coalesce("members"."project_id", "members"."namespace_id") as "source_id", coalesce("projects"."name", "namespaces"."name") as "source_name", case when "members"."project_id" is null then 'Namespace' else 'Project' end as "source_type", "members"."access_level"
  from "members"
  left join "projects" on "projects"."id" = "members"."project_id"
  left join "namespaces" on "namespaces"."id" = "members"."namespace_id"
  where (members.expires_at is null or members.expires_at > current_date) and "members"."user_id" = $1
  order by "members"."id"
  limit $2 offset $3;
select count(*)::int as total
  from (select 1 as "one"
  from "members"
  left join "projects" on "projects"."id" = "members"."project_id"
  left join "namespaces" on "namespaces"."id" = "members"."namespace_id"
  where (members.expires_at is null or members.expires_at > current_date) and "members"."user_id" = $1
  limit $2) as counted;

-- GET /users/:user_id/emails
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where users.id = $1;
select "id", "user_id", "email", "confirmed_at"
  from "emails"
  where "user_id" = $1
  order by "id"
  limit $2 offset $3;
select count(*)::int as total
  from (select 1 as "one"
  from "emails"
  where "user_id" = $1
  limit $2) as counted;

-- GET /users/:user_id/impersonation_tokens
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where users.id = $1;
select "personal_access_tokens"."id", "personal_access_tokens"."user_id", "personal_access_tokens"."name", "personal_access_tokens"."scopes", "personal_access_tokens"."impersonation", "personal_access_tokens"."revoked", "personal_access_tokens"."created_at", "personal_access_tokens"."expires_at", "personal_access_tokens"."last_used_at"
  from "personal_access_tokens"
  where "impersonation" = $1 and "user_id" = $2
  order by "id"
  limit $3 offset $4;
select count(*)::int as total
  from (select 1 as "one"
  from "personal_access_tokens"
  where "impersonation" = $1 and "user_id" = $2
  limit $3) as counted;

-- GET /users/:user_id/impersonation_tokens/:impersonation_token_id
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where users.id = $1;
select "personal_access_tokens"."id", "personal_access_tokens"."user_id", "personal_access_tokens"."name", "personal_access_tokens"."scopes", "personal_access_tokens"."impersonation", "personal_access_tokens"."revoked", "personal_access_tokens"."created_at", "personal_access_tokens"."expires_at", "personal_access_tokens"."last_used_at"
  from "personal_access_tokens"
  where "impersonation" = $1 and "user_id" = $2 and "id" = $3
  order by "id";

-- GET /users/:user_id/keys
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where users.id = $1;
select *
  from "keys"
  where "user_id" = $1
  order by "id"
  limit $2 offset $3;
select count(*)::int as total
  from (select 1 as "one"
  from "keys"
  where "user_id" = $1
  limit $2) as counted;

-- GET /users/:user_id/keys/:key_id
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where users.id = $1;
select *
  from "keys"
  where "user_id" = $1 and "id" = $2;

-- GET /users/:user_id/projects
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where users.id = $1;
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where true and "namespaces"."owner_id" = $1
  order by "projects"."created_at" desc, "projects"."id" desc
  limit $2 offset $3;
select count(*)::int as total
  from (select 1 as "one"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where true and "namespaces"."owner_id" = $1
  limit $2) as counted;
select "id", "name", "username", "state", "avatar_url", "created_at"
  from "users"
  where "id" = any($1);
select p.id, (select access_level
  from members
  where user_id = $1 and project_id = p.id and (expires_at is null or expires_at > current_date)) as project, (select max(access_level)
  from members
  where user_id = $2 and namespace_id = any(n.traversal_ids) and (expires_at is null or expires_at > current_date)) as group
  from projects p join namespaces n on n.id = p.namespace_id
  where p.id = any($3);

-- GET /users/:user_id/status
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where users.id = $1;
select "emoji", "message", "availability", "clear_status_at"
  from "user_statuses"
  where "user_id" = $1 and ("clear_status_at" is null or "clear_status_at" > $2);

-- GET /version
