-- What the valid request of every reading endpoint asks the database, by an administrator, once the caller is found:
select t.id, 'personal_access_token' as kind, t.scopes, t.impersonation, t.last_used_at, u.id as user_id, u.username, u.name, u.email, u.commit_email, u.admin, u.external, u.state, u.kind as user_kind, u.avatar_url, u.creator_id, u.last_activity_on
  from personal_access_tokens t join users u on u.id = t.user_id
  where t.digest = $1 and not t.revoked and coalesce(least("t"."expires_at", (("t"."created_at" + (select "max_personal_access_token_lifetime"
  from application_settings) * interval '1 day') at time zone 'UTC')::date) > $2::timestamptz::date, true)
  union all select t.id, 'oauth_token', t.scopes, false, t.last_used_at, u.id as user_id, u.username, u.name, u.email, u.commit_email, u.admin, u.external, u.state, u.kind as user_kind, u.avatar_url, u.creator_id, u.last_activity_on
  from oauth_access_tokens t join users u on u.id = t.user_id
  where t.digest = $3 and t.revoked_at is null and coalesce(least("t"."expires_at", "t"."granted_at" + (select "max_oauth_grant_lifetime"
  from application_settings) * interval '1 day') > $4, true);

-- GET /admin/ci/variables
select count(*)::int as total
  from (select 1 as "one"
  from "ci_variables"
  where "project_id" is null and "namespace_id" is null
  limit $1) as counted;
select "ci_variables".*
  from "ci_variables"
  where "project_id" is null and "namespace_id" is null
  order by "id"
  limit $1 offset $2;

-- GET /admin/ci/variables/:key
select "ci_variables".*
  from "ci_variables"
  where "project_id" is null and "namespace_id" is null and "key" = $1
  order by "id";

-- GET /application/plan_limits
select *
  from "plan_limits"
  where "plan_name" = $1;
select *
  from "artifact_size_limits";

-- GET /application/settings
select *
  from "application_settings";

-- GET /application/statistics
select (select case when few.rows < $1 then few.rows else greatest(few.rows, (select reltuples::bigint
  from pg_class
  where oid = 'project_forks'::regclass)) end
  from (select (select count(*)
  from (select 1
  from "project_forks"
  limit $2) as counted) as rows) as few) as "forks", (select case when few.rows < $3 then few.rows else greatest(few.rows, (select reltuples::bigint
  from pg_class
  where oid = 'issues'::regclass)) end
  from (select (select count(*)
  from (select 1
  from "issues"
  limit $4) as counted) as rows) as few) as "issues", (select case when few.rows < $5 then few.rows else greatest(few.rows, (select reltuples::bigint
  from pg_class
  where oid = 'merge_requests'::regclass)) end
  from (select (select count(*)
  from (select 1
  from "merge_requests"
  limit $6) as counted) as rows) as few) as "merge_requests", (select case when few.rows < $7 then few.rows else greatest(few.rows, (select reltuples::bigint
  from pg_class
  where oid = 'notes'::regclass)) end
  from (select (select count(*)
  from (select 1
  from "notes"
  limit $8) as counted) as rows) as few) as "notes", (select case when few.rows < $9 then few.rows else greatest(few.rows, (select reltuples::bigint
  from pg_class
  where oid = 'milestones'::regclass)) end
  from (select (select count(*)
  from (select 1
  from "milestones"
  limit $10) as counted) as rows) as few) as "milestones", (select case when few.rows < $11 then few.rows else greatest(few.rows, (select reltuples::bigint
  from pg_class
  where oid = 'projects'::regclass)) end
  from (select (select count(*)
  from (select 1
  from "projects"
  limit $12) as counted) as rows) as few) as "projects", 0 as snippets, (select count(*)
  from keys
  where user_id is not null) as ssh_keys, (select count(*)
  from users
  where kind <> 'ghost') as users, (select count(*)
  from users
  where kind <> 'ghost' and state = 'active') as active_users, (select count(*)
  from namespaces
  where kind = 'group') as groups;

-- GET /applications
select count(*)::int as total
  from (select 1 as "one"
  from "oauth_applications"
  limit $1) as counted;
select "oauth_applications".*, "oauth_applications"."secret_created_at" + (select "max_application_secret_lifetime"
  from application_settings) * interval '1 day' as "secret_expires_at"
  from "oauth_applications"
  order by "oauth_applications"."id"
  limit $1 offset $2;

-- GET /audit_events
select count(*)::int as total
  from (select 1 as "one"
  from "audit_events"
  limit $1) as counted;
select "audit_events".*
  from "audit_events"
  order by "audit_events"."id" desc
  limit $1 offset $2;

-- GET /audit_events/:audit_event_id
select "audit_events".*
  from "audit_events"
  where "audit_events"."id" = $1
  order by "audit_events"."id" desc;

-- GET /avatar
select "avatar_url"
  from "users"
  where lower("public_email") = $1 and "public_email" <> $2 and "state" = $3
  order by "id";

-- GET /broadcast_messages
select count(*)::int as total
  from (select 1 as "one"
  from "broadcast_messages"
  limit $1) as counted;
select *
  from "broadcast_messages"
  order by "id" desc
  limit $1 offset $2;

-- GET /broadcast_messages/:id
select *
  from "broadcast_messages"
  where "id" = $1;

-- GET /deploy_keys
select count(*)::int as total
  from (select 1 as "one"
  from "keys"
  where "keys"."user_id" is null
  limit $1) as counted;
select "keys"."id", "keys"."title", "keys"."key", "keys"."fingerprint", "keys"."public", "keys"."created_at", least("keys"."expires_at", "keys"."created_at" + (select "max_ssh_key_lifetime"
  from application_settings) * interval '1 day') as "expires_at"
  from "keys"
  where "keys"."user_id" is null
  order by "keys"."id"
  limit $1 offset $2;
select "key_id", "project_id"
  from "deploy_key_projects"
  where "can_push" = $1 and "key_id" = any($2)
  order by "project_id";
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where "projects"."id" = any($1);

-- GET /deploy_tokens
select count(*)::int as total
  from (select 1 as "one"
  from "deploy_tokens"
  limit $1) as counted;
select "id", "project_id", "group_id", "name", "username", "scopes", "created_by", "created_at", least("deploy_tokens"."expires_at", "deploy_tokens"."created_at" + (select "max_deploy_token_lifetime"
  from application_settings) * interval '1 day') as "expires_at"
  from "deploy_tokens"
  order by "id" desc
  limit $1 offset $2;

-- GET /events
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where "users"."id" = $1;
select count(*)::int as total
  from (select 1 as "one"
  from "feed_entries"
  inner join lateral (select "projects"."visibility", "projects"."repository_access_level", "projects"."issues_access_level", "projects"."merge_requests_access_level", coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role"
  from "projects"
  inner join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  where "projects"."id" = "feed_entries"."project_id" and not projects.deleting) as "seen" on true
  where case feed_entries.target_type when 'project' then true when 'issue' then (("seen"."issues_access_level" = 'private' or "seen"."issues_access_level" = 'enabled') and exists ( select
  from issues
  where issues.id = feed_entries.target_id and (not issues.confidential or true))) when 'note' then (("seen"."merge_requests_access_level" = 'private' or "seen"."merge_requests_access_level" = 'enabled') and ("seen"."repository_access_level" = 'private' or "seen"."repository_access_level" = 'enabled') and exists ( select
  from notes
  where notes.id = feed_entries.target_id and notes.merge_request_id is not null and (not notes.confidential or ("seen"."merge_requests_access_level" = 'private' or "seen"."merge_requests_access_level" = 'enabled') and ("seen"."repository_access_level" = 'private' or "seen"."repository_access_level" = 'enabled'))) or ("seen"."issues_access_level" = 'private' or "seen"."issues_access_level" = 'enabled') and exists ( select
  from notes join issues on issues.id = notes.issue_id
  where notes.id = feed_entries.target_id and (not notes.confidential or ("seen"."issues_access_level" = 'private' or "seen"."issues_access_level" = 'enabled')) and (not issues.confidential or true))) when 'merge_request' then (("seen"."merge_requests_access_level" = 'private' or "seen"."merge_requests_access_level" = 'enabled') and ("seen"."repository_access_level" = 'private' or "seen"."repository_access_level" = 'enabled') and exists ( select
  from merge_requests
  where merge_requests.id = feed_entries.target_id)) when 'milestone' then (("seen"."issues_access_level" = 'private' or "seen"."issues_access_level" = 'enabled') or ("seen"."merge_requests_access_level" = 'private' or "seen"."merge_requests_access_level" = 'enabled') and ("seen"."repository_access_level" = 'private' or "seen"."repository_access_level" = 'enabled')) else feed_entries.push_data is not null and ("seen"."repository_access_level" = 'private' or "seen"."repository_access_level" = 'enabled') end and "feed_entries"."author_id" = $4
  limit $5) as counted;
select "feed_entries".*
  from "feed_entries"
  inner join lateral (select "projects"."visibility", "projects"."repository_access_level", "projects"."issues_access_level", "projects"."merge_requests_access_level", coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role"
  from "projects"
  inner join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  where "projects"."id" = "feed_entries"."project_id" and not projects.deleting) as "seen" on true
  where case feed_entries.target_type when 'project' then true when 'issue' then (("seen"."issues_access_level" = 'private' or "seen"."issues_access_level" = 'enabled') and exists ( select
  from issues
  where issues.id = feed_entries.target_id and (not issues.confidential or true))) when 'note' then (("seen"."merge_requests_access_level" = 'private' or "seen"."merge_requests_access_level" = 'enabled') and ("seen"."repository_access_level" = 'private' or "seen"."repository_access_level" = 'enabled') and exists ( select
  from notes
  where notes.id = feed_entries.target_id and notes.merge_request_id is not null and (not notes.confidential or ("seen"."merge_requests_access_level" = 'private' or "seen"."merge_requests_access_level" = 'enabled') and ("seen"."repository_access_level" = 'private' or "seen"."repository_access_level" = 'enabled'))) or ("seen"."issues_access_level" = 'private' or "seen"."issues_access_level" = 'enabled') and exists ( select
  from notes join issues on issues.id = notes.issue_id
  where notes.id = feed_entries.target_id and (not notes.confidential or ("seen"."issues_access_level" = 'private' or "seen"."issues_access_level" = 'enabled')) and (not issues.confidential or true))) when 'merge_request' then (("seen"."merge_requests_access_level" = 'private' or "seen"."merge_requests_access_level" = 'enabled') and ("seen"."repository_access_level" = 'private' or "seen"."repository_access_level" = 'enabled') and exists ( select
  from merge_requests
  where merge_requests.id = feed_entries.target_id)) when 'milestone' then (("seen"."issues_access_level" = 'private' or "seen"."issues_access_level" = 'enabled') or ("seen"."merge_requests_access_level" = 'private' or "seen"."merge_requests_access_level" = 'enabled') and ("seen"."repository_access_level" = 'private' or "seen"."repository_access_level" = 'enabled')) else feed_entries.push_data is not null and ("seen"."repository_access_level" = 'private' or "seen"."repository_access_level" = 'enabled') end and "feed_entries"."author_id" = $4
  order by "feed_entries"."created_at" desc, "feed_entries"."id" desc
  limit $5 offset $6;
select "notes".*, coalesce(issue.iid, merge_request.iid, epic.iid) as "noteable_iid", coalesce(issue.project_id, merge_request.project_id) as "project_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."id" = any($1);
select "id", "iid", "title"
  from "issues"
  where "id" = any($1);
select "notes"."id", "notes"."id" as "iid", coalesce(issues.title, merge_requests.title) as "title"
  from "notes"
  left join "issues" on "issues"."id" = "notes"."issue_id"
  left join "merge_requests" on "merge_requests"."id" = "notes"."merge_request_id"
  where "notes"."id" = any($1);
select "id", "iid", "title"
  from "merge_requests"
  where "id" = any($1);
select "id", "iid", "title"
  from "milestones"
  where "id" = any($1);
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select "suggestions".*, "notes"."position" as "at", "notes"."discussion_id", "notes"."merge_request_id", "merge_requests"."state", "merge_requests"."head_sha", "merge_requests"."project_id", "merge_requests"."iid"
  from "suggestions"
  inner join "notes" on "notes"."id" = "suggestions"."note_id"
  inner join "merge_requests" on "merge_requests"."id" = "notes"."merge_request_id"
  where "suggestions"."note_id" = any($1)
  order by "suggestions"."position";

-- GET /feature_flags/unleash/:project_id

-- GET /feature_flags/unleash/:project_id/client/features

-- GET /feature_flags/unleash/:project_id/features

-- GET /features
select count(*)::int as total
  from (select 1 as "one"
  from "feature_flags"
  limit $1) as counted;
select "name", "gates" as "gates"
  from "feature_flags"
  order by "name"
  limit $1 offset $2;

-- GET /features/definitions

-- GET /groups
select count(*)::int as total
  from (select 1 as "one"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $1 and not namespaces.deleting
  limit $2) as counted;
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $1 and not namespaces.deleting
  order by lower("namespaces"."name") asc, "namespaces"."id" asc
  limit $2 offset $3;

-- GET /groups/:id
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where not projects.deleting and projects.id = any(array(select held.id
  from projects held
  where held.namespace_id in ($1)))
  order by "projects"."created_at" desc, "projects"."id" desc
  limit $2;
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where not projects.deleting and projects.id = any(array(select s.project_id
  from shares s
  where s.group_id = $1 and s.project_id is not null and (s.expires_at is null or s.expires_at > current_date) and true))
  order by "projects"."created_at" desc, "projects"."id" desc
  limit $2;
select "shares"."namespace_id" as "shared_id", "shares"."group_id", "namespaces"."name" as "group_name", "routes"."path" as "group_full_path", "shares"."access_level" as "group_access_level", "shares"."expires_at"
  from "shares"
  inner join "namespaces" on "namespaces"."id" = "shares"."group_id"
  inner join "routes" on "routes"."namespace_id" = "shares"."group_id"
  where "shares"."namespace_id" = any($1) and (shares.expires_at is null or shares.expires_at > current_date) and not namespaces.deleting
  order by "shares"."id";
select "namespace_id" as "id", "encrypted"
  from "runners_tokens"
  where "namespace_id" = any($1);
select p.id, (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from members m
  where m.user_id = $1 and m.project_id = p.id) as project, greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any(n.traversal_ids)), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $3 and m.project_id = p.id and m.share_id is not null) ) as group
  from projects p join namespaces n on n.id = p.namespace_id
  where p.id = any($4);
select "project_id", "namespace_id", "level"
  from "notification_settings"
  where "user_id" = $1 and ("project_id" = any($2) or "namespace_id" = any($3));
select "project_id" as "id", "encrypted"
  from "runners_tokens"
  where "project_id" = any($1);
select "shares"."project_id" as "shared_id", "shares"."group_id", "namespaces"."name" as "group_name", "routes"."path" as "group_full_path", "shares"."access_level" as "group_access_level", "shares"."expires_at"
  from "shares"
  inner join "namespaces" on "namespaces"."id" = "shares"."group_id"
  inner join "routes" on "routes"."namespace_id" = "shares"."group_id"
  where "shares"."project_id" = any($1) and (shares.expires_at is null or shares.expires_at > current_date) and not namespaces.deleting
  order by "shares"."id";
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "project_forks"."project_id" as "fork_id"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join "project_forks" on "project_forks"."source_id" = "projects"."id"
  where "project_forks"."project_id" = any($1) and not projects.deleting;
select "id", "name", "username", "state", "avatar_url", "created_at"
  from "users"
  where "id" = any($1);
select p.id, (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from members m
  where m.user_id = $1 and m.project_id = p.id) as project, greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any(n.traversal_ids)), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $3 and m.project_id = p.id and m.share_id is not null) ) as group
  from projects p join namespaces n on n.id = p.namespace_id
  where p.id = any($4);
select "project_id", "namespace_id", "level"
  from "notification_settings"
  where "user_id" = $1 and ("project_id" = any($2) or "namespace_id" = any($3));
select "project_id" as "id", "encrypted"
  from "runners_tokens"
  where "project_id" = any($1);
select "shares"."project_id" as "shared_id", "shares"."group_id", "namespaces"."name" as "group_name", "routes"."path" as "group_full_path", "shares"."access_level" as "group_access_level", "shares"."expires_at"
  from "shares"
  inner join "namespaces" on "namespaces"."id" = "shares"."group_id"
  inner join "routes" on "routes"."namespace_id" = "shares"."group_id"
  where "shares"."project_id" = any($1) and (shares.expires_at is null or shares.expires_at > current_date) and not namespaces.deleting
  order by "shares"."id";
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "project_forks"."project_id" as "fork_id"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join "project_forks" on "project_forks"."source_id" = "projects"."id"
  where "project_forks"."project_id" = any($1) and not projects.deleting;

-- GET /groups/:id/-/search
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select count(*)::int as total
  from (select 1 as "one"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where issues.project_id in (select projects.id
  from projects
  where projects.namespace_id = any(array(select g.id
  from namespaces g
  where g.traversal_ids @> $1::bigint[])) and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')) and (("issues"."title" ilike $2) or ("issues"."description" ilike $3))
  limit $4) as counted;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where issues.project_id in (select projects.id
  from projects
  where projects.namespace_id = any(array(select g.id
  from namespaces g
  where g.traversal_ids @> $2::bigint[])) and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')) and (("issues"."title" ilike $3) or ("issues"."description" ilike $4))
  order by "issues"."created_at" desc, "issues"."id" desc
  limit $5 offset $6;
select "milestones".*, coalesce("project_routes"."path", "group_routes"."path") as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."id" = any($1);
select "epics"."id", "epics"."iid", "epics"."title", "epics"."namespace_id", "routes"."path" as "group_path"
  from "epics"
  inner join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  inner join "routes" on "routes"."namespace_id" = "epics"."namespace_id"
  where "epics"."id" = any($1) and true;

-- GET /groups/:id/access_requests
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select count(*)::int as total
  from (select 1 as "one"
  from "access_requests"
  inner join "users" on "users"."id" = "access_requests"."user_id"
  where "access_requests"."namespace_id" = $1
  limit $2) as counted;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url", "access_requests"."created_at" as "requested_at"
  from "access_requests"
  inner join "users" on "users"."id" = "access_requests"."user_id"
  where "access_requests"."namespace_id" = $1
  order by "access_requests"."id"
  limit $2 offset $3;

-- GET /groups/:id/access_tokens
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select count(*)::int as total
  from (select 1 as "one"
  from "personal_access_tokens"
  inner join "bots" on "bots"."user_id" = "personal_access_tokens"."user_id"
  left join "members" on "members"."user_id" = "bots"."user_id" and ("members"."project_id" = "bots"."project_id" or "members"."namespace_id" = "bots"."namespace_id")
  where "bots"."namespace_id" = $1 and "personal_access_tokens"."revoked" = $2
  limit $3) as counted;
select "personal_access_tokens"."id", "personal_access_tokens"."user_id", "personal_access_tokens"."name", "personal_access_tokens"."scopes", "personal_access_tokens"."impersonation", "personal_access_tokens"."revoked", "personal_access_tokens"."created_at", "personal_access_tokens"."last_used_at", least("personal_access_tokens"."expires_at", (("personal_access_tokens"."created_at" + (select "max_personal_access_token_lifetime"
  from application_settings) * interval '1 day') at time zone 'UTC')::date) as "expires_at", coalesce("members"."access_level", 0) as "access_level"
  from "personal_access_tokens"
  inner join "bots" on "bots"."user_id" = "personal_access_tokens"."user_id"
  left join "members" on "members"."user_id" = "bots"."user_id" and ("members"."project_id" = "bots"."project_id" or "members"."namespace_id" = "bots"."namespace_id")
  where "bots"."namespace_id" = $1 and "personal_access_tokens"."revoked" = $2
  order by "personal_access_tokens"."id"
  limit $3 offset $4;

-- GET /groups/:id/access_tokens/:token_id
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "personal_access_tokens"."id", "personal_access_tokens"."user_id", "personal_access_tokens"."name", "personal_access_tokens"."scopes", "personal_access_tokens"."impersonation", "personal_access_tokens"."revoked", "personal_access_tokens"."created_at", "personal_access_tokens"."last_used_at", least("personal_access_tokens"."expires_at", (("personal_access_tokens"."created_at" + (select "max_personal_access_token_lifetime"
  from application_settings) * interval '1 day') at time zone 'UTC')::date) as "expires_at", coalesce("members"."access_level", 0) as "access_level"
  from "personal_access_tokens"
  inner join "bots" on "bots"."user_id" = "personal_access_tokens"."user_id"
  left join "members" on "members"."user_id" = "bots"."user_id" and ("members"."project_id" = "bots"."project_id" or "members"."namespace_id" = "bots"."namespace_id")
  where "bots"."namespace_id" = $1 and "personal_access_tokens"."revoked" = $2 and "personal_access_tokens"."id" = $3
  order by "personal_access_tokens"."id";

-- GET /groups/:id/audit_events
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select count(*)::int as total
  from (select 1 as "one"
  from "audit_events"
  where "audit_events"."entity_type" = $1 and "audit_events"."entity_id" = $2
  limit $3) as counted;
select "audit_events".*
  from "audit_events"
  where "audit_events"."entity_type" = $1 and "audit_events"."entity_id" = $2
  order by "audit_events"."id" desc
  limit $3 offset $4;

-- GET /groups/:id/audit_events/:audit_event_id
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "audit_events".*
  from "audit_events"
  where "audit_events"."entity_type" = $1 and "audit_events"."entity_id" = $2 and "audit_events"."id" = $3
  order by "audit_events"."id" desc;

-- GET /groups/:id/avatar
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "avatars"."filename", "avatars"."media_type", "stored_objects"."key", "stored_objects"."size", "stored_objects"."sha256"
  from "avatars"
  inner join "stored_objects" on "stored_objects"."id" = "avatars"."object_id"
  where "namespace_id" = $1;

-- GET /groups/:id/badges
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "projects"."id"
  from "projects"
  inner join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  where namespaces.traversal_ids @> $1 and not projects.deleting
  order by "projects"."id"
  limit $2;
select count(*)::int as total
  from (select 1 as "one"
  from "badges"
  where "namespace_id" = $1
  limit $2) as counted;
select "id", "name", "link_url", "image_url", case when project_id is null then 'group' else 'project' end as "kind", $1::bigint as "shown_for"
  from "badges"
  where "namespace_id" = $2
  order by "id"
  limit $3 offset $4;
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where "projects"."id" = any($1);
select "id"
  from "projects"
  where projects.id in (select projects.id
  from projects
  where projects.id = any($1) and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled'));

-- GET /groups/:id/badges/:badge_id
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "projects"."id"
  from "projects"
  inner join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  where namespaces.traversal_ids @> $1 and not projects.deleting
  order by "projects"."id"
  limit $2;
select "id", "name", "link_url", "image_url", case when project_id is null then 'group' else 'project' end as "kind", $1::bigint as "shown_for"
  from "badges"
  where "namespace_id" = $2 and "id" = $3
  order by "id";
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where "projects"."id" = any($1);
select "id"
  from "projects"
  where projects.id in (select projects.id
  from projects
  where projects.id = any($1) and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled'));

-- GET /groups/:id/badges/render
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "projects"."id"
  from "projects"
  inner join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  where namespaces.traversal_ids @> $1 and not projects.deleting
  order by "projects"."id"
  limit $2;
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where "projects"."id" = any($1);

-- GET /groups/:id/billable_members
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select count(*)::int as total
  from (select 1 as "one"
  from "users"
  inner join (select "m"."user_id", max(m.access_level) as "access_level", min(m.created_at) as "joined", bool_or(m.share_id is null) as "removable", case when bool_or(m.share_id is null and m.namespace_id is not null) then 'group_member' when bool_or(m.share_id is null) then 'project_member' when bool_or(m.namespace_id is not null) then 'group_invite' else 'project_invite' end as "membership_type"
  from "memberships" as "m"
  where ("m"."expires_at" is null or "m"."expires_at" > current_date) and ( m.namespace_id in (select tree.id
  from namespaces tree
  where tree.traversal_ids @> $1::bigint[]) or m.project_id in (select inside.id
  from projects inside join namespaces home on home.id = inside.namespace_id
  where home.traversal_ids @> $2::bigint[])) group by "m"."user_id") as "reached" on "reached"."user_id" = "users"."id"
  where "users"."state" = $3 and "users"."kind" = $4
  limit $5) as counted;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url", "users"."last_activity_on", "reached"."membership_type", "reached"."removable"
  from "users"
  inner join (select "m"."user_id", max(m.access_level) as "access_level", min(m.created_at) as "joined", bool_or(m.share_id is null) as "removable", case when bool_or(m.share_id is null and m.namespace_id is not null) then 'group_member' when bool_or(m.share_id is null) then 'project_member' when bool_or(m.namespace_id is not null) then 'group_invite' else 'project_invite' end as "membership_type"
  from "memberships" as "m"
  where ("m"."expires_at" is null or "m"."expires_at" > current_date) and ( m.namespace_id in (select tree.id
  from namespaces tree
  where tree.traversal_ids @> $1::bigint[]) or m.project_id in (select inside.id
  from projects inside join namespaces home on home.id = inside.namespace_id
  where home.traversal_ids @> $2::bigint[])) group by "m"."user_id") as "reached" on "reached"."user_id" = "users"."id"
  where "users"."state" = $3 and "users"."kind" = $4
  order by "users"."id"
  limit $5 offset $6;

-- GET /groups/:id/billable_members/:user_id/memberships
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url", "users"."last_activity_on", "reached"."membership_type", "reached"."removable"
  from "users"
  inner join (select "m"."user_id", max(m.access_level) as "access_level", min(m.created_at) as "joined", bool_or(m.share_id is null) as "removable", case when bool_or(m.share_id is null and m.namespace_id is not null) then 'group_member' when bool_or(m.share_id is null) then 'project_member' when bool_or(m.namespace_id is not null) then 'group_invite' else 'project_invite' end as "membership_type"
  from "memberships" as "m"
  where ("m"."expires_at" is null or "m"."expires_at" > current_date) and ( m.namespace_id in (select tree.id
  from namespaces tree
  where tree.traversal_ids @> $1::bigint[]) or m.project_id in (select inside.id
  from projects inside join namespaces home on home.id = inside.namespace_id
  where home.traversal_ids @> $2::bigint[])) group by "m"."user_id") as "reached" on "reached"."user_id" = "users"."id"
  where "users"."state" = $3 and "users"."kind" = $4 and "users"."id" = $5
  order by "users"."id";
select count(*)::int as total
  from (select 1 as "one"
  from "members" as "m"
  left join "routes" as "group_route" on "group_route"."namespace_id" = "m"."namespace_id"
  left join "routes" as "project_route" on "project_route"."project_id" = "m"."project_id"
  where ("m"."expires_at" is null or "m"."expires_at" > current_date) and "m"."user_id" = $1 and ( m.namespace_id in (select tree.id
  from namespaces tree
  where tree.traversal_ids @> $2::bigint[]) or m.project_id in (select inside.id
  from projects inside join namespaces home on home.id = inside.namespace_id
  where home.traversal_ids @> $3::bigint[]))
  limit $4) as counted;
select "m"."id", "m"."namespace_id", "m"."project_id", "m"."access_level", "m"."created_at", "m"."expires_at", coalesce(project_route.name, group_route.name) as "full_name", coalesce(project_route.path, group_route.path) as "full_path"
  from "members" as "m"
  left join "routes" as "group_route" on "group_route"."namespace_id" = "m"."namespace_id"
  left join "routes" as "project_route" on "project_route"."project_id" = "m"."project_id"
  where ("m"."expires_at" is null or "m"."expires_at" > current_date) and "m"."user_id" = $1 and ( m.namespace_id in (select tree.id
  from namespaces tree
  where tree.traversal_ids @> $2::bigint[]) or m.project_id in (select inside.id
  from projects inside join namespaces home on home.id = inside.namespace_id
  where home.traversal_ids @> $3::bigint[]))
  order by "m"."id"
  limit $4 offset $5;

-- GET /groups/:id/boards
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select count(*)::int as total
  from (select 1 as "one"
  from "boards"
  where "boards"."namespace_id" = $1
  limit $2) as counted;
select "boards".*, array(select l.label_id
  from board_labels l
  where l.board_id = boards.id
  order by l.label_id) as "label_ids"
  from "boards"
  where "boards"."namespace_id" = $1
  order by "boards"."id"
  limit $2 offset $3;
select "board_lists".*
  from "board_lists"
  where "board_lists"."board_id" = any($1)
  order by "board_lists"."position", "board_lists"."id";
select *
  from "labels"
  where "id" = any($1);
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $1 and "namespaces"."id" = any($2);

-- GET /groups/:id/boards/:board_id
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "boards".*, array(select l.label_id
  from board_labels l
  where l.board_id = boards.id
  order by l.label_id) as "label_ids"
  from "boards"
  where "boards"."namespace_id" = $1 and "boards"."id" = $2
  order by "boards"."id";
select "board_lists".*
  from "board_lists"
  where "board_lists"."board_id" = any($1)
  order by "board_lists"."position", "board_lists"."id";
select *
  from "labels"
  where "id" = any($1);
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $1 and "namespaces"."id" = any($2);

-- GET /groups/:id/boards/:board_id/lists
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "boards".*, array(select l.label_id
  from board_labels l
  where l.board_id = boards.id
  order by l.label_id) as "label_ids"
  from "boards"
  where "boards"."namespace_id" = $1 and "boards"."id" = $2
  order by "boards"."id";
select count(*)::int as total
  from (select 1 as "one"
  from "board_lists"
  where "board_lists"."board_id" = $1
  limit $2) as counted;
select "board_lists".*
  from "board_lists"
  where "board_lists"."board_id" = $1
  order by "board_lists"."position", "board_lists"."id"
  limit $2 offset $3;
select *
  from "labels"
  where "id" = any($1);

-- GET /groups/:id/boards/:board_id/lists/:list_id
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "boards".*, array(select l.label_id
  from board_labels l
  where l.board_id = boards.id
  order by l.label_id) as "label_ids"
  from "boards"
  where "boards"."namespace_id" = $1 and "boards"."id" = $2
  order by "boards"."id";
select "board_lists".*
  from "board_lists"
  where "board_lists"."board_id" = $1 and "board_lists"."id" = $2
  order by "board_lists"."position", "board_lists"."id";
select *
  from "labels"
  where "id" = any($1);

-- GET /groups/:id/custom_attributes
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select count(*)::int as total
  from (select 1 as "one"
  from "custom_attributes"
  where "namespace_id" = $1
  limit $2) as counted;
select "key", "value"
  from "custom_attributes"
  where "namespace_id" = $1
  order by "id"
  limit $2 offset $3;

-- GET /groups/:id/custom_attributes/:key
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "key", "value"
  from "custom_attributes"
  where "namespace_id" = $1 and "key" = $2
  order by "id";

-- GET /groups/:id/deploy_tokens
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select count(*)::int as total
  from (select 1 as "one"
  from "deploy_tokens"
  where "group_id" = $1
  limit $2) as counted;
select "id", "project_id", "group_id", "name", "username", "scopes", "created_by", "created_at", least("deploy_tokens"."expires_at", "deploy_tokens"."created_at" + (select "max_deploy_token_lifetime"
  from application_settings) * interval '1 day') as "expires_at"
  from "deploy_tokens"
  where "group_id" = $1
  order by "id" desc
  limit $2 offset $3;

-- GET /groups/:id/deploy_tokens/:token_id
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "id", "project_id", "group_id", "name", "username", "scopes", "created_by", "created_at", least("deploy_tokens"."expires_at", "deploy_tokens"."created_at" + (select "max_deploy_token_lifetime"
  from application_settings) * interval '1 day') as "expires_at"
  from "deploy_tokens"
  where "group_id" = $1 and "id" = $2
  order by "id" desc;

-- GET /groups/:id/descendant_groups
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select count(*)::int as total
  from (select 1 as "one"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $1 and not namespaces.deleting and namespaces.traversal_ids @> $2 and "namespaces"."id" <> $3
  limit $4) as counted;
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $1 and not namespaces.deleting and namespaces.traversal_ids @> $2 and "namespaces"."id" <> $3
  order by lower("namespaces"."name") asc, "namespaces"."id" asc
  limit $4 offset $5;

-- GET /groups/:id/epics
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select count(*)::int as total
  from (select 1 as "one"
  from "epics"
  left join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  left join "routes" on "routes"."namespace_id" = "epics"."namespace_id"
  left join "epics" as "parents" on "parents"."id" = "epics"."parent_id"
  where (namespaces.traversal_ids @> $1::bigint[] or namespaces.id = any($2)) and true and true
  limit $3) as counted;
select "epics".*, "routes"."path" as "group_path", "namespaces"."traversal_ids" as "group_traversal_ids", "parents"."iid" as "parent_iid", "parents"."namespace_id" as "parent_group_id", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role", $7::text as "asked_in", array(select l.label_id
  from epic_labels l
  where l.epic_id = epics.id) as "label_ids"
  from "epics"
  left join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  left join "routes" on "routes"."namespace_id" = "epics"."namespace_id"
  left join "epics" as "parents" on "parents"."id" = "epics"."parent_id"
  where (namespaces.traversal_ids @> $8::bigint[] or namespaces.id = any($9)) and true and true
  order by "epics"."created_at" desc, "epics"."id" desc
  limit $10 offset $11;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select *
  from "labels"
  where "id" = any($1);
with recursive tree as ( select id
  from epics
  where id = any($1) union select e.id
  from epics e join tree on e.parent_id = tree.id ) select e.id, e.parent_id, e.start_date_is_fixed, e.start_date_fixed, e.due_date_is_fixed, e.due_date_fixed, m.milestones_start, m.milestones_due
  from tree join epics e on e.id = tree.id
  left join lateral ( select min(milestones.start_date) as milestones_start, max(milestones.due_date) as milestones_due
  from issues join milestones on milestones.id = issues.milestone_id
  where issues.epic_id = e.id ) m on true;

-- GET /groups/:id/epics/:epic_id/discussions
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "epics".*, "routes"."path" as "group_path", "namespaces"."traversal_ids" as "group_traversal_ids", "parents"."iid" as "parent_iid", "parents"."namespace_id" as "parent_group_id", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role", $7::text as "asked_in", array(select l.label_id
  from epic_labels l
  where l.epic_id = epics.id) as "label_ids"
  from "epics"
  left join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  left join "routes" on "routes"."namespace_id" = "epics"."namespace_id"
  left join "epics" as "parents" on "parents"."id" = "epics"."parent_id"
  where "epics"."id" = $8 and true;
select count(*) as "total"
  from (select "notes"."discussion_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."epic_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled'))) and (notes.named_commit is null or notes.named_project_id is not null)) and (notes.action is null or notes.action not in ('state', 'labels', 'milestone_id', 'weight')) group by "notes"."discussion_id"
  limit $2) as "some";
select "notes"."discussion_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."epic_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled'))) and (notes.named_commit is null or notes.named_project_id is not null)) and (notes.action is null or notes.action not in ('state', 'labels', 'milestone_id', 'weight')) group by "notes"."discussion_id"
  order by min(notes.created_at), min(notes.id)
  limit $2 offset $3;
select "notes".*, coalesce(issue.iid, merge_request.iid, epic.iid) as "noteable_iid", coalesce(issue.project_id, merge_request.project_id) as "project_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."epic_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled'))) and (notes.named_commit is null or notes.named_project_id is not null)) and "notes"."discussion_id" = any($2)
  order by "notes"."created_at", "notes"."id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /groups/:id/epics/:epic_id/discussions/:discussion_id
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "epics".*, "routes"."path" as "group_path", "namespaces"."traversal_ids" as "group_traversal_ids", "parents"."iid" as "parent_iid", "parents"."namespace_id" as "parent_group_id", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role", $7::text as "asked_in", array(select l.label_id
  from epic_labels l
  where l.epic_id = epics.id) as "label_ids"
  from "epics"
  left join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  left join "routes" on "routes"."namespace_id" = "epics"."namespace_id"
  left join "epics" as "parents" on "parents"."id" = "epics"."parent_id"
  where "epics"."id" = $8 and true;
select "notes".*, coalesce(issue.iid, merge_request.iid, epic.iid) as "noteable_iid", coalesce(issue.project_id, merge_request.project_id) as "project_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."epic_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled'))) and (notes.named_commit is null or notes.named_project_id is not null)) and "notes"."discussion_id" = any($2)
  order by "notes"."created_at", "notes"."id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /groups/:id/epics/:epic_id/discussions/:discussion_id/notes
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "epics".*, "routes"."path" as "group_path", "namespaces"."traversal_ids" as "group_traversal_ids", "parents"."iid" as "parent_iid", "parents"."namespace_id" as "parent_group_id", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role", $7::text as "asked_in", array(select l.label_id
  from epic_labels l
  where l.epic_id = epics.id) as "label_ids"
  from "epics"
  left join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  left join "routes" on "routes"."namespace_id" = "epics"."namespace_id"
  left join "epics" as "parents" on "parents"."id" = "epics"."parent_id"
  where "epics"."id" = $8 and true;
select "notes".*, coalesce(issue.iid, merge_request.iid, epic.iid) as "noteable_iid", coalesce(issue.project_id, merge_request.project_id) as "project_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."epic_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled'))) and (notes.named_commit is null or notes.named_project_id is not null)) and "notes"."discussion_id" = any($2)
  order by "notes"."created_at", "notes"."id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /groups/:id/epics/:epic_id/discussions/:discussion_id/notes/:note_id
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "epics".*, "routes"."path" as "group_path", "namespaces"."traversal_ids" as "group_traversal_ids", "parents"."iid" as "parent_iid", "parents"."namespace_id" as "parent_group_id", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role", $7::text as "asked_in", array(select l.label_id
  from epic_labels l
  where l.epic_id = epics.id) as "label_ids"
  from "epics"
  left join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  left join "routes" on "routes"."namespace_id" = "epics"."namespace_id"
  left join "epics" as "parents" on "parents"."id" = "epics"."parent_id"
  where "epics"."id" = $8 and true;
select "notes".*, coalesce(issue.iid, merge_request.iid, epic.iid) as "noteable_iid", coalesce(issue.project_id, merge_request.project_id) as "project_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."epic_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled'))) and (notes.named_commit is null or notes.named_project_id is not null)) and "notes"."discussion_id" = any($2)
  order by "notes"."created_at", "notes"."id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /groups/:id/epics/:epic_id/notes
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "epics".*, "routes"."path" as "group_path", "namespaces"."traversal_ids" as "group_traversal_ids", "parents"."iid" as "parent_iid", "parents"."namespace_id" as "parent_group_id", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role", $7::text as "asked_in", array(select l.label_id
  from epic_labels l
  where l.epic_id = epics.id) as "label_ids"
  from "epics"
  left join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  left join "routes" on "routes"."namespace_id" = "epics"."namespace_id"
  left join "epics" as "parents" on "parents"."id" = "epics"."parent_id"
  where "epics"."id" = $8 and true;
select count(*)::int as total
  from (select 1 as "one"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."epic_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled'))) and (notes.named_commit is null or notes.named_project_id is not null)) and (notes.action is null or notes.action not in ('state', 'labels', 'milestone_id', 'weight'))
  limit $2) as counted;
select "notes".*, coalesce(issue.iid, merge_request.iid, epic.iid) as "noteable_iid", coalesce(issue.project_id, merge_request.project_id) as "project_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."epic_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled'))) and (notes.named_commit is null or notes.named_project_id is not null)) and (notes.action is null or notes.action not in ('state', 'labels', 'milestone_id', 'weight'))
  order by "notes"."created_at" desc, "notes"."id" desc
  limit $2 offset $3;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /groups/:id/epics/:epic_id/notes/:note_id
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "epics".*, "routes"."path" as "group_path", "namespaces"."traversal_ids" as "group_traversal_ids", "parents"."iid" as "parent_iid", "parents"."namespace_id" as "parent_group_id", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role", $7::text as "asked_in", array(select l.label_id
  from epic_labels l
  where l.epic_id = epics.id) as "label_ids"
  from "epics"
  left join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  left join "routes" on "routes"."namespace_id" = "epics"."namespace_id"
  left join "epics" as "parents" on "parents"."id" = "epics"."parent_id"
  where "epics"."id" = $8 and true;
select "notes".*, coalesce(issue.iid, merge_request.iid, epic.iid) as "noteable_iid", coalesce(issue.project_id, merge_request.project_id) as "project_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."epic_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled'))) and (notes.named_commit is null or notes.named_project_id is not null)) and "notes"."id" = $2;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /groups/:id/epics/:epic_id/participants
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "epics".*, "routes"."path" as "group_path", "namespaces"."traversal_ids" as "group_traversal_ids", "parents"."iid" as "parent_iid", "parents"."namespace_id" as "parent_group_id", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role", $7::text as "asked_in", array(select l.label_id
  from epic_labels l
  where l.epic_id = epics.id) as "label_ids"
  from "epics"
  left join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  left join "routes" on "routes"."namespace_id" = "epics"."namespace_id"
  left join "epics" as "parents" on "parents"."id" = "epics"."parent_id"
  where "epics"."id" = $8 and true;
select count(*)::int as total
  from (select 1 as "one"
  from "users"
  where ("users"."id" = any($1) or "users"."id" in (select "notes"."author_id" as "id"
  from "notes"
  where "notes"."epic_id" = $2 and "notes"."action" is null and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled'))) and (notes.named_commit is null or notes.named_project_id is not null))) or "users"."id" in (select "user_mentions"."user_id" as "id"
  from "user_mentions"
  left join "notes" on "notes"."id" = "user_mentions"."note_id"
  where "user_mentions"."epic_id" = $3 and (notes.id is null or ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled'))) and (notes.named_commit is null or notes.named_project_id is not null)))))
  limit $4) as counted;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where ("users"."id" = any($1) or "users"."id" in (select "notes"."author_id" as "id"
  from "notes"
  where "notes"."epic_id" = $2 and "notes"."action" is null and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled'))) and (notes.named_commit is null or notes.named_project_id is not null))) or "users"."id" in (select "user_mentions"."user_id" as "id"
  from "user_mentions"
  left join "notes" on "notes"."id" = "user_mentions"."note_id"
  where "user_mentions"."epic_id" = $3 and (notes.id is null or ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled'))) and (notes.named_commit is null or notes.named_project_id is not null)))))
  order by "users"."id"
  limit $4 offset $5;

-- GET /groups/:id/epics/:epic_id/resource_label_events
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "epics".*, "routes"."path" as "group_path", "namespaces"."traversal_ids" as "group_traversal_ids", "parents"."iid" as "parent_iid", "parents"."namespace_id" as "parent_group_id", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role", $7::text as "asked_in", array(select l.label_id
  from epic_labels l
  where l.epic_id = epics.id) as "label_ids"
  from "epics"
  left join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  left join "routes" on "routes"."namespace_id" = "epics"."namespace_id"
  left join "epics" as "parents" on "parents"."id" = "epics"."parent_id"
  where "epics"."id" = $8 and true;
select count(*)::int as total
  from (select 1 as "one"
  from "resource_events"
  where "epic_id" = $1 and "kind" = $2
  limit $3) as counted;
select *
  from "resource_events"
  where "epic_id" = $1 and "kind" = $2
  order by "id"
  limit $3 offset $4;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select *
  from "labels"
  where "id" = any($1);

-- GET /groups/:id/epics/:epic_id/resource_label_events/:event_id
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "epics".*, "routes"."path" as "group_path", "namespaces"."traversal_ids" as "group_traversal_ids", "parents"."iid" as "parent_iid", "parents"."namespace_id" as "parent_group_id", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role", $7::text as "asked_in", array(select l.label_id
  from epic_labels l
  where l.epic_id = epics.id) as "label_ids"
  from "epics"
  left join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  left join "routes" on "routes"."namespace_id" = "epics"."namespace_id"
  left join "epics" as "parents" on "parents"."id" = "epics"."parent_id"
  where "epics"."id" = $8 and true;
select *
  from "resource_events"
  where "epic_id" = $1 and "kind" = $2 and "id" = $3
  order by "id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select *
  from "labels"
  where "id" = any($1);

-- GET /groups/:id/epics/:epic_id/resource_state_events
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "epics".*, "routes"."path" as "group_path", "namespaces"."traversal_ids" as "group_traversal_ids", "parents"."iid" as "parent_iid", "parents"."namespace_id" as "parent_group_id", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role", $7::text as "asked_in", array(select l.label_id
  from epic_labels l
  where l.epic_id = epics.id) as "label_ids"
  from "epics"
  left join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  left join "routes" on "routes"."namespace_id" = "epics"."namespace_id"
  left join "epics" as "parents" on "parents"."id" = "epics"."parent_id"
  where "epics"."id" = $8 and true;
select count(*)::int as total
  from (select 1 as "one"
  from "resource_events"
  where "epic_id" = $1 and "kind" = $2
  limit $3) as counted;
select *
  from "resource_events"
  where "epic_id" = $1 and "kind" = $2
  order by "id"
  limit $3 offset $4;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /groups/:id/epics/:epic_id/resource_state_events/:event_id
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "epics".*, "routes"."path" as "group_path", "namespaces"."traversal_ids" as "group_traversal_ids", "parents"."iid" as "parent_iid", "parents"."namespace_id" as "parent_group_id", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role", $7::text as "asked_in", array(select l.label_id
  from epic_labels l
  where l.epic_id = epics.id) as "label_ids"
  from "epics"
  left join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  left join "routes" on "routes"."namespace_id" = "epics"."namespace_id"
  left join "epics" as "parents" on "parents"."id" = "epics"."parent_id"
  where "epics"."id" = $8 and true;
select *
  from "resource_events"
  where "epic_id" = $1 and "kind" = $2 and "id" = $3
  order by "id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /groups/:id/epics/:epic_iid
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "epics".*, "routes"."path" as "group_path", "namespaces"."traversal_ids" as "group_traversal_ids", "parents"."iid" as "parent_iid", "parents"."namespace_id" as "parent_group_id", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role", $7::text as "asked_in", array(select l.label_id
  from epic_labels l
  where l.epic_id = epics.id) as "label_ids"
  from "epics"
  left join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  left join "routes" on "routes"."namespace_id" = "epics"."namespace_id"
  left join "epics" as "parents" on "parents"."id" = "epics"."parent_id"
  where "epics"."namespace_id" = $8 and "epics"."iid" = $9 and true;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select *
  from "labels"
  where "id" = any($1);
with recursive tree as ( select id
  from epics
  where id = any($1) union select e.id
  from epics e join tree on e.parent_id = tree.id ) select e.id, e.parent_id, e.start_date_is_fixed, e.start_date_fixed, e.due_date_is_fixed, e.due_date_fixed, m.milestones_start, m.milestones_due
  from tree join epics e on e.id = tree.id
  left join lateral ( select min(milestones.start_date) as milestones_start, max(milestones.due_date) as milestones_due
  from issues join milestones on milestones.id = issues.milestone_id
  where issues.epic_id = e.id ) m on true;

-- GET /groups/:id/epics/:epic_iid/award_emoji
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "epics".*, "routes"."path" as "group_path", "namespaces"."traversal_ids" as "group_traversal_ids", "parents"."iid" as "parent_iid", "parents"."namespace_id" as "parent_group_id", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role", $7::text as "asked_in", array(select l.label_id
  from epic_labels l
  where l.epic_id = epics.id) as "label_ids"
  from "epics"
  left join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  left join "routes" on "routes"."namespace_id" = "epics"."namespace_id"
  left join "epics" as "parents" on "parents"."id" = "epics"."parent_id"
  where "epics"."namespace_id" = $8 and "epics"."iid" = $9 and true;
select count(*)::int as total
  from (select 1 as "one"
  from "award_emoji"
  where "epic_id" = $1
  limit $2) as counted;
select *
  from "award_emoji"
  where "epic_id" = $1
  order by "id"
  limit $2 offset $3;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /groups/:id/epics/:epic_iid/award_emoji/:award_id
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "epics".*, "routes"."path" as "group_path", "namespaces"."traversal_ids" as "group_traversal_ids", "parents"."iid" as "parent_iid", "parents"."namespace_id" as "parent_group_id", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role", $7::text as "asked_in", array(select l.label_id
  from epic_labels l
  where l.epic_id = epics.id) as "label_ids"
  from "epics"
  left join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  left join "routes" on "routes"."namespace_id" = "epics"."namespace_id"
  left join "epics" as "parents" on "parents"."id" = "epics"."parent_id"
  where "epics"."namespace_id" = $8 and "epics"."iid" = $9 and true;
select *
  from "award_emoji"
  where "epic_id" = $1 and "id" = $2
  order by "id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /groups/:id/epics/:epic_iid/epics
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "epics".*, "routes"."path" as "group_path", "namespaces"."traversal_ids" as "group_traversal_ids", "parents"."iid" as "parent_iid", "parents"."namespace_id" as "parent_group_id", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role", $7::text as "asked_in", array(select l.label_id
  from epic_labels l
  where l.epic_id = epics.id) as "label_ids"
  from "epics"
  left join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  left join "routes" on "routes"."namespace_id" = "epics"."namespace_id"
  left join "epics" as "parents" on "parents"."id" = "epics"."parent_id"
  where "epics"."namespace_id" = $8 and "epics"."iid" = $9 and true;
select count(*)::int as total
  from (select 1 as "one"
  from "epics"
  left join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  left join "routes" on "routes"."namespace_id" = "epics"."namespace_id"
  left join "epics" as "parents" on "parents"."id" = "epics"."parent_id"
  where "epics"."parent_id" = $1 and true
  limit $2) as counted;
select "epics".*, "routes"."path" as "group_path", "namespaces"."traversal_ids" as "group_traversal_ids", "parents"."iid" as "parent_iid", "parents"."namespace_id" as "parent_group_id", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role", $7::text as "asked_in", array(select l.label_id
  from epic_labels l
  where l.epic_id = epics.id) as "label_ids"
  from "epics"
  left join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  left join "routes" on "routes"."namespace_id" = "epics"."namespace_id"
  left join "epics" as "parents" on "parents"."id" = "epics"."parent_id"
  where "epics"."parent_id" = $8 and true
  order by "epics"."position", "epics"."id"
  limit $9 offset $10;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
with recursive tree as ( select id
  from epics
  where id = any($1) union select e.id
  from epics e join tree on e.parent_id = tree.id ) select e.id, e.parent_id, e.start_date_is_fixed, e.start_date_fixed, e.due_date_is_fixed, e.due_date_fixed, m.milestones_start, m.milestones_due
  from tree join epics e on e.id = tree.id
  left join lateral ( select min(milestones.start_date) as milestones_start, max(milestones.due_date) as milestones_due
  from issues join milestones on milestones.id = issues.milestone_id
  where issues.epic_id = e.id ) m on true;

-- GET /groups/:id/epics/:epic_iid/issues
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "epics".*, "routes"."path" as "group_path", "namespaces"."traversal_ids" as "group_traversal_ids", "parents"."iid" as "parent_iid", "parents"."namespace_id" as "parent_group_id", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role", $7::text as "asked_in", array(select l.label_id
  from epic_labels l
  where l.epic_id = epics.id) as "label_ids"
  from "epics"
  left join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  left join "routes" on "routes"."namespace_id" = "epics"."namespace_id"
  left join "epics" as "parents" on "parents"."id" = "epics"."parent_id"
  where "epics"."namespace_id" = $8 and "epics"."iid" = $9 and true;
select count(*)::int as total
  from (select 1 as "one"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."epic_id" = $1 and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled'))
  limit $2) as counted;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."epic_id" = $2 and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled'))
  order by "issues"."epic_position", "issues"."id"
  limit $3 offset $4;
select "milestones".*, coalesce("project_routes"."path", "group_routes"."path") as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."id" = any($1);
select "epics"."id", "epics"."iid", "epics"."title", "epics"."namespace_id", "routes"."path" as "group_path"
  from "epics"
  inner join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  inner join "routes" on "routes"."namespace_id" = "epics"."namespace_id"
  where "epics"."id" = any($1) and true;
select "issue_id" as "id", "subscribed"
  from "subscriptions"
  where "user_id" = $1 and "issue_id" = any($2);

-- GET /groups/:id/epics/:epic_iid/notes/:note_id/award_emoji
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "epics".*, "routes"."path" as "group_path", "namespaces"."traversal_ids" as "group_traversal_ids", "parents"."iid" as "parent_iid", "parents"."namespace_id" as "parent_group_id", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role", $7::text as "asked_in", array(select l.label_id
  from epic_labels l
  where l.epic_id = epics.id) as "label_ids"
  from "epics"
  left join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  left join "routes" on "routes"."namespace_id" = "epics"."namespace_id"
  left join "epics" as "parents" on "parents"."id" = "epics"."parent_id"
  where "epics"."namespace_id" = $8 and "epics"."iid" = $9 and true;
select "notes".*, coalesce(issue.iid, merge_request.iid, epic.iid) as "noteable_iid", coalesce(issue.project_id, merge_request.project_id) as "project_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."epic_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled'))) and (notes.named_commit is null or notes.named_project_id is not null)) and "notes"."id" = $2;
select count(*)::int as total
  from (select 1 as "one"
  from "award_emoji"
  where "note_id" = $1
  limit $2) as counted;
select *
  from "award_emoji"
  where "note_id" = $1
  order by "id"
  limit $2 offset $3;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /groups/:id/epics/:epic_iid/notes/:note_id/award_emoji/:award_id
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "epics".*, "routes"."path" as "group_path", "namespaces"."traversal_ids" as "group_traversal_ids", "parents"."iid" as "parent_iid", "parents"."namespace_id" as "parent_group_id", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role", $7::text as "asked_in", array(select l.label_id
  from epic_labels l
  where l.epic_id = epics.id) as "label_ids"
  from "epics"
  left join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  left join "routes" on "routes"."namespace_id" = "epics"."namespace_id"
  left join "epics" as "parents" on "parents"."id" = "epics"."parent_id"
  where "epics"."namespace_id" = $8 and "epics"."iid" = $9 and true;
select "notes".*, coalesce(issue.iid, merge_request.iid, epic.iid) as "noteable_iid", coalesce(issue.project_id, merge_request.project_id) as "project_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."epic_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled'))) and (notes.named_commit is null or notes.named_project_id is not null)) and "notes"."id" = $2;
select *
  from "award_emoji"
  where "note_id" = $1 and "id" = $2
  order by "id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /groups/:id/hooks
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select count(*)::int as total
  from (select 1 as "one"
  from "hooks"
  where "namespace_id" = $1
  limit $2) as counted;
select *, case when project_id is not null then 'project' when namespace_id is not null then 'group' else 'system' end as "kind"
  from "hooks"
  where "namespace_id" = $1
  order by "id"
  limit $2 offset $3;

-- GET /groups/:id/hooks/:hook_id
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select *, case when project_id is not null then 'project' when namespace_id is not null then 'group' else 'system' end as "kind"
  from "hooks"
  where "namespace_id" = $1 and "id" = $2
  order by "id";

-- GET /groups/:id/hooks/:hook_id/events
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select *, case when project_id is not null then 'project' when namespace_id is not null then 'group' else 'system' end as "kind"
  from "hooks"
  where "namespace_id" = $1 and "id" = $2
  order by "id";
select count(*)::int as total
  from (select 1 as "one"
  from "hook_deliveries"
  inner join "hooks" on "hooks"."id" = "hook_deliveries"."hook_id"
  where "hook_deliveries"."hook_id" = $1
  limit $2) as counted;
select "hook_deliveries".*, "hooks"."url", "hooks"."token", "hooks"."enable_ssl_verification", case when project_id is not null then 'project' when namespace_id is not null then 'group' else 'system' end as "kind", hook_deliveries.trigger as "trigger", hook_deliveries.status as "status", hook_deliveries.response_headers as "response_headers"
  from "hook_deliveries"
  inner join "hooks" on "hooks"."id" = "hook_deliveries"."hook_id"
  where "hook_deliveries"."hook_id" = $1
  order by "hook_deliveries"."id" desc
  limit $2 offset $3;

-- GET /groups/:id/integrations
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select count(*)::int as total
  from (select 1 as "one"
  from (select distinct on ("slug") "integrations".*, (project_id is distinct
  from $1::bigint or namespace_id is distinct
  from $2::bigint) as "inherited"
  from "integrations"
  where (project_id = $3::bigint or namespace_id = $4::bigint or namespace_id = any($5::bigint[]) or project_id is null and namespace_id is null)
  order by "slug", case when project_id is not null then 0 when namespace_id = $6::bigint then 1 when namespace_id is not null then 2 + cardinality($7::bigint[]) - array_position($8::bigint[], namespace_id) else 1000 end) as "integrations"
  where "active" = $9
  limit $10) as counted;
select "integrations".*
  from (select distinct on ("slug") "integrations".*, (project_id is distinct
  from $1::bigint or namespace_id is distinct
  from $2::bigint) as "inherited"
  from "integrations"
  where (project_id = $3::bigint or namespace_id = $4::bigint or namespace_id = any($5::bigint[]) or project_id is null and namespace_id is null)
  order by "slug", case when project_id is not null then 0 when namespace_id = $6::bigint then 1 when namespace_id is not null then 2 + cardinality($7::bigint[]) - array_position($8::bigint[], namespace_id) else 1000 end) as "integrations"
  where "active" = $9
  order by "slug"
  limit $10 offset $11;

-- GET /groups/:id/integrations/:slug
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "integrations".*
  from (select distinct on ("slug") "integrations".*, (project_id is distinct
  from $1::bigint or namespace_id is distinct
  from $2::bigint) as "inherited"
  from "integrations"
  where (project_id = $3::bigint or namespace_id = $4::bigint or namespace_id = any($5::bigint[]) or project_id is null and namespace_id is null)
  order by "slug", case when project_id is not null then 0 when namespace_id = $6::bigint then 1 when namespace_id is not null then 2 + cardinality($7::bigint[]) - array_position($8::bigint[], namespace_id) else 1000 end) as "integrations"
  where "slug" = $9
  order by "slug";

-- GET /groups/:id/invitations
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select count(*)::int as total
  from (select 1 as "one"
  from "invitations"
  left join "users" on "users"."id" = "invitations"."created_by_id"
  where "invitations"."namespace_id" = $1
  limit $2) as counted;
select "invitations"."id", "invitations"."email", "invitations"."access_level", "invitations"."expires_at", "invitations"."created_at", "users"."name" as "created_by_name"
  from "invitations"
  left join "users" on "users"."id" = "invitations"."created_by_id"
  where "invitations"."namespace_id" = $1
  order by "invitations"."id"
  limit $2 offset $3;

-- GET /groups/:id/issues
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select projects.id, "projects"."open_issues_count", "projects"."closed_issues_count", "projects"."confidential_open_issues_count", "projects"."confidential_closed_issues_count"
  from projects
  where not projects.archived and projects.namespace_id = any(array( select below.id
  from namespaces below
  where below.traversal_ids @> $1::bigint[])) and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled');
select count(*)::int as total
  from (select /* custom plan */ 1 as "one"
  from "issues"
  where issues.project_id = any($1::bigint[]) and true
  limit $2) as counted;
select /* custom plan */ "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."id" in (select "issues"."id" as "id"
  from (select /* custom plan */ "issues".*
  from "issues"
  where issues.project_id = any($2::bigint[]) and true offset 0) as "issues"
  order by "issues"."created_at" desc, "issues"."id" desc
  limit $3 offset $4)
  order by "issues"."created_at" desc, "issues"."id" desc;
select "milestones".*, coalesce("project_routes"."path", "group_routes"."path") as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."id" = any($1);
select "epics"."id", "epics"."iid", "epics"."title", "epics"."namespace_id", "routes"."path" as "group_path"
  from "epics"
  inner join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  inner join "routes" on "routes"."namespace_id" = "epics"."namespace_id"
  where "epics"."id" = any($1) and true;

-- GET /groups/:id/issues_statistics
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select projects.id, "projects"."open_issues_count", "projects"."closed_issues_count", "projects"."confidential_open_issues_count", "projects"."confidential_closed_issues_count"
  from projects
  where not projects.archived and projects.namespace_id = any(array( select below.id
  from namespaces below
  where below.traversal_ids @> $1::bigint[])) and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled');
select /* custom plan */ issues.state as "state", count(*) as "count"
  from "issues"
  where issues.project_id = any($1::bigint[]) and true group by "issues"."state";

-- GET /groups/:id/iterations
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select count(*)::int as total
  from (select 1 as "one"
  from "iterations"
  left join "routes" on "routes"."namespace_id" = "iterations"."namespace_id"
  where "iterations"."namespace_id" = any($1)
  limit $2) as counted;
select "iterations".*, "routes"."path" as "group_path"
  from "iterations"
  left join "routes" on "routes"."namespace_id" = "iterations"."namespace_id"
  where "iterations"."namespace_id" = any($1)
  order by "iterations"."due_date", "iterations"."id"
  limit $2 offset $3;

-- GET /groups/:id/labels
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select count(*)::int as total
  from (select 1 as "one"
  from "labels"
  where "labels"."namespace_id" = any($1)
  limit $2) as counted;
select "labels".*, exists (select "subscriptions"."id"
  from "subscriptions"
  where "subscriptions"."label_id" = "labels"."id" and "subscriptions"."user_id" = $1 and "subscriptions"."subscribed" = $2) as "subscribed", (select "label_priorities"."priority"
  from "label_priorities"
  where "label_priorities"."label_id" = "labels"."id" and "label_priorities"."project_id" = $3) as "priority"
  from "labels"
  where "labels"."namespace_id" = any($4)
  order by "labels"."name", "labels"."id"
  limit $5 offset $6;

-- GET /groups/:id/labels/:label_id
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "labels".*, exists (select "subscriptions"."id"
  from "subscriptions"
  where "subscriptions"."label_id" = "labels"."id" and "subscriptions"."user_id" = $1 and "subscriptions"."subscribed" = $2) as "subscribed", (select "label_priorities"."priority"
  from "label_priorities"
  where "label_priorities"."label_id" = "labels"."id" and "label_priorities"."project_id" = $3) as "priority"
  from "labels"
  where "labels"."namespace_id" = any($4) and "labels"."name" = $5
  order by labels.id::text = $6 desc, "labels"."project_id", "labels"."id";
/* custom plan */ select il.label_id as id, count(*) filter (where issues.state = 'opened')::int as open, count(*) filter (where issues.state = 'closed')::int as closed
  from issue_labels il join issues on issues.id = il.issue_id
  where il.label_id = any($1) and issues.project_id in (select projects.id
  from projects
  where projects.namespace_id in (select below.id
  from namespaces below
  where below.traversal_ids @> array[$2::bigint]) and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')) group by il.label_id;
/* custom plan */ select ml.label_id as id, count(*)::int as open
  from merge_request_labels ml join merge_requests on merge_requests.id = ml.merge_request_id
  where ml.label_id = any($1) and merge_requests.state = 'opened' and merge_requests.project_id in (select projects.id
  from projects
  where projects.namespace_id in (select below.id
  from namespaces below
  where below.traversal_ids @> array[$2::bigint]) and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')) group by ml.label_id;

-- GET /groups/:id/members
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select count(*)::int as total
  from (select 1 as "one"
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where ("members"."expires_at" is null or "members"."expires_at" > current_date) and (true) and members.namespace_id = $1
  limit $2) as counted;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url", "members"."access_level", "members"."expires_at", "members"."created_at"
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where ("members"."expires_at" is null or "members"."expires_at" > current_date) and (true) and members.namespace_id = $1
  order by "users"."id"
  limit $2 offset $3;

-- GET /groups/:id/members/:user_id
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url", "members"."access_level", "members"."expires_at", "members"."created_at"
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where ("members"."expires_at" is null or "members"."expires_at" > current_date) and (true and users.id = any($1)) and members.namespace_id = $2
  order by "users"."id";

-- GET /groups/:id/members/all
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select count(*)::int as total
  from (select distinct on ("users"."id") 1 as "one"
  from "memberships" as "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where ("members"."expires_at" is null or "members"."expires_at" > current_date) and (true) and (members.namespace_id = $1 or members.namespace_id = any($2))
  limit $3) as counted;
select distinct on ("users"."id") "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url", "members"."access_level", "members"."expires_at", "members"."created_at"
  from "memberships" as "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where ("members"."expires_at" is null or "members"."expires_at" > current_date) and (true) and (members.namespace_id = $1 or members.namespace_id = any($2))
  order by "users"."id", "members"."access_level" desc
  limit $3 offset $4;

-- GET /groups/:id/members/all/:user_id
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select distinct on ("users"."id") "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url", "members"."access_level", "members"."expires_at", "members"."created_at"
  from "memberships" as "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where ("members"."expires_at" is null or "members"."expires_at" > current_date) and (true and users.id = any($1)) and (members.namespace_id = $2 or members.namespace_id = any($3))
  order by "users"."id", "members"."access_level" desc;

-- GET /groups/:id/merge_requests
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select projects.id
  from projects
  where not projects.archived and projects.namespace_id = any(array( select below.id
  from namespaces below
  where below.traversal_ids @> $1::bigint[])) and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled');
select count(*)::int as total
  from (select /* custom plan */ 1 as "one"
  from "merge_requests"
  where merge_requests.project_id = any($1::bigint[]) and true
  limit $2) as counted;
select /* custom plan */ "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."id" in (select "merge_requests"."id" as "id"
  from (select /* custom plan */ "merge_requests".*
  from "merge_requests"
  where merge_requests.project_id = any($2::bigint[]) and true offset 0) as "merge_requests"
  order by "merge_requests"."created_at" desc, "merge_requests"."id" desc
  limit $3 offset $4)
  order by "merge_requests"."created_at" desc, "merge_requests"."id" desc;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select *
  from "labels"
  where "id" = any($1);
select "milestones".*, coalesce("project_routes"."path", "group_routes"."path") as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."id" = any($1);
select "m"."id", "p"."approvals_before_merge", "p"."disable_overriding_approvers_per_merge_request", "p"."merge_requests_author_approval", "p"."merge_requests_disable_committers_approval", "p"."require_password_to_approve", "p"."reset_approvals_on_push", "p"."only_allow_merge_if_pipeline_succeeds", "p"."allow_merge_on_skipped_pipeline", array(select a.user_id
  from approvals a
  where a.merge_request_id = m.id
  order by a.created_at, a.user_id) as "approved_by", case when p.only_allow_merge_if_all_discussions_are_resolved then (select count(distinct n.discussion_id)::int
  from notes n
  where n.merge_request_id = m.id and n.resolvable and n.resolved_at is null) else 0 end as "unresolved_threads"
  from "merge_requests" as "m"
  inner join "projects" as "p" on "p"."id" = "m"."project_id"
  where "m"."id" = any($1);
select "approval_rules".*, array(select u.user_id
  from approval_rule_users u
  where u.approval_rule_id = approval_rules.id
  order by u.user_id) as "user_ids", array(select g.group_id
  from approval_rule_groups g
  where g.approval_rule_id = approval_rules.id
  order by g.group_id) as "group_ids", array(select b.protected_branch_id
  from approval_rule_branches b
  where b.approval_rule_id = approval_rules.id
  order by 1) as "protected_branch_ids"
  from "approval_rules"
  where ("approval_rules"."project_id" = any($1) or "approval_rules"."merge_request_id" = any($2))
  order by approval_rules.rule_type <> 'any_approver', "approval_rules"."id";
select approval_rule_id as rule_id, user_id
  from approval_rule_users
  where approval_rule_id = any($1::bigint[]) union select g.approval_rule_id, m.user_id
  from approval_rule_groups g join members m on m.namespace_id = g.group_id
  where g.approval_rule_id = any($2::bigint[]) and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  order by 1, 2;
select p.id as project_id, u.id as user_id
  from projects p join namespaces n on n.id = p.namespace_id cross join users u
  where p.id = any($1::bigint[]) and u.id = any($2::bigint[]) and u.state = 'active' and (n.owner_id = u.id or exists ( select
  from memberships m
  where m.user_id = u.id and m.access_level >= $3 and ("m"."expires_at" is null or "m"."expires_at" > current_date) and (m.project_id = p.id or m.namespace_id = any(n.traversal_ids))));

-- GET /groups/:id/milestones
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select count(*)::int as total
  from (select 1 as "one"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."namespace_id" = $1
  limit $2) as counted;
select "milestones".*, coalesce(project_routes.path, group_routes.path) as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."namespace_id" = $1
  order by "milestones"."id" desc
  limit $2 offset $3;

-- GET /groups/:id/milestones/:milestone_id
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "milestones".*, coalesce(project_routes.path, group_routes.path) as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."namespace_id" = $1 and "milestones"."id" = $2;

-- GET /groups/:id/milestones/:milestone_id/burndown_events
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "milestones".*, coalesce(project_routes.path, group_routes.path) as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."namespace_id" = $1 and "milestones"."id" = $2;
select "created_at", "weight", "action"
  from (select "issues"."id" as "issue_id", greatest(issues.created_at, $1::timestamptz) as "created_at", "issues"."weight", 'created' as "action", 0 as "place"
  from "issues"
  where (issues.milestone_id = $2 and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))
  union all select "issues"."id" as "issue_id", greatest(resource_events.created_at, $3::timestamptz) as "created_at", "issues"."weight", resource_events.state as "action", resource_events.id as "place"
  from "resource_events"
  inner join "issues" on "issues"."id" = "resource_events"."issue_id"
  where "resource_events"."kind" = $4 and "resource_events"."state" in ($5, $6) and (issues.milestone_id = $7 and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) as "events"
  where "created_at" <= $8
  order by "created_at", "place", "issue_id"
  limit $9;

-- GET /groups/:id/milestones/:milestone_id/issues
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "milestones".*, coalesce(project_routes.path, group_routes.path) as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."namespace_id" = $1 and "milestones"."id" = $2;
select count(*)::int as total
  from (select 1 as "one"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."milestone_id" = $1 and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled'))
  limit $2) as counted;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."milestone_id" = $2 and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled'))
  order by "issues"."created_at" desc, "issues"."id" desc
  limit $3 offset $4;
select "milestones".*, coalesce("project_routes"."path", "group_routes"."path") as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."id" = any($1);

-- GET /groups/:id/milestones/:milestone_id/merge_requests
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "milestones".*, coalesce(project_routes.path, group_routes.path) as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."namespace_id" = $1 and "milestones"."id" = $2;
select count(*)::int as total
  from (select 1 as "one"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."milestone_id" = $1 and merge_requests.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled'))
  limit $2) as counted;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."milestone_id" = $2 and merge_requests.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled'))
  order by "merge_requests"."created_at" desc, "merge_requests"."id" desc
  limit $3 offset $4;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select "milestones".*, coalesce("project_routes"."path", "group_routes"."path") as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."id" = any($1);
select "m"."id", "p"."approvals_before_merge", "p"."disable_overriding_approvers_per_merge_request", "p"."merge_requests_author_approval", "p"."merge_requests_disable_committers_approval", "p"."require_password_to_approve", "p"."reset_approvals_on_push", "p"."only_allow_merge_if_pipeline_succeeds", "p"."allow_merge_on_skipped_pipeline", array(select a.user_id
  from approvals a
  where a.merge_request_id = m.id
  order by a.created_at, a.user_id) as "approved_by", case when p.only_allow_merge_if_all_discussions_are_resolved then (select count(distinct n.discussion_id)::int
  from notes n
  where n.merge_request_id = m.id and n.resolvable and n.resolved_at is null) else 0 end as "unresolved_threads"
  from "merge_requests" as "m"
  inner join "projects" as "p" on "p"."id" = "m"."project_id"
  where "m"."id" = any($1);
select "approval_rules".*, array(select u.user_id
  from approval_rule_users u
  where u.approval_rule_id = approval_rules.id
  order by u.user_id) as "user_ids", array(select g.group_id
  from approval_rule_groups g
  where g.approval_rule_id = approval_rules.id
  order by g.group_id) as "group_ids", array(select b.protected_branch_id
  from approval_rule_branches b
  where b.approval_rule_id = approval_rules.id
  order by 1) as "protected_branch_ids"
  from "approval_rules"
  where ("approval_rules"."project_id" = any($1) or "approval_rules"."merge_request_id" = any($2))
  order by approval_rules.rule_type <> 'any_approver', "approval_rules"."id";
select approval_rule_id as rule_id, user_id
  from approval_rule_users
  where approval_rule_id = any($1::bigint[]) union select g.approval_rule_id, m.user_id
  from approval_rule_groups g join members m on m.namespace_id = g.group_id
  where g.approval_rule_id = any($2::bigint[]) and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  order by 1, 2;
select p.id as project_id, u.id as user_id
  from projects p join namespaces n on n.id = p.namespace_id cross join users u
  where p.id = any($1::bigint[]) and u.id = any($2::bigint[]) and u.state = 'active' and (n.owner_id = u.id or exists ( select
  from memberships m
  where m.user_id = u.id and m.access_level >= $3 and ("m"."expires_at" is null or "m"."expires_at" > current_date) and (m.project_id = p.id or m.namespace_id = any(n.traversal_ids))));

-- GET /groups/:id/notification_settings
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "level", "events"
  from "notification_settings"
  where "user_id" = $1 and "namespace_id" = $2;

-- GET /groups/:id/packages
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select count(*)::int as total
  from (select 1 as "one"
  from "packages"
  left join "routes" on "routes"."project_id" = "packages"."project_id"
  where "packages"."version" is not null and "packages"."status" in ($1, $2) and packages.project_id in (select projects.id
  from projects
  where projects.packages_enabled and projects.namespace_id in (select id
  from namespaces
  where traversal_ids @> $3) and not projects.deleting)
  limit $4) as counted;
select "packages".*, "routes"."path" as "project_path"
  from "packages"
  left join "routes" on "routes"."project_id" = "packages"."project_id"
  where "packages"."version" is not null and "packages"."status" in ($1, $2) and packages.project_id in (select projects.id
  from projects
  where projects.packages_enabled and projects.namespace_id in (select id
  from namespaces
  where traversal_ids @> $3) and not projects.deleting)
  order by "packages"."created_at" asc, "packages"."id" asc
  limit $4 offset $5;
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where "projects"."id" = any($4);
select "package_id", "name"
  from "package_tags"
  where "package_id" = any($1)
  order by "name";
select "package_id", "pipeline_id"
  from "package_build_infos"
  where "package_id" = any($1) and "package_file_id" is null
  order by "id";
select "pipelines".*, "routes"."path" as "project_path"
  from "pipelines"
  left join "routes" on "routes"."project_id" = "pipelines"."project_id"
  where "pipelines"."id" = any($1);
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /groups/:id/projects
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select count(*)::int as total
  from (select 1 as "one"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where not projects.deleting and projects.id = any(array(select held.id
  from projects held
  where held.namespace_id in ($1)
  union all select s.project_id
  from shares s
  where s.group_id = $2 and s.project_id is not null and (s.expires_at is null or s.expires_at > current_date) and true))
  limit $3) as counted;
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where not projects.deleting and projects.id = any(array(select held.id
  from projects held
  where held.namespace_id in ($1)
  union all select s.project_id
  from shares s
  where s.group_id = $2 and s.project_id is not null and (s.expires_at is null or s.expires_at > current_date) and true))
  order by "projects"."created_at" desc, "projects"."id" desc
  limit $3 offset $4;
select "id", "name", "username", "state", "avatar_url", "created_at"
  from "users"
  where "id" = any($1);
select p.id, (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from members m
  where m.user_id = $1 and m.project_id = p.id) as project, greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any(n.traversal_ids)), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $3 and m.project_id = p.id and m.share_id is not null) ) as group
  from projects p join namespaces n on n.id = p.namespace_id
  where p.id = any($4);
select "project_id", "namespace_id", "level"
  from "notification_settings"
  where "user_id" = $1 and ("project_id" = any($2) or "namespace_id" = any($3));
select "project_id" as "id", "encrypted"
  from "runners_tokens"
  where "project_id" = any($1);
select "shares"."project_id" as "shared_id", "shares"."group_id", "namespaces"."name" as "group_name", "routes"."path" as "group_full_path", "shares"."access_level" as "group_access_level", "shares"."expires_at"
  from "shares"
  inner join "namespaces" on "namespaces"."id" = "shares"."group_id"
  inner join "routes" on "routes"."namespace_id" = "shares"."group_id"
  where "shares"."project_id" = any($1) and (shares.expires_at is null or shares.expires_at > current_date) and not namespaces.deleting
  order by "shares"."id";
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "project_forks"."project_id" as "fork_id"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join "project_forks" on "project_forks"."source_id" = "projects"."id"
  where "project_forks"."project_id" = any($1) and not projects.deleting;

-- GET /groups/:id/projects/shared
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select count(*)::int as total
  from (select 1 as "one"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where not projects.deleting and projects.id = any(array(select s.project_id
  from shares s
  where s.group_id = $1 and s.project_id is not null and (s.expires_at is null or s.expires_at > current_date) and true))
  limit $2) as counted;
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where not projects.deleting and projects.id = any(array(select s.project_id
  from shares s
  where s.group_id = $1 and s.project_id is not null and (s.expires_at is null or s.expires_at > current_date) and true))
  order by "projects"."created_at" desc, "projects"."id" desc
  limit $2 offset $3;
select "id", "name", "username", "state", "avatar_url", "created_at"
  from "users"
  where "id" = any($1);
select p.id, (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from members m
  where m.user_id = $1 and m.project_id = p.id) as project, greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any(n.traversal_ids)), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $3 and m.project_id = p.id and m.share_id is not null) ) as group
  from projects p join namespaces n on n.id = p.namespace_id
  where p.id = any($4);
select "project_id", "namespace_id", "level"
  from "notification_settings"
  where "user_id" = $1 and ("project_id" = any($2) or "namespace_id" = any($3));
select "project_id" as "id", "encrypted"
  from "runners_tokens"
  where "project_id" = any($1);
select "shares"."project_id" as "shared_id", "shares"."group_id", "namespaces"."name" as "group_name", "routes"."path" as "group_full_path", "shares"."access_level" as "group_access_level", "shares"."expires_at"
  from "shares"
  inner join "namespaces" on "namespaces"."id" = "shares"."group_id"
  inner join "routes" on "routes"."namespace_id" = "shares"."group_id"
  where "shares"."project_id" = any($1) and (shares.expires_at is null or shares.expires_at > current_date) and not namespaces.deleting
  order by "shares"."id";
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "project_forks"."project_id" as "fork_id"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join "project_forks" on "project_forks"."source_id" = "projects"."id"
  where "project_forks"."project_id" = any($1) and not projects.deleting;

-- GET /groups/:id/protected_environments
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "gates"
  from "feature_flags"
  where "name" = $1;
select count(*)::int as total
  from (select 1 as "one"
  from "protected_environments"
  where "namespace_id" = $1
  limit $2) as counted;
select "protected_environments".*, (select coalesce(json_agg(agg), '[]')
  from (select "levels"."id", "levels"."access_level", "levels"."user_id", "levels"."group_id"
  from "protected_environment_access_levels" as "levels"
  where "levels"."protected_environment_id" = "protected_environments"."id"
  order by "levels"."id") as agg) as "levels"
  from "protected_environments"
  where "namespace_id" = $1
  order by "name"
  limit $2 offset $3;

-- GET /groups/:id/protected_environments/:name
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "gates"
  from "feature_flags"
  where "name" = $1;
select "protected_environments".*, (select coalesce(json_agg(agg), '[]')
  from (select "levels"."id", "levels"."access_level", "levels"."user_id", "levels"."group_id"
  from "protected_environment_access_levels" as "levels"
  where "levels"."protected_environment_id" = "protected_environments"."id"
  order by "levels"."id") as agg) as "levels"
  from "protected_environments"
  where "namespace_id" = $1 and "name" = $2
  order by "name";

-- GET /groups/:id/releases
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select count(*)::int as total
  from (select 1 as "one"
  from "releases"
  where releases.project_id in (select projects.id
  from projects
  where projects.namespace_id in (select id
  from namespaces
  where traversal_ids @> $1) and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled'))
  limit $2) as counted;
select "releases".*
  from "releases"
  where releases.project_id in (select projects.id
  from projects
  where projects.namespace_id in (select id
  from namespaces
  where traversal_ids @> $1) and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled'))
  order by "releases"."released_at" desc, "releases"."id" desc
  limit $2 offset $3;
select *
  from "release_milestones"
  where "release_id" = any($1);
select "milestones".*, coalesce("project_routes"."path", "group_routes"."path") as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."id" = any($1);
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where "projects"."id" = any($4);
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select "release_links".*, "releases"."tag" as "tag", "routes"."path" as "full_path"
  from "release_links"
  left join "releases" on "releases"."id" = "release_links"."release_id"
  left join "routes" on "routes"."project_id" = "releases"."project_id"
  where "release_links"."release_id" = any($1)
  order by "release_links"."id" desc;
select "id", "release_id", "sha", "collected_at"
  from "release_evidences"
  where "release_id" = any($1)
  order by "id" desc;
select "milestone_id", count(*)::int as "total", count(*) filter (where state = 'closed')::int as "closed"
  from "issues"
  where "milestone_id" = any($1) and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')) group by "milestone_id";

-- GET /groups/:id/runners
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select count(*)::int as total
  from (select 1 as "one"
  from "runners"
  where (runners.runner_type = 'instance_type' or exists (select
  from runner_groups own
  where own.runner_id = runners.id and own.namespace_id = any($1)))
  limit $2) as counted;
select "runners".*, "runners"."token_created_at" + case "runners"."runner_type" when 'instance_type' then (select "runner_token_expiration_interval"
  from application_settings) when 'group_type' then (select "group_runner_token_expiration_interval"
  from application_settings) when 'project_type' then (select "project_runner_token_expiration_interval"
  from application_settings) end * interval '1 second' as "token_expires_at"
  from "runners"
  where (runners.runner_type = 'instance_type' or exists (select
  from runner_groups own
  where own.runner_id = runners.id and own.namespace_id = any($1)))
  order by "runners"."id" desc
  limit $2 offset $3;

-- GET /groups/:id/saml_provider
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select *
  from "saml_providers"
  where "group_id" = $1;

-- GET /groups/:id/scim_token
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "group_id", "default_membership_role", "enabled_by_admin", "created_at"
  from "scim_tokens"
  where "group_id" = $1;

-- GET /groups/:id/search
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select count(*)::int as total
  from (select 1 as "one"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where issues.project_id in (select projects.id
  from projects
  where projects.namespace_id = any(array(select g.id
  from namespaces g
  where g.traversal_ids @> $1::bigint[])) and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')) and (("issues"."title" ilike $2) or ("issues"."description" ilike $3))
  limit $4) as counted;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where issues.project_id in (select projects.id
  from projects
  where projects.namespace_id = any(array(select g.id
  from namespaces g
  where g.traversal_ids @> $2::bigint[])) and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')) and (("issues"."title" ilike $3) or ("issues"."description" ilike $4))
  order by "issues"."created_at" desc, "issues"."id" desc
  limit $5 offset $6;
select "milestones".*, coalesce("project_routes"."path", "group_routes"."path") as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."id" = any($1);
select "epics"."id", "epics"."iid", "epics"."title", "epics"."namespace_id", "routes"."path" as "group_path"
  from "epics"
  inner join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  inner join "routes" on "routes"."namespace_id" = "epics"."namespace_id"
  where "epics"."id" = any($1) and true;

-- GET /groups/:id/subgroups
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select count(*)::int as total
  from (select 1 as "one"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $1 and not namespaces.deleting and "namespaces"."parent_id" = $2
  limit $3) as counted;
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $1 and not namespaces.deleting and "namespaces"."parent_id" = $2
  order by lower("namespaces"."name") asc, "namespaces"."id" asc
  limit $3 offset $4;

-- GET /groups/:id/variables
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select count(*)::int as total
  from (select 1 as "one"
  from "ci_variables"
  where "namespace_id" = $1
  limit $2) as counted;
select "ci_variables".*
  from "ci_variables"
  where "namespace_id" = $1
  order by "id"
  limit $2 offset $3;

-- GET /groups/:id/variables/:key
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $7 and namespaces.id = $8 and not namespaces.deleting;
select "ci_variables".*
  from "ci_variables"
  where "namespace_id" = $1 and "key" = $2
  order by "id";

-- GET /hooks
select count(*)::int as total
  from (select 1 as "one"
  from "hooks"
  where "project_id" is null and "namespace_id" is null
  limit $1) as counted;
select *, case when project_id is not null then 'project' when namespace_id is not null then 'group' else 'system' end as "kind"
  from "hooks"
  where "project_id" is null and "namespace_id" is null
  order by "id"
  limit $1 offset $2;

-- GET /hooks/:id
select *, case when project_id is not null then 'project' when namespace_id is not null then 'group' else 'system' end as "kind"
  from "hooks"
  where "project_id" is null and "namespace_id" is null and "id" = $1
  order by "id";

-- GET /hooks/:id/events
select *, case when project_id is not null then 'project' when namespace_id is not null then 'group' else 'system' end as "kind"
  from "hooks"
  where "project_id" is null and "namespace_id" is null and "id" = $1
  order by "id";
select count(*)::int as total
  from (select 1 as "one"
  from "hook_deliveries"
  inner join "hooks" on "hooks"."id" = "hook_deliveries"."hook_id"
  where "hook_deliveries"."hook_id" = $1
  limit $2) as counted;
select "hook_deliveries".*, "hooks"."url", "hooks"."token", "hooks"."enable_ssl_verification", case when project_id is not null then 'project' when namespace_id is not null then 'group' else 'system' end as "kind", hook_deliveries.trigger as "trigger", hook_deliveries.status as "status", hook_deliveries.response_headers as "response_headers"
  from "hook_deliveries"
  inner join "hooks" on "hooks"."id" = "hook_deliveries"."hook_id"
  where "hook_deliveries"."hook_id" = $1
  order by "hook_deliveries"."id" desc
  limit $2 offset $3;

-- GET /issues
with found as materialized ((select /* custom plan */ "issues"."created_at" as "created_at", "issues"."id" as "id"
  from "issues"
  where issues.project_id in (select projects.id
  from projects
  where not projects.archived and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')) and "issues"."author_id" = $1
  limit $2)) select total, case when total <= 2000 then array(select "issues"."id"
  from found as "issues"
  order by "issues"."created_at" desc, "issues"."id" desc) end as ids
  from (select count(*)::int as total
  from found) as counted;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."id" = any($2)
  order by "issues"."created_at" desc, "issues"."id" desc;
select "milestones".*, coalesce("project_routes"."path", "group_routes"."path") as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."id" = any($1);
select "epics"."id", "epics"."iid", "epics"."title", "epics"."namespace_id", "routes"."path" as "group_path"
  from "epics"
  inner join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  inner join "routes" on "routes"."namespace_id" = "epics"."namespace_id"
  where "epics"."id" = any($1) and true;

-- GET /issues/:id
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."id" = $2;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select *
  from "labels"
  where "id" = any($1);
select "issue_id" as "id", "subscribed"
  from "subscriptions"
  where "user_id" = $1 and "issue_id" = any($2);

-- GET /issues_statistics
select /* custom plan */ issues.state as "state", count(*) as "count"
  from "issues"
  where issues.project_id in (select projects.id
  from projects
  where not projects.archived and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')) and "issues"."author_id" = $1 group by "issues"."state";

-- GET /job

-- GET /job/allowed_agents

-- GET /keys
select "keys"."id", "keys"."user_id", "keys"."created_by", "keys"."title", "keys"."key", "keys"."created_at", least("keys"."expires_at", "keys"."created_at" + (select "max_ssh_key_lifetime"
  from application_settings) * interval '1 day') as "expires_at"
  from "keys"
  where "keys"."fingerprint_sha256" = $1;
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where "users"."id" = any($1);
select "id", "key_id" as "deploy_key_id", "project_id", "created_at", "updated_at", "can_push"
  from "deploy_key_projects"
  where "key_id" = any($1)
  order by "id";

-- GET /keys/:id
select "id", "user_id", "title", "key", "fingerprint", "fingerprint_sha256", "last_used_at", "created_at", least("keys"."expires_at", "keys"."created_at" + (select "max_ssh_key_lifetime"
  from application_settings) * interval '1 day') as "expires_at"
  from "keys"
  where "user_id" is not null and "id" = $1;
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where "users"."id" = any($1);

-- GET /license
select count(*) filter (where kind = 'human' and state = 'active') as active, min(created_at) as since
  from users;

-- GET /license/:id
select count(*) filter (where kind = 'human' and state = 'active') as active, min(created_at) as since
  from users;

-- GET /licenses
select count(*) filter (where kind = 'human' and state = 'active') as active, min(created_at) as since
  from users;

-- GET /merge_requests
with found as materialized ((select /* custom plan */ "merge_requests"."created_at" as "created_at", "merge_requests"."id" as "id"
  from "merge_requests"
  where merge_requests.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')) and "merge_requests"."author_id" = $1
  limit $2)) select total, case when total <= 2000 then array(select "merge_requests"."id"
  from found as "merge_requests"
  order by "merge_requests"."created_at" desc, "merge_requests"."id" desc) end as ids
  from (select count(*)::int as total
  from found) as counted;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."id" = any($2)
  order by "merge_requests"."created_at" desc, "merge_requests"."id" desc;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select "milestones".*, coalesce("project_routes"."path", "group_routes"."path") as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."id" = any($1);
select "m"."id", "p"."approvals_before_merge", "p"."disable_overriding_approvers_per_merge_request", "p"."merge_requests_author_approval", "p"."merge_requests_disable_committers_approval", "p"."require_password_to_approve", "p"."reset_approvals_on_push", "p"."only_allow_merge_if_pipeline_succeeds", "p"."allow_merge_on_skipped_pipeline", array(select a.user_id
  from approvals a
  where a.merge_request_id = m.id
  order by a.created_at, a.user_id) as "approved_by", case when p.only_allow_merge_if_all_discussions_are_resolved then (select count(distinct n.discussion_id)::int
  from notes n
  where n.merge_request_id = m.id and n.resolvable and n.resolved_at is null) else 0 end as "unresolved_threads"
  from "merge_requests" as "m"
  inner join "projects" as "p" on "p"."id" = "m"."project_id"
  where "m"."id" = any($1);
select "approval_rules".*, array(select u.user_id
  from approval_rule_users u
  where u.approval_rule_id = approval_rules.id
  order by u.user_id) as "user_ids", array(select g.group_id
  from approval_rule_groups g
  where g.approval_rule_id = approval_rules.id
  order by g.group_id) as "group_ids", array(select b.protected_branch_id
  from approval_rule_branches b
  where b.approval_rule_id = approval_rules.id
  order by 1) as "protected_branch_ids"
  from "approval_rules"
  where ("approval_rules"."project_id" = any($1) or "approval_rules"."merge_request_id" = any($2))
  order by approval_rules.rule_type <> 'any_approver', "approval_rules"."id";
select approval_rule_id as rule_id, user_id
  from approval_rule_users
  where approval_rule_id = any($1::bigint[]) union select g.approval_rule_id, m.user_id
  from approval_rule_groups g join members m on m.namespace_id = g.group_id
  where g.approval_rule_id = any($2::bigint[]) and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  order by 1, 2;
select p.id as project_id, u.id as user_id
  from projects p join namespaces n on n.id = p.namespace_id cross join users u
  where p.id = any($1::bigint[]) and u.id = any($2::bigint[]) and u.state = 'active' and (n.owner_id = u.id or exists ( select
  from memberships m
  where m.user_id = u.id and m.access_level >= $3 and ("m"."expires_at" is null or "m"."expires_at" > current_date) and (m.project_id = p.id or m.namespace_id = any(n.traversal_ids))));

-- GET /metadata

-- GET /namespaces
select count(*)::int as total
  from (select 1 as "one"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."deleting" = $1
  limit $2) as counted;
select "namespaces"."id", "namespaces"."kind", "namespaces"."name", "namespaces"."path", "namespaces"."parent_id", "namespaces"."avatar_url", "namespaces"."owner_id", "namespaces"."traversal_ids", "routes"."path" as "full_path", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."deleting" = $7
  order by "namespaces"."id"
  limit $8 offset $9;
select top.id, count(distinct m.user_id)::int as members, count(distinct m.user_id) filter (where u.kind = 'human' and u.state = 'active' and m.access_level > $1)::int as billable
  from unnest($2::bigint[]) top(id) join namespaces below on below.traversal_ids @> array[top.id]
  left join projects p on p.namespace_id = below.id join members m on m.namespace_id = below.id or m.project_id = p.id join users u on u.id = m.user_id
  where ("m"."expires_at" is null or "m"."expires_at" > current_date) group by top.id;

-- GET /namespaces/:id
select "namespaces"."id", "namespaces"."kind", "namespaces"."name", "namespaces"."path", "namespaces"."parent_id", "namespaces"."avatar_url", "namespaces"."owner_id", "namespaces"."traversal_ids", "routes"."path" as "full_path", coalesce( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.namespace_id = any(namespaces.traversal_ids)), case when namespaces.owner_id = $2 then 50 when namespaces.id in (select unnest(below.traversal_ids)
  from namespaces below
  where below.id in (select m.namespace_id
  from memberships m
  where m.user_id = $3 and m.namespace_id is not null and m.access_level >= $4 and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  union all select inside.namespace_id
  from projects inside
  where inside.id in (select m.project_id
  from memberships m
  where m.user_id = $5 and m.project_id is not null and m.access_level >= $6 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) then 5 else 0 end) as "role"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."deleting" = $7 and namespaces.id = $8;
select top.id, count(distinct m.user_id)::int as members, count(distinct m.user_id) filter (where u.kind = 'human' and u.state = 'active' and m.access_level > $1)::int as billable
  from unnest($2::bigint[]) top(id) join namespaces below on below.traversal_ids @> array[top.id]
  left join projects p on p.namespace_id = below.id join members m on m.namespace_id = below.id or m.project_id = p.id join users u on u.id = m.user_id
  where ("m"."expires_at" is null or "m"."expires_at" > current_date) group by top.id;

-- GET /namespaces/:id/exists
select wanted.path
  from unnest($1::text[]) wanted(path)
  where exists (select
  from routes
  where lower(routes.path) = lower($2 || wanted.path) and routes.namespace_id is not null);

-- GET /notification_settings
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where "users"."id" = $1;
select "global"."level", "global"."events", coalesce( (select emails.email
  from emails
  where emails.user_id = users.id and emails.confirmed_at is not null and lower(emails.email) = lower(global.email)), users.email) as "notification_email"
  from "users"
  left join "notification_settings" as "global" on "global"."user_id" = "users"."id" and global.namespace_id is null and global.project_id is null
  where "users"."id" = $1;

-- GET /openapi.json

-- GET /personal_access_tokens
select count(*)::int as total
  from (select 1 as "one"
  from "personal_access_tokens"
  where "impersonation" = $1
  limit $2) as counted;
select "personal_access_tokens"."id", "personal_access_tokens"."user_id", "personal_access_tokens"."name", "personal_access_tokens"."scopes", "personal_access_tokens"."impersonation", "personal_access_tokens"."revoked", "personal_access_tokens"."created_at", "personal_access_tokens"."last_used_at", least("personal_access_tokens"."expires_at", (("personal_access_tokens"."created_at" + (select "max_personal_access_token_lifetime"
  from application_settings) * interval '1 day') at time zone 'UTC')::date) as "expires_at"
  from "personal_access_tokens"
  where "impersonation" = $1
  order by "id"
  limit $2 offset $3;

-- GET /personal_access_tokens/:id
select "personal_access_tokens"."id", "personal_access_tokens"."user_id", "personal_access_tokens"."name", "personal_access_tokens"."scopes", "personal_access_tokens"."impersonation", "personal_access_tokens"."revoked", "personal_access_tokens"."created_at", "personal_access_tokens"."last_used_at", least("personal_access_tokens"."expires_at", (("personal_access_tokens"."created_at" + (select "max_personal_access_token_lifetime"
  from application_settings) * interval '1 day') at time zone 'UTC')::date) as "expires_at"
  from "personal_access_tokens"
  where "id" = $1;

-- GET /personal_access_tokens/self
select "personal_access_tokens"."id", "personal_access_tokens"."user_id", "personal_access_tokens"."name", "personal_access_tokens"."scopes", "personal_access_tokens"."impersonation", "personal_access_tokens"."revoked", "personal_access_tokens"."created_at", "personal_access_tokens"."last_used_at", least("personal_access_tokens"."expires_at", (("personal_access_tokens"."created_at" + (select "max_personal_access_token_lifetime"
  from application_settings) * interval '1 day') at time zone 'UTC')::date) as "expires_at"
  from "personal_access_tokens"
  where "id" = $1;

-- GET /project_aliases
select count(*)::int as total
  from (select 1 as "one"
  from "project_aliases"
  limit $1) as counted;
select "project_aliases"."id", "project_aliases"."project_id", "project_aliases"."name"
  from "project_aliases"
  order by "project_aliases"."id"
  limit $1 offset $2;

-- GET /project_aliases/:name
select "project_aliases"."id", "project_aliases"."project_id", "project_aliases"."name"
  from "project_aliases"
  where lower(project_aliases.name) = lower($1)
  order by "project_aliases"."id";

-- GET /projects
select count(*)::int as total
  from (select 1 as "one"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where not projects.deleting
  limit $1) as counted;
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where not projects.deleting
  order by "projects"."created_at" desc, "projects"."id" desc
  limit $1 offset $2;
select "id", "name", "username", "state", "avatar_url", "created_at"
  from "users"
  where "id" = any($1);
select p.id, (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from members m
  where m.user_id = $1 and m.project_id = p.id) as project, greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any(n.traversal_ids)), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $3 and m.project_id = p.id and m.share_id is not null) ) as group
  from projects p join namespaces n on n.id = p.namespace_id
  where p.id = any($4);
select "project_id", "namespace_id", "level"
  from "notification_settings"
  where "user_id" = $1 and ("project_id" = any($2) or "namespace_id" = any($3));
select "project_id" as "id", "encrypted"
  from "runners_tokens"
  where "project_id" = any($1);
select "shares"."project_id" as "shared_id", "shares"."group_id", "namespaces"."name" as "group_name", "routes"."path" as "group_full_path", "shares"."access_level" as "group_access_level", "shares"."expires_at"
  from "shares"
  inner join "namespaces" on "namespaces"."id" = "shares"."group_id"
  inner join "routes" on "routes"."namespace_id" = "shares"."group_id"
  where "shares"."project_id" = any($1) and (shares.expires_at is null or shares.expires_at > current_date) and not namespaces.deleting
  order by "shares"."id";
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "project_forks"."project_id" as "fork_id"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join "project_forks" on "project_forks"."source_id" = "projects"."id"
  where "project_forks"."project_id" = any($1) and not projects.deleting;

-- GET /projects/:id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select p.id, (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from members m
  where m.user_id = $1 and m.project_id = p.id) as project, greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any(n.traversal_ids)), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $3 and m.project_id = p.id and m.share_id is not null) ) as group
  from projects p join namespaces n on n.id = p.namespace_id
  where p.id = any($4);
select "project_id", "namespace_id", "level"
  from "notification_settings"
  where "user_id" = $1 and ("project_id" = any($2) or "namespace_id" = any($3));
select "project_id" as "id", "encrypted"
  from "runners_tokens"
  where "project_id" = any($1);
select "shares"."project_id" as "shared_id", "shares"."group_id", "namespaces"."name" as "group_name", "routes"."path" as "group_full_path", "shares"."access_level" as "group_access_level", "shares"."expires_at"
  from "shares"
  inner join "namespaces" on "namespaces"."id" = "shares"."group_id"
  inner join "routes" on "routes"."namespace_id" = "shares"."group_id"
  where "shares"."project_id" = any($1) and (shares.expires_at is null or shares.expires_at > current_date) and not namespaces.deleting
  order by "shares"."id";
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "project_forks"."project_id" as "fork_id"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join "project_forks" on "project_forks"."source_id" = "projects"."id"
  where "project_forks"."project_id" = any($1) and not projects.deleting;

-- GET /projects/:id/-/search
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where issues.project_id in (select projects.id
  from projects
  where projects.id = $1 and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')) and (("issues"."title" ilike $2) or ("issues"."description" ilike $3))
  limit $4) as counted;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where issues.project_id in (select projects.id
  from projects
  where projects.id = $2 and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')) and (("issues"."title" ilike $3) or ("issues"."description" ilike $4))
  order by "issues"."created_at" desc, "issues"."id" desc
  limit $5 offset $6;
select "milestones".*, coalesce("project_routes"."path", "group_routes"."path") as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."id" = any($1);
select "epics"."id", "epics"."iid", "epics"."title", "epics"."namespace_id", "routes"."path" as "group_path"
  from "epics"
  inner join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  inner join "routes" on "routes"."namespace_id" = "epics"."namespace_id"
  where "epics"."id" = any($1) and true;

-- GET /projects/:id/access_requests
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "access_requests"
  inner join "users" on "users"."id" = "access_requests"."user_id"
  where "access_requests"."project_id" = $1
  limit $2) as counted;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url", "access_requests"."created_at" as "requested_at"
  from "access_requests"
  inner join "users" on "users"."id" = "access_requests"."user_id"
  where "access_requests"."project_id" = $1
  order by "access_requests"."id"
  limit $2 offset $3;

-- GET /projects/:id/access_tokens
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "personal_access_tokens"
  inner join "bots" on "bots"."user_id" = "personal_access_tokens"."user_id"
  left join "members" on "members"."user_id" = "bots"."user_id" and ("members"."project_id" = "bots"."project_id" or "members"."namespace_id" = "bots"."namespace_id")
  where "bots"."project_id" = $1 and "personal_access_tokens"."revoked" = $2
  limit $3) as counted;
select "personal_access_tokens"."id", "personal_access_tokens"."user_id", "personal_access_tokens"."name", "personal_access_tokens"."scopes", "personal_access_tokens"."impersonation", "personal_access_tokens"."revoked", "personal_access_tokens"."created_at", "personal_access_tokens"."last_used_at", least("personal_access_tokens"."expires_at", (("personal_access_tokens"."created_at" + (select "max_personal_access_token_lifetime"
  from application_settings) * interval '1 day') at time zone 'UTC')::date) as "expires_at", coalesce("members"."access_level", 0) as "access_level"
  from "personal_access_tokens"
  inner join "bots" on "bots"."user_id" = "personal_access_tokens"."user_id"
  left join "members" on "members"."user_id" = "bots"."user_id" and ("members"."project_id" = "bots"."project_id" or "members"."namespace_id" = "bots"."namespace_id")
  where "bots"."project_id" = $1 and "personal_access_tokens"."revoked" = $2
  order by "personal_access_tokens"."id"
  limit $3 offset $4;

-- GET /projects/:id/access_tokens/:token_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "personal_access_tokens"."id", "personal_access_tokens"."user_id", "personal_access_tokens"."name", "personal_access_tokens"."scopes", "personal_access_tokens"."impersonation", "personal_access_tokens"."revoked", "personal_access_tokens"."created_at", "personal_access_tokens"."last_used_at", least("personal_access_tokens"."expires_at", (("personal_access_tokens"."created_at" + (select "max_personal_access_token_lifetime"
  from application_settings) * interval '1 day') at time zone 'UTC')::date) as "expires_at", coalesce("members"."access_level", 0) as "access_level"
  from "personal_access_tokens"
  inner join "bots" on "bots"."user_id" = "personal_access_tokens"."user_id"
  left join "members" on "members"."user_id" = "bots"."user_id" and ("members"."project_id" = "bots"."project_id" or "members"."namespace_id" = "bots"."namespace_id")
  where "bots"."project_id" = $1 and "personal_access_tokens"."revoked" = $2 and "personal_access_tokens"."id" = $3
  order by "personal_access_tokens"."id";

-- GET /projects/:id/approval_rules
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "approval_rules"
  where "approval_rules"."project_id" = $1
  limit $2) as counted;
select "approval_rules".*, array(select u.user_id
  from approval_rule_users u
  where u.approval_rule_id = approval_rules.id
  order by u.user_id) as "user_ids", array(select g.group_id
  from approval_rule_groups g
  where g.approval_rule_id = approval_rules.id
  order by g.group_id) as "group_ids", array(select b.protected_branch_id
  from approval_rule_branches b
  where b.approval_rule_id = approval_rules.id
  order by 1) as "protected_branch_ids"
  from "approval_rules"
  where "approval_rules"."project_id" = $1
  order by approval_rules.rule_type <> 'any_approver', "approval_rules"."id"
  limit $2 offset $3;
select approval_rule_id as rule_id, user_id
  from approval_rule_users
  where approval_rule_id = any($1::bigint[]) union select g.approval_rule_id, m.user_id
  from approval_rule_groups g join members m on m.namespace_id = g.group_id
  where g.approval_rule_id = any($2::bigint[]) and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  order by 1, 2;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/approval_rules/:approval_rule_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "approval_rules".*, array(select u.user_id
  from approval_rule_users u
  where u.approval_rule_id = approval_rules.id
  order by u.user_id) as "user_ids", array(select g.group_id
  from approval_rule_groups g
  where g.approval_rule_id = approval_rules.id
  order by g.group_id) as "group_ids", array(select b.protected_branch_id
  from approval_rule_branches b
  where b.approval_rule_id = approval_rules.id
  order by 1) as "protected_branch_ids"
  from "approval_rules"
  where "approval_rules"."project_id" = $1 and "approval_rules"."id" = $2
  order by approval_rules.rule_type <> 'any_approver', "approval_rules"."id";
select approval_rule_id as rule_id, user_id
  from approval_rule_users
  where approval_rule_id = any($1::bigint[]) union select g.approval_rule_id, m.user_id
  from approval_rule_groups g join members m on m.namespace_id = g.group_id
  where g.approval_rule_id = any($2::bigint[]) and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  order by 1, 2;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/approvals
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;

-- GET /projects/:id/artifacts
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "jobs_with_artifacts"
  where "project_id" = $1
  limit $2) as counted;
select "job_id" as "id", "size", "ref"
  from "jobs_with_artifacts"
  where "project_id" = $1
  order by "job_id" desc
  limit $2 offset $3;
select "jobs".*
  from "jobs"
  where "jobs"."id" = any($1);
select "pipelines".*, "routes"."path" as "project_path"
  from "pipelines"
  left join "routes" on "routes"."project_id" = "pipelines"."project_id"
  where "pipelines"."id" = any($1);
select "job_artifacts".*, "stored_objects"."key", "stored_objects"."sha256"
  from "job_artifacts"
  inner join "stored_objects" on "stored_objects"."id" = "job_artifacts"."object_id"
  where "job_artifacts"."job_id" = any($1)
  order by "job_artifacts"."id";
select "pipelines"."id"
  from "pipelines"
  inner join "projects" on "projects"."id" = "pipelines"."project_id"
  where "pipelines"."project_id" = $1 and "pipelines"."id" = any($2) and "pipelines"."locked" = $3 and (projects.keep_latest_artifact and (select keep_latest_artifact
  from application_settings));

-- GET /projects/:id/audit_events
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "audit_events"
  where "audit_events"."entity_type" = $1 and "audit_events"."entity_id" = $2
  limit $3) as counted;
select "audit_events".*
  from "audit_events"
  where "audit_events"."entity_type" = $1 and "audit_events"."entity_id" = $2
  order by "audit_events"."id" desc
  limit $3 offset $4;

-- GET /projects/:id/audit_events/:audit_event_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "audit_events".*
  from "audit_events"
  where "audit_events"."entity_type" = $1 and "audit_events"."entity_id" = $2 and "audit_events"."id" = $3
  order by "audit_events"."id" desc;

-- GET /projects/:id/avatar
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "avatars"."filename", "avatars"."media_type", "stored_objects"."key", "stored_objects"."size", "stored_objects"."sha256"
  from "avatars"
  inner join "stored_objects" on "stored_objects"."id" = "avatars"."object_id"
  where "project_id" = $1;

-- GET /projects/:id/badges
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "badges"
  where ("project_id" = $1 or namespace_id = any($2))
  limit $3) as counted;
select "id", "name", "link_url", "image_url", case when project_id is null then 'group' else 'project' end as "kind", $1::bigint as "shown_for"
  from "badges"
  where ("project_id" = $2 or namespace_id = any($3))
  order by "id"
  limit $4 offset $5;
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where "projects"."id" = any($1);
select "id"
  from "projects"
  where projects.id in (select projects.id
  from projects
  where projects.id = any($1) and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled'));

-- GET /projects/:id/badges/:badge_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "id", "name", "link_url", "image_url", case when project_id is null then 'group' else 'project' end as "kind", $1::bigint as "shown_for"
  from "badges"
  where ("project_id" = $2 or namespace_id = any($3)) and "id" = $4
  order by "id";
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where "projects"."id" = any($1);
select "id"
  from "projects"
  where projects.id in (select projects.id
  from projects
  where projects.id = any($1) and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled'));

-- GET /projects/:id/badges/render
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where "projects"."id" = any($1);

-- GET /projects/:id/boards
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "boards"
  where "boards"."project_id" = $1
  limit $2) as counted;
select "boards".*, array(select l.label_id
  from board_labels l
  where l.board_id = boards.id
  order by l.label_id) as "label_ids"
  from "boards"
  where "boards"."project_id" = $1
  order by "boards"."id"
  limit $2 offset $3;
select "board_lists".*
  from "board_lists"
  where "board_lists"."board_id" = any($1)
  order by "board_lists"."position", "board_lists"."id";
select *
  from "labels"
  where "id" = any($1);
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where "projects"."id" = any($1);

-- GET /projects/:id/boards/:board_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "boards".*, array(select l.label_id
  from board_labels l
  where l.board_id = boards.id
  order by l.label_id) as "label_ids"
  from "boards"
  where "boards"."project_id" = $1 and "boards"."id" = $2
  order by "boards"."id";
select "board_lists".*
  from "board_lists"
  where "board_lists"."board_id" = any($1)
  order by "board_lists"."position", "board_lists"."id";
select *
  from "labels"
  where "id" = any($1);
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where "projects"."id" = any($1);

-- GET /projects/:id/boards/:board_id/lists
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "boards".*, array(select l.label_id
  from board_labels l
  where l.board_id = boards.id
  order by l.label_id) as "label_ids"
  from "boards"
  where "boards"."project_id" = $1 and "boards"."id" = $2
  order by "boards"."id";
select count(*)::int as total
  from (select 1 as "one"
  from "board_lists"
  where "board_lists"."board_id" = $1
  limit $2) as counted;
select "board_lists".*
  from "board_lists"
  where "board_lists"."board_id" = $1
  order by "board_lists"."position", "board_lists"."id"
  limit $2 offset $3;
select *
  from "labels"
  where "id" = any($1);

-- GET /projects/:id/boards/:board_id/lists/:list_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "boards".*, array(select l.label_id
  from board_labels l
  where l.board_id = boards.id
  order by l.label_id) as "label_ids"
  from "boards"
  where "boards"."project_id" = $1 and "boards"."id" = $2
  order by "boards"."id";
select "board_lists".*
  from "board_lists"
  where "board_lists"."board_id" = $1 and "board_lists"."id" = $2
  order by "board_lists"."position", "board_lists"."id";
select *
  from "labels"
  where "id" = any($1);

-- GET /projects/:id/ci/lint
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "protected_branches".*, (select coalesce(json_agg(agg), '[]')
  from (select "levels"."id", "levels"."action", "levels"."access_level", "levels"."user_id", "levels"."group_id"
  from "protected_branch_access_levels" as "levels"
  where "levels"."protected_branch_id" = "protected_branches"."id"
  order by "levels"."id") as agg) as "levels"
  from "protected_branches"
  where "protected_branches"."project_id" = $1;
/* generic plan */ select array(select name
  from project_languages
  where project_id = $1
  order by share desc, name) as languages, exists (select
  from freeze_periods
  where project_id = $2) as has_freeze_periods, array(select routes.path || '!' || m.iid
  from merge_requests m join routes on routes.project_id = m.project_id
  where m.source_project_id = $3 and m.source_branch = $4 and m.state in ('opened', 'locked')
  order by m.id desc
  limit 4) as merge_requests, users.id, users.email, users.username, users.name
  from (values ($5::bigint)) as wanted(user_id)
  left join users on users.id = wanted.user_id;
select *
  from "freeze_periods"
  where "project_id" = $1
  order by "freeze_start", "id";
select *
  from "ci_variables"
  where (project_id = $1 or namespace_id = any($2) or (project_id is null and namespace_id is null))
  order by "id";

-- GET /projects/:id/cluster_agents
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "cluster_agents"
  where "project_id" = $1
  limit $2) as counted;
select "cluster_agents".*
  from "cluster_agents"
  where "project_id" = $1
  order by "name"
  limit $2 offset $3;
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where "projects"."id" = any($1);

-- GET /projects/:id/cluster_agents/:agent_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "cluster_agents".*
  from "cluster_agents"
  where "project_id" = $1 and "id" = $2;
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where "projects"."id" = any($1);

-- GET /projects/:id/custom_attributes
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "custom_attributes"
  where "project_id" = $1
  limit $2) as counted;
select "key", "value"
  from "custom_attributes"
  where "project_id" = $1
  order by "id"
  limit $2 offset $3;

-- GET /projects/:id/custom_attributes/:key
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "key", "value"
  from "custom_attributes"
  where "project_id" = $1 and "key" = $2
  order by "id";

-- GET /projects/:id/deploy_keys
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "keys"
  inner join "deploy_key_projects" as "d" on "d"."key_id" = "keys"."id"
  where "keys"."user_id" is null and "d"."project_id" = $1
  limit $2) as counted;
select "keys"."id", "keys"."title", "keys"."key", "keys"."fingerprint", "keys"."public", "keys"."created_at", least("keys"."expires_at", "keys"."created_at" + (select "max_ssh_key_lifetime"
  from application_settings) * interval '1 day') as "expires_at", "d"."project_id", "d"."can_push", exists ( select
  from users enabler, projects held join namespaces home on home.id = held.namespace_id
  where enabler.id = "d"."enabled_by" and held.id = "d"."project_id" and enabler.state = 'active' and (enabler.admin or coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = enabler.id and m.project_id = "held"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = enabler.id and m.namespace_id = any("home"."traversal_ids")), case when "home"."owner_id" = enabler.id then 50 end), 0) >= case when "d"."can_push" then 30 else 20 end)) as "active"
  from "keys"
  inner join "deploy_key_projects" as "d" on "d"."key_id" = "keys"."id"
  where "keys"."user_id" is null and "d"."project_id" = $1
  order by "keys"."id"
  limit $2 offset $3;

-- GET /projects/:id/deploy_keys/:key_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "keys"."id", "keys"."title", "keys"."key", "keys"."fingerprint", "keys"."public", "keys"."created_at", least("keys"."expires_at", "keys"."created_at" + (select "max_ssh_key_lifetime"
  from application_settings) * interval '1 day') as "expires_at", "d"."project_id", "d"."can_push", exists ( select
  from users enabler, projects held join namespaces home on home.id = held.namespace_id
  where enabler.id = "d"."enabled_by" and held.id = "d"."project_id" and enabler.state = 'active' and (enabler.admin or coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = enabler.id and m.project_id = "held"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = enabler.id and m.namespace_id = any("home"."traversal_ids")), case when "home"."owner_id" = enabler.id then 50 end), 0) >= case when "d"."can_push" then 30 else 20 end)) as "active"
  from "keys"
  inner join "deploy_key_projects" as "d" on "d"."key_id" = "keys"."id"
  where "keys"."user_id" is null and "d"."project_id" = $1 and "keys"."id" = $2
  order by "keys"."id";

-- GET /projects/:id/deploy_tokens
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "deploy_tokens"
  where "project_id" = $1
  limit $2) as counted;
select "id", "project_id", "group_id", "name", "username", "scopes", "created_by", "created_at", least("deploy_tokens"."expires_at", "deploy_tokens"."created_at" + (select "max_deploy_token_lifetime"
  from application_settings) * interval '1 day') as "expires_at"
  from "deploy_tokens"
  where "project_id" = $1
  order by "id" desc
  limit $2 offset $3;

-- GET /projects/:id/deploy_tokens/:token_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "id", "project_id", "group_id", "name", "username", "scopes", "created_by", "created_at", least("deploy_tokens"."expires_at", "deploy_tokens"."created_at" + (select "max_deploy_token_lifetime"
  from application_settings) * interval '1 day') as "expires_at"
  from "deploy_tokens"
  where "project_id" = $1 and "id" = $2
  order by "id" desc;

-- GET /projects/:id/deployments
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "deployments"
  where "deployments"."project_id" = $1
  limit $2) as counted;
select "deployments".*
  from "deployments"
  where "deployments"."project_id" = $1
  order by "deployments"."id" asc
  limit $2 offset $3;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select "jobs".*
  from "jobs"
  where "jobs"."id" = any($1);
select projects.id
  from projects
  where projects.id = any($1) and not projects.deleting and ("projects"."builds_access_level" = 'private' or "projects"."builds_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled');
select "pipelines".*, "routes"."path" as "project_path"
  from "pipelines"
  left join "routes" on "routes"."project_id" = "pipelines"."project_id"
  where "pipelines"."id" = any($1);
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url", "users"."created_at", "users"."bio", "users"."location", "users"."public_email", "users"."skype", "users"."linkedin", "users"."twitter", "users"."website_url", "users"."organization"
  from "users"
  where "users"."id" = any($1);
select "id", "repository_storage"
  from "projects"
  where "id" = any($1);
select "job_artifacts".*, "stored_objects"."key", "stored_objects"."sha256"
  from "job_artifacts"
  inner join "stored_objects" on "stored_objects"."id" = "job_artifacts"."object_id"
  where "job_artifacts"."job_id" = any($1)
  order by "job_artifacts"."id";
select "environments".*
  from "environments"
  where "id" = any($1);

-- GET /projects/:id/deployments/:deployment_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "deployments".*
  from "deployments"
  where "deployments"."project_id" = $1 and "deployments"."id" = $2;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select "environments".*
  from "environments"
  where "id" = any($1);

-- GET /projects/:id/deployments/:deployment_id/merge_requests
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "deployments".*
  from "deployments"
  where "deployments"."project_id" = $1 and "deployments"."id" = $2;
select count(*)::int as total
  from (select /* custom plan */ 1 as "one"
  from "merge_requests"
  where merge_requests.project_id = $1 and merge_requests.id in (select d.merge_request_id
  from deployment_merge_requests d
  where d.deployment_id = $2) and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = $3 and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')) and true
  limit $4) as counted;
select /* custom plan */ "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where merge_requests.project_id = $2 and merge_requests.id in (select d.merge_request_id
  from deployment_merge_requests d
  where d.deployment_id = $3) and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = $4 and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')) and true
  order by "merge_requests"."created_at" desc, "merge_requests"."id" desc
  limit $5;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select "m"."id", "p"."approvals_before_merge", "p"."disable_overriding_approvers_per_merge_request", "p"."merge_requests_author_approval", "p"."merge_requests_disable_committers_approval", "p"."require_password_to_approve", "p"."reset_approvals_on_push", "p"."only_allow_merge_if_pipeline_succeeds", "p"."allow_merge_on_skipped_pipeline", array(select a.user_id
  from approvals a
  where a.merge_request_id = m.id
  order by a.created_at, a.user_id) as "approved_by", case when p.only_allow_merge_if_all_discussions_are_resolved then (select count(distinct n.discussion_id)::int
  from notes n
  where n.merge_request_id = m.id and n.resolvable and n.resolved_at is null) else 0 end as "unresolved_threads"
  from "merge_requests" as "m"
  inner join "projects" as "p" on "p"."id" = "m"."project_id"
  where "m"."id" = any($1);

-- GET /projects/:id/environments
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "environments"
  where "project_id" = $1
  limit $2) as counted;
select "environments".*
  from "environments"
  where "project_id" = $1
  order by "id"
  limit $2 offset $3;

-- GET /projects/:id/environments/:environment_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "environments".*
  from "environments"
  where "project_id" = $1 and "id" = $2;
select "deployments".*
  from unnest($1::bigint[]) as wanted(id) cross join lateral (select *
  from deployments
  where environment_id = wanted.id and status = 'success'
  order by id desc
  limit 1) as "deployments";

-- GET /projects/:id/events
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "feed_entries"
  inner join lateral (select "projects"."visibility", "projects"."repository_access_level", "projects"."issues_access_level", "projects"."merge_requests_access_level", coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role"
  from "projects"
  inner join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  where "projects"."id" = "feed_entries"."project_id" and not projects.deleting) as "seen" on true
  where case feed_entries.target_type when 'project' then true when 'issue' then (("seen"."issues_access_level" = 'private' or "seen"."issues_access_level" = 'enabled') and exists ( select
  from issues
  where issues.id = feed_entries.target_id and (not issues.confidential or true))) when 'note' then (("seen"."merge_requests_access_level" = 'private' or "seen"."merge_requests_access_level" = 'enabled') and ("seen"."repository_access_level" = 'private' or "seen"."repository_access_level" = 'enabled') and exists ( select
  from notes
  where notes.id = feed_entries.target_id and notes.merge_request_id is not null and (not notes.confidential or ("seen"."merge_requests_access_level" = 'private' or "seen"."merge_requests_access_level" = 'enabled') and ("seen"."repository_access_level" = 'private' or "seen"."repository_access_level" = 'enabled'))) or ("seen"."issues_access_level" = 'private' or "seen"."issues_access_level" = 'enabled') and exists ( select
  from notes join issues on issues.id = notes.issue_id
  where notes.id = feed_entries.target_id and (not notes.confidential or ("seen"."issues_access_level" = 'private' or "seen"."issues_access_level" = 'enabled')) and (not issues.confidential or true))) when 'merge_request' then (("seen"."merge_requests_access_level" = 'private' or "seen"."merge_requests_access_level" = 'enabled') and ("seen"."repository_access_level" = 'private' or "seen"."repository_access_level" = 'enabled') and exists ( select
  from merge_requests
  where merge_requests.id = feed_entries.target_id)) when 'milestone' then (("seen"."issues_access_level" = 'private' or "seen"."issues_access_level" = 'enabled') or ("seen"."merge_requests_access_level" = 'private' or "seen"."merge_requests_access_level" = 'enabled') and ("seen"."repository_access_level" = 'private' or "seen"."repository_access_level" = 'enabled')) else feed_entries.push_data is not null and ("seen"."repository_access_level" = 'private' or "seen"."repository_access_level" = 'enabled') end and "feed_entries"."project_id" = $4
  limit $5) as counted;
select "feed_entries".*
  from "feed_entries"
  inner join lateral (select "projects"."visibility", "projects"."repository_access_level", "projects"."issues_access_level", "projects"."merge_requests_access_level", coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role"
  from "projects"
  inner join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  where "projects"."id" = "feed_entries"."project_id" and not projects.deleting) as "seen" on true
  where case feed_entries.target_type when 'project' then true when 'issue' then (("seen"."issues_access_level" = 'private' or "seen"."issues_access_level" = 'enabled') and exists ( select
  from issues
  where issues.id = feed_entries.target_id and (not issues.confidential or true))) when 'note' then (("seen"."merge_requests_access_level" = 'private' or "seen"."merge_requests_access_level" = 'enabled') and ("seen"."repository_access_level" = 'private' or "seen"."repository_access_level" = 'enabled') and exists ( select
  from notes
  where notes.id = feed_entries.target_id and notes.merge_request_id is not null and (not notes.confidential or ("seen"."merge_requests_access_level" = 'private' or "seen"."merge_requests_access_level" = 'enabled') and ("seen"."repository_access_level" = 'private' or "seen"."repository_access_level" = 'enabled'))) or ("seen"."issues_access_level" = 'private' or "seen"."issues_access_level" = 'enabled') and exists ( select
  from notes join issues on issues.id = notes.issue_id
  where notes.id = feed_entries.target_id and (not notes.confidential or ("seen"."issues_access_level" = 'private' or "seen"."issues_access_level" = 'enabled')) and (not issues.confidential or true))) when 'merge_request' then (("seen"."merge_requests_access_level" = 'private' or "seen"."merge_requests_access_level" = 'enabled') and ("seen"."repository_access_level" = 'private' or "seen"."repository_access_level" = 'enabled') and exists ( select
  from merge_requests
  where merge_requests.id = feed_entries.target_id)) when 'milestone' then (("seen"."issues_access_level" = 'private' or "seen"."issues_access_level" = 'enabled') or ("seen"."merge_requests_access_level" = 'private' or "seen"."merge_requests_access_level" = 'enabled') and ("seen"."repository_access_level" = 'private' or "seen"."repository_access_level" = 'enabled')) else feed_entries.push_data is not null and ("seen"."repository_access_level" = 'private' or "seen"."repository_access_level" = 'enabled') end and "feed_entries"."project_id" = $4
  order by "feed_entries"."created_at" desc, "feed_entries"."id" desc
  limit $5 offset $6;
select "notes".*, coalesce(issue.iid, merge_request.iid, epic.iid) as "noteable_iid", coalesce(issue.project_id, merge_request.project_id) as "project_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."id" = any($1);
select "id", "iid", "title"
  from "issues"
  where "id" = any($1);
select "notes"."id", "notes"."id" as "iid", coalesce(issues.title, merge_requests.title) as "title"
  from "notes"
  left join "issues" on "issues"."id" = "notes"."issue_id"
  left join "merge_requests" on "merge_requests"."id" = "notes"."merge_request_id"
  where "notes"."id" = any($1);
select "id", "iid", "title"
  from "merge_requests"
  where "id" = any($1);
select "id", "iid", "title"
  from "milestones"
  where "id" = any($1);
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select "suggestions".*, "notes"."position" as "at", "notes"."discussion_id", "notes"."merge_request_id", "merge_requests"."state", "merge_requests"."head_sha", "merge_requests"."project_id", "merge_requests"."iid"
  from "suggestions"
  inner join "notes" on "notes"."id" = "suggestions"."note_id"
  inner join "merge_requests" on "merge_requests"."id" = "notes"."merge_request_id"
  where "suggestions"."note_id" = any($1)
  order by "suggestions"."position";

-- GET /projects/:id/feature_flags
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "project_flags"
  where "project_id" = $1
  limit $2) as counted;
select "project_flags".*, (select coalesce(json_agg(agg), '[]')
  from (select "strategies"."id", "strategies"."name", "strategies"."parameters", (select to_json(obj)
  from (select "lists"."id", "lists"."iid", "lists"."name", "lists"."user_xids"
  from "flag_user_lists" as "lists"
  where "lists"."id" = "strategies"."user_list_id") as obj) as "user_list", (select coalesce(json_agg(agg), '[]')
  from (select "scopes"."id", "scopes"."environment_scope"
  from "project_flag_scopes" as "scopes"
  where "scopes"."strategy_id" = "strategies"."id"
  order by "scopes"."id") as agg) as "scopes"
  from "project_flag_strategies" as "strategies"
  where "strategies"."flag_id" = "project_flags"."id"
  order by "strategies"."id") as agg) as "strategies"
  from "project_flags"
  where "project_id" = $1
  order by "project_flags"."name", "project_flags"."id"
  limit $2 offset $3;

-- GET /projects/:id/feature_flags/:feature_flag_name
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "project_flags".*, (select coalesce(json_agg(agg), '[]')
  from (select "strategies"."id", "strategies"."name", "strategies"."parameters", (select to_json(obj)
  from (select "lists"."id", "lists"."iid", "lists"."name", "lists"."user_xids"
  from "flag_user_lists" as "lists"
  where "lists"."id" = "strategies"."user_list_id") as obj) as "user_list", (select coalesce(json_agg(agg), '[]')
  from (select "scopes"."id", "scopes"."environment_scope"
  from "project_flag_scopes" as "scopes"
  where "scopes"."strategy_id" = "strategies"."id"
  order by "scopes"."id") as agg) as "scopes"
  from "project_flag_strategies" as "strategies"
  where "strategies"."flag_id" = "project_flags"."id"
  order by "strategies"."id") as agg) as "strategies"
  from "project_flags"
  where "project_id" = $1 and "name" = $2
  order by "project_flags"."name", "project_flags"."id";

-- GET /projects/:id/feature_flags_client
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "token"
  from "flag_clients"
  where "project_id" = $1;
insert into "flag_clients" ("project_id", "token") values ($1, $2) on conflict do nothing;
select "token"
  from "flag_clients"
  where "project_id" = $1;

-- GET /projects/:id/feature_flags_user_lists
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "flag_user_lists"
  where "project_id" = $1
  limit $2) as counted;
select *
  from "flag_user_lists"
  where "project_id" = $1
  order by "iid"
  limit $2 offset $3;

-- GET /projects/:id/feature_flags_user_lists/:iid
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select *
  from "flag_user_lists"
  where "project_id" = $1 and "iid" = $2
  order by "iid";

-- GET /projects/:id/forks
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where not projects.deleting and projects.id in (select project_id
  from project_forks
  where source_id = $1)
  limit $2) as counted;
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where not projects.deleting and projects.id in (select project_id
  from project_forks
  where source_id = $1)
  order by "projects"."created_at" desc, "projects"."id" desc
  limit $2 offset $3;
select p.id, (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from members m
  where m.user_id = $1 and m.project_id = p.id) as project, greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any(n.traversal_ids)), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $3 and m.project_id = p.id and m.share_id is not null) ) as group
  from projects p join namespaces n on n.id = p.namespace_id
  where p.id = any($4);
select "project_id", "namespace_id", "level"
  from "notification_settings"
  where "user_id" = $1 and ("project_id" = any($2) or "namespace_id" = any($3));
select "project_id" as "id", "encrypted"
  from "runners_tokens"
  where "project_id" = any($1);
select "shares"."project_id" as "shared_id", "shares"."group_id", "namespaces"."name" as "group_name", "routes"."path" as "group_full_path", "shares"."access_level" as "group_access_level", "shares"."expires_at"
  from "shares"
  inner join "namespaces" on "namespaces"."id" = "shares"."group_id"
  inner join "routes" on "routes"."namespace_id" = "shares"."group_id"
  where "shares"."project_id" = any($1) and (shares.expires_at is null or shares.expires_at > current_date) and not namespaces.deleting
  order by "shares"."id";
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "project_forks"."project_id" as "fork_id"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join "project_forks" on "project_forks"."source_id" = "projects"."id"
  where "project_forks"."project_id" = any($1) and not projects.deleting;

-- GET /projects/:id/freeze_periods
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "freeze_periods"
  where "project_id" = $1
  limit $2) as counted;
select *
  from "freeze_periods"
  where "project_id" = $1
  order by "freeze_start", "id"
  limit $2 offset $3;

-- GET /projects/:id/freeze_periods/:freeze_period_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select *
  from "freeze_periods"
  where "project_id" = $1 and "id" = $2
  order by "freeze_start", "id";

-- GET /projects/:id/groups
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $1 and namespaces.id = any($2::bigint[]) and not namespaces.deleting
  limit $3) as counted;
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $1 and namespaces.id = any($2::bigint[]) and not namespaces.deleting
  order by coalesce(array_position($3::bigint[], namespaces.id), 1000), "namespaces"."id"
  limit $4 offset $5;

-- GET /projects/:id/hooks
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "hooks"
  where "project_id" = $1
  limit $2) as counted;
select *, case when project_id is not null then 'project' when namespace_id is not null then 'group' else 'system' end as "kind"
  from "hooks"
  where "project_id" = $1
  order by "id"
  limit $2 offset $3;

-- GET /projects/:id/hooks/:hook_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select *, case when project_id is not null then 'project' when namespace_id is not null then 'group' else 'system' end as "kind"
  from "hooks"
  where "project_id" = $1 and "id" = $2
  order by "id";

-- GET /projects/:id/hooks/:hook_id/events
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select *, case when project_id is not null then 'project' when namespace_id is not null then 'group' else 'system' end as "kind"
  from "hooks"
  where "project_id" = $1 and "id" = $2
  order by "id";
select count(*)::int as total
  from (select 1 as "one"
  from "hook_deliveries"
  inner join "hooks" on "hooks"."id" = "hook_deliveries"."hook_id"
  where "hook_deliveries"."hook_id" = $1
  limit $2) as counted;
select "hook_deliveries".*, "hooks"."url", "hooks"."token", "hooks"."enable_ssl_verification", case when project_id is not null then 'project' when namespace_id is not null then 'group' else 'system' end as "kind", hook_deliveries.trigger as "trigger", hook_deliveries.status as "status", hook_deliveries.response_headers as "response_headers"
  from "hook_deliveries"
  inner join "hooks" on "hooks"."id" = "hook_deliveries"."hook_id"
  where "hook_deliveries"."hook_id" = $1
  order by "hook_deliveries"."id" desc
  limit $2 offset $3;

-- GET /projects/:id/import
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;

-- GET /projects/:id/integrations
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from (select distinct on ("slug") "integrations".*, (project_id is distinct
  from $1::bigint or namespace_id is distinct
  from $2::bigint) as "inherited"
  from "integrations"
  where (project_id = $3::bigint or namespace_id = $4::bigint or namespace_id = any($5::bigint[]) or project_id is null and namespace_id is null)
  order by "slug", case when project_id is not null then 0 when namespace_id = $6::bigint then 1 when namespace_id is not null then 2 + cardinality($7::bigint[]) - array_position($8::bigint[], namespace_id) else 1000 end) as "integrations"
  where "active" = $9
  limit $10) as counted;
select "integrations".*
  from (select distinct on ("slug") "integrations".*, (project_id is distinct
  from $1::bigint or namespace_id is distinct
  from $2::bigint) as "inherited"
  from "integrations"
  where (project_id = $3::bigint or namespace_id = $4::bigint or namespace_id = any($5::bigint[]) or project_id is null and namespace_id is null)
  order by "slug", case when project_id is not null then 0 when namespace_id = $6::bigint then 1 when namespace_id is not null then 2 + cardinality($7::bigint[]) - array_position($8::bigint[], namespace_id) else 1000 end) as "integrations"
  where "active" = $9
  order by "slug"
  limit $10 offset $11;

-- GET /projects/:id/integrations/:slug
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "integrations".*
  from (select distinct on ("slug") "integrations".*, (project_id is distinct
  from $1::bigint or namespace_id is distinct
  from $2::bigint) as "inherited"
  from "integrations"
  where (project_id = $3::bigint or namespace_id = $4::bigint or namespace_id = any($5::bigint[]) or project_id is null and namespace_id is null)
  order by "slug", case when project_id is not null then 0 when namespace_id = $6::bigint then 1 when namespace_id is not null then 2 + cardinality($7::bigint[]) - array_position($8::bigint[], namespace_id) else 1000 end) as "integrations"
  where "slug" = $9
  order by "slug";

-- GET /projects/:id/invitations
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "invitations"
  left join "users" on "users"."id" = "invitations"."created_by_id"
  where "invitations"."project_id" = $1
  limit $2) as counted;
select "invitations"."id", "invitations"."email", "invitations"."access_level", "invitations"."expires_at", "invitations"."created_at", "users"."name" as "created_by_name"
  from "invitations"
  left join "users" on "users"."id" = "invitations"."created_by_id"
  where "invitations"."project_id" = $1
  order by "invitations"."id"
  limit $2 offset $3;

-- GET /projects/:id/issues
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select /* custom plan */ 1 as "one"
  from "issues"
  where issues.project_id = $1 and true and true
  limit $2) as counted;
select /* custom plan */ "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where issues.project_id = $2 and true and true
  order by "issues"."created_at" desc, "issues"."id" desc
  limit $3;
select "milestones".*, coalesce("project_routes"."path", "group_routes"."path") as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."id" = any($1);
select "epics"."id", "epics"."iid", "epics"."title", "epics"."namespace_id", "routes"."path" as "group_path"
  from "epics"
  inner join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  inner join "routes" on "routes"."namespace_id" = "epics"."namespace_id"
  where "epics"."id" = any($1) and true;

-- GET /projects/:id/issues/:issue_iid
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."project_id" = $2 and "issues"."iid" = $3 and true;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select *
  from "labels"
  where "id" = any($1);
select "issue_id" as "id", "subscribed"
  from "subscriptions"
  where "user_id" = $1 and "issue_id" = any($2);

-- GET /projects/:id/issues/:issue_iid/award_emoji
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."project_id" = $2 and "issues"."iid" = $3 and true;
select count(*)::int as total
  from (select 1 as "one"
  from "award_emoji"
  where "issue_id" = $1
  limit $2) as counted;
select *
  from "award_emoji"
  where "issue_id" = $1
  order by "id"
  limit $2 offset $3;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/issues/:issue_iid/award_emoji/:award_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."project_id" = $2 and "issues"."iid" = $3 and true;
select *
  from "award_emoji"
  where "issue_id" = $1 and "id" = $2
  order by "id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/issues/:issue_iid/closed_by
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."project_id" = $2 and "issues"."iid" = $3 and true;
select count(*)::int as total
  from (select 1 as "one"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where merge_requests.id in (select merge_request_id
  from merge_request_closing_issues
  where issue_id = $1) and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled') offset 0)
  limit $2) as counted;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where merge_requests.id in (select merge_request_id
  from merge_request_closing_issues
  where issue_id = $2) and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled') offset 0)
  order by "merge_requests"."id"
  limit $3 offset $4;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select *
  from "labels"
  where "id" = any($1);
select "milestones".*, coalesce("project_routes"."path", "group_routes"."path") as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."id" = any($1);
select "m"."id", "p"."approvals_before_merge", "p"."disable_overriding_approvers_per_merge_request", "p"."merge_requests_author_approval", "p"."merge_requests_disable_committers_approval", "p"."require_password_to_approve", "p"."reset_approvals_on_push", "p"."only_allow_merge_if_pipeline_succeeds", "p"."allow_merge_on_skipped_pipeline", array(select a.user_id
  from approvals a
  where a.merge_request_id = m.id
  order by a.created_at, a.user_id) as "approved_by", case when p.only_allow_merge_if_all_discussions_are_resolved then (select count(distinct n.discussion_id)::int
  from notes n
  where n.merge_request_id = m.id and n.resolvable and n.resolved_at is null) else 0 end as "unresolved_threads"
  from "merge_requests" as "m"
  inner join "projects" as "p" on "p"."id" = "m"."project_id"
  where "m"."id" = any($1);
select "approval_rules".*, array(select u.user_id
  from approval_rule_users u
  where u.approval_rule_id = approval_rules.id
  order by u.user_id) as "user_ids", array(select g.group_id
  from approval_rule_groups g
  where g.approval_rule_id = approval_rules.id
  order by g.group_id) as "group_ids", array(select b.protected_branch_id
  from approval_rule_branches b
  where b.approval_rule_id = approval_rules.id
  order by 1) as "protected_branch_ids"
  from "approval_rules"
  where ("approval_rules"."project_id" = any($1) or "approval_rules"."merge_request_id" = any($2))
  order by approval_rules.rule_type <> 'any_approver', "approval_rules"."id";
select approval_rule_id as rule_id, user_id
  from approval_rule_users
  where approval_rule_id = any($1::bigint[]) union select g.approval_rule_id, m.user_id
  from approval_rule_groups g join members m on m.namespace_id = g.group_id
  where g.approval_rule_id = any($2::bigint[]) and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  order by 1, 2;
select p.id as project_id, u.id as user_id
  from projects p join namespaces n on n.id = p.namespace_id cross join users u
  where p.id = any($1::bigint[]) and u.id = any($2::bigint[]) and u.state = 'active' and (n.owner_id = u.id or exists ( select
  from memberships m
  where m.user_id = u.id and m.access_level >= $3 and ("m"."expires_at" is null or "m"."expires_at" > current_date) and (m.project_id = p.id or m.namespace_id = any(n.traversal_ids))));

-- GET /projects/:id/issues/:issue_iid/discussions
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."project_id" = $2 and "issues"."iid" = $3 and true;
select count(*) as "total"
  from (select "notes"."discussion_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."issue_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.action is null or notes.action not in ('state', 'labels', 'milestone_id', 'weight')) group by "notes"."discussion_id"
  limit $2) as "some";
select "notes"."discussion_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."issue_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.action is null or notes.action not in ('state', 'labels', 'milestone_id', 'weight')) group by "notes"."discussion_id"
  order by min(notes.created_at), min(notes.id)
  limit $2 offset $3;
select "notes".*, coalesce(issue.iid, merge_request.iid, epic.iid) as "noteable_iid", coalesce(issue.project_id, merge_request.project_id) as "project_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."issue_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and "notes"."discussion_id" = any($2)
  order by "notes"."created_at", "notes"."id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/issues/:issue_iid/discussions/:discussion_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."project_id" = $2 and "issues"."iid" = $3 and true;
select "notes".*, coalesce(issue.iid, merge_request.iid, epic.iid) as "noteable_iid", coalesce(issue.project_id, merge_request.project_id) as "project_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."issue_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and "notes"."discussion_id" = any($2)
  order by "notes"."created_at", "notes"."id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."project_id" = $2 and "issues"."iid" = $3 and true;
select "notes".*, coalesce(issue.iid, merge_request.iid, epic.iid) as "noteable_iid", coalesce(issue.project_id, merge_request.project_id) as "project_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."issue_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and "notes"."discussion_id" = any($2)
  order by "notes"."created_at", "notes"."id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes/:note_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."project_id" = $2 and "issues"."iid" = $3 and true;
select "notes".*, coalesce(issue.iid, merge_request.iid, epic.iid) as "noteable_iid", coalesce(issue.project_id, merge_request.project_id) as "project_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."issue_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and "notes"."discussion_id" = any($2)
  order by "notes"."created_at", "notes"."id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/issues/:issue_iid/links
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."project_id" = $2 and "issues"."iid" = $3 and true;
select count(*)::int as total
  from (select 1 as "one"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  inner join "issue_links" on (("issue_links"."source_id" = $1 and "issue_links"."target_id" = "issues"."id") or ("issue_links"."target_id" = $2 and "issue_links"."source_id" = "issues"."id"))
  where issues.project_id in (select projects.id
  from projects
  where projects.id = issues.project_id and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled') offset 0)
  limit $3) as counted;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids", "issue_links"."id" as "issue_link_id", "issue_links"."created_at" as "link_created_at", "issue_links"."updated_at" as "link_updated_at", case when issue_links.link_type = 'relates_to' then 'relates_to' when issue_links.source_id = $2 then 'blocks' else 'is_blocked_by' end as "link_type"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  inner join "issue_links" on (("issue_links"."source_id" = $3 and "issue_links"."target_id" = "issues"."id") or ("issue_links"."target_id" = $4 and "issue_links"."source_id" = "issues"."id"))
  where issues.project_id in (select projects.id
  from projects
  where projects.id = issues.project_id and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled') offset 0)
  order by "issue_links"."created_at", "issue_links"."id"
  limit $5 offset $6;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select *
  from "labels"
  where "id" = any($1);

-- GET /projects/:id/issues/:issue_iid/metric_images
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."project_id" = $2 and "issues"."iid" = $3 and true;
select count(*)::int as total
  from (select 1 as "one"
  from "metric_images"
  left join "stored_objects" on "stored_objects"."id" = "metric_images"."object_id"
  where "metric_images"."issue_id" = $1
  limit $2) as counted;
select "metric_images".*, "stored_objects"."key" as "key", "stored_objects"."size" as "size", "stored_objects"."sha256" as "sha256"
  from "metric_images"
  left join "stored_objects" on "stored_objects"."id" = "metric_images"."object_id"
  where "metric_images"."issue_id" = $1
  order by "metric_images"."id"
  limit $2 offset $3;

-- GET /projects/:id/issues/:issue_iid/notes
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."project_id" = $2 and "issues"."iid" = $3 and true;
select count(*)::int as total
  from (select 1 as "one"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."issue_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.action is null or notes.action not in ('state', 'labels', 'milestone_id', 'weight'))
  limit $2) as counted;
select "notes".*, coalesce(issue.iid, merge_request.iid, epic.iid) as "noteable_iid", coalesce(issue.project_id, merge_request.project_id) as "project_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."issue_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.action is null or notes.action not in ('state', 'labels', 'milestone_id', 'weight'))
  order by "notes"."created_at" desc, "notes"."id" desc
  limit $2 offset $3;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/issues/:issue_iid/notes/:note_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."project_id" = $2 and "issues"."iid" = $3 and true;
select "notes".*, coalesce(issue.iid, merge_request.iid, epic.iid) as "noteable_iid", coalesce(issue.project_id, merge_request.project_id) as "project_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."issue_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and "notes"."id" = $2;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."project_id" = $2 and "issues"."iid" = $3 and true;
select "notes".*, coalesce(issue.iid, merge_request.iid, epic.iid) as "noteable_iid", coalesce(issue.project_id, merge_request.project_id) as "project_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."issue_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and "notes"."id" = $2;
select count(*)::int as total
  from (select 1 as "one"
  from "award_emoji"
  where "note_id" = $1
  limit $2) as counted;
select *
  from "award_emoji"
  where "note_id" = $1
  order by "id"
  limit $2 offset $3;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji/:award_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."project_id" = $2 and "issues"."iid" = $3 and true;
select "notes".*, coalesce(issue.iid, merge_request.iid, epic.iid) as "noteable_iid", coalesce(issue.project_id, merge_request.project_id) as "project_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."issue_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and "notes"."id" = $2;
select *
  from "award_emoji"
  where "note_id" = $1 and "id" = $2
  order by "id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/issues/:issue_iid/participants
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."project_id" = $2 and "issues"."iid" = $3 and true;
select count(*)::int as total
  from (select 1 as "one"
  from "users"
  where ("users"."id" = any($1) or "users"."id" in (select "notes"."author_id" as "id"
  from "notes"
  where "notes"."issue_id" = $2 and "notes"."action" is null and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled'))))) or "users"."id" in (select "user_mentions"."user_id" as "id"
  from "user_mentions"
  left join "notes" on "notes"."id" = "user_mentions"."note_id"
  where "user_mentions"."issue_id" = $3 and (notes.id is null or ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))))))
  limit $4) as counted;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where ("users"."id" = any($1) or "users"."id" in (select "notes"."author_id" as "id"
  from "notes"
  where "notes"."issue_id" = $2 and "notes"."action" is null and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled'))))) or "users"."id" in (select "user_mentions"."user_id" as "id"
  from "user_mentions"
  left join "notes" on "notes"."id" = "user_mentions"."note_id"
  where "user_mentions"."issue_id" = $3 and (notes.id is null or ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))))))
  order by "users"."id"
  limit $4 offset $5;

-- GET /projects/:id/issues/:issue_iid/related_merge_requests
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."project_id" = $2 and "issues"."iid" = $3 and true;
select count(*)::int as total
  from (select 1 as "one"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where merge_requests.id in (select merge_request_id
  from merge_request_closing_issues
  where issue_id = $1 union select n.named_merge_request_id
  from notes n
  where n.issue_id = $2 and n.action = 'mention' and n.named_merge_request_id is not null union select n.merge_request_id
  from notes n
  where n.named_issue_id = $3 and n.action = 'mention' and n.merge_request_id is not null) and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled') offset 0)
  limit $4) as counted;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where merge_requests.id in (select merge_request_id
  from merge_request_closing_issues
  where issue_id = $2 union select n.named_merge_request_id
  from notes n
  where n.issue_id = $3 and n.action = 'mention' and n.named_merge_request_id is not null union select n.merge_request_id
  from notes n
  where n.named_issue_id = $4 and n.action = 'mention' and n.merge_request_id is not null) and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled') offset 0)
  order by "merge_requests"."iid", "merge_requests"."id"
  limit $5 offset $6;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select *
  from "labels"
  where "id" = any($1);
select "milestones".*, coalesce("project_routes"."path", "group_routes"."path") as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."id" = any($1);
select "m"."id", "p"."approvals_before_merge", "p"."disable_overriding_approvers_per_merge_request", "p"."merge_requests_author_approval", "p"."merge_requests_disable_committers_approval", "p"."require_password_to_approve", "p"."reset_approvals_on_push", "p"."only_allow_merge_if_pipeline_succeeds", "p"."allow_merge_on_skipped_pipeline", array(select a.user_id
  from approvals a
  where a.merge_request_id = m.id
  order by a.created_at, a.user_id) as "approved_by", case when p.only_allow_merge_if_all_discussions_are_resolved then (select count(distinct n.discussion_id)::int
  from notes n
  where n.merge_request_id = m.id and n.resolvable and n.resolved_at is null) else 0 end as "unresolved_threads"
  from "merge_requests" as "m"
  inner join "projects" as "p" on "p"."id" = "m"."project_id"
  where "m"."id" = any($1);
select "approval_rules".*, array(select u.user_id
  from approval_rule_users u
  where u.approval_rule_id = approval_rules.id
  order by u.user_id) as "user_ids", array(select g.group_id
  from approval_rule_groups g
  where g.approval_rule_id = approval_rules.id
  order by g.group_id) as "group_ids", array(select b.protected_branch_id
  from approval_rule_branches b
  where b.approval_rule_id = approval_rules.id
  order by 1) as "protected_branch_ids"
  from "approval_rules"
  where ("approval_rules"."project_id" = any($1) or "approval_rules"."merge_request_id" = any($2))
  order by approval_rules.rule_type <> 'any_approver', "approval_rules"."id";
select approval_rule_id as rule_id, user_id
  from approval_rule_users
  where approval_rule_id = any($1::bigint[]) union select g.approval_rule_id, m.user_id
  from approval_rule_groups g join members m on m.namespace_id = g.group_id
  where g.approval_rule_id = any($2::bigint[]) and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  order by 1, 2;
select p.id as project_id, u.id as user_id
  from projects p join namespaces n on n.id = p.namespace_id cross join users u
  where p.id = any($1::bigint[]) and u.id = any($2::bigint[]) and u.state = 'active' and (n.owner_id = u.id or exists ( select
  from memberships m
  where m.user_id = u.id and m.access_level >= $3 and ("m"."expires_at" is null or "m"."expires_at" > current_date) and (m.project_id = p.id or m.namespace_id = any(n.traversal_ids))));

-- GET /projects/:id/issues/:issue_iid/resource_iteration_events
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."project_id" = $2 and "issues"."iid" = $3 and true;
select count(*)::int as total
  from (select 1 as "one"
  from "resource_events"
  where "issue_id" = $1 and "kind" = $2
  limit $3) as counted;
select *
  from "resource_events"
  where "issue_id" = $1 and "kind" = $2
  order by "id"
  limit $3 offset $4;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select "iterations".*, "routes"."path" as "group_path"
  from "iterations"
  inner join "routes" on "routes"."namespace_id" = "iterations"."namespace_id"
  where "iterations"."id" = any($1);

-- GET /projects/:id/issues/:issue_iid/resource_iteration_events/:event_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."project_id" = $2 and "issues"."iid" = $3 and true;
select *
  from "resource_events"
  where "issue_id" = $1 and "kind" = $2 and "id" = $3
  order by "id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select "iterations".*, "routes"."path" as "group_path"
  from "iterations"
  inner join "routes" on "routes"."namespace_id" = "iterations"."namespace_id"
  where "iterations"."id" = any($1);

-- GET /projects/:id/issues/:issue_iid/resource_label_events
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."project_id" = $2 and "issues"."iid" = $3 and true;
select count(*)::int as total
  from (select 1 as "one"
  from "resource_events"
  where "issue_id" = $1 and "kind" = $2
  limit $3) as counted;
select *
  from "resource_events"
  where "issue_id" = $1 and "kind" = $2
  order by "id"
  limit $3 offset $4;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select *
  from "labels"
  where "id" = any($1);

-- GET /projects/:id/issues/:issue_iid/resource_label_events/:event_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."project_id" = $2 and "issues"."iid" = $3 and true;
select *
  from "resource_events"
  where "issue_id" = $1 and "kind" = $2 and "id" = $3
  order by "id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select *
  from "labels"
  where "id" = any($1);

-- GET /projects/:id/issues/:issue_iid/resource_milestone_events
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."project_id" = $2 and "issues"."iid" = $3 and true;
select count(*)::int as total
  from (select 1 as "one"
  from "resource_events"
  where "issue_id" = $1 and "kind" = $2
  limit $3) as counted;
select *
  from "resource_events"
  where "issue_id" = $1 and "kind" = $2
  order by "id"
  limit $3 offset $4;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select "milestones".*, coalesce("project_routes"."path", "group_routes"."path") as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."id" = any($1);

-- GET /projects/:id/issues/:issue_iid/resource_milestone_events/:event_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."project_id" = $2 and "issues"."iid" = $3 and true;
select *
  from "resource_events"
  where "issue_id" = $1 and "kind" = $2 and "id" = $3
  order by "id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select "milestones".*, coalesce("project_routes"."path", "group_routes"."path") as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."id" = any($1);

-- GET /projects/:id/issues/:issue_iid/resource_state_events
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."project_id" = $2 and "issues"."iid" = $3 and true;
select count(*)::int as total
  from (select 1 as "one"
  from "resource_events"
  where "issue_id" = $1 and "kind" = $2
  limit $3) as counted;
select *
  from "resource_events"
  where "issue_id" = $1 and "kind" = $2
  order by "id"
  limit $3 offset $4;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/issues/:issue_iid/resource_state_events/:event_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."project_id" = $2 and "issues"."iid" = $3 and true;
select *
  from "resource_events"
  where "issue_id" = $1 and "kind" = $2 and "id" = $3
  order by "id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/issues/:issue_iid/resource_weight_events
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."project_id" = $2 and "issues"."iid" = $3 and true;
select count(*)::int as total
  from (select 1 as "one"
  from "resource_events"
  where "issue_id" = $1 and "kind" = $2
  limit $3) as counted;
select *
  from "resource_events"
  where "issue_id" = $1 and "kind" = $2
  order by "id"
  limit $3 offset $4;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/issues/:issue_iid/resource_weight_events/:event_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."project_id" = $2 and "issues"."iid" = $3 and true;
select *
  from "resource_events"
  where "issue_id" = $1 and "kind" = $2 and "id" = $3
  order by "id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/issues/:issue_iid/time_stats
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."project_id" = $2 and "issues"."iid" = $3 and true;

-- GET /projects/:id/issues/:issue_iid/user_agent_detail
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."project_id" = $2 and "issues"."iid" = $3 and true;
select "user_agent", "ip_address"
  from "issue_user_agents"
  where "issue_id" = $1;

-- GET /projects/:id/issues/:issue_iid/user_agent_details
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."project_id" = $2 and "issues"."iid" = $3 and true;
select "user_agent", "ip_address"
  from "issue_user_agents"
  where "issue_id" = $1;

-- GET /projects/:id/issues_statistics
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select /* custom plan */ issues.state as "state", count(*) as "count"
  from "issues"
  where issues.project_id = $1 and true and true group by "issues"."state";

-- GET /projects/:id/iterations
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "iterations"
  left join "routes" on "routes"."namespace_id" = "iterations"."namespace_id"
  where "iterations"."namespace_id" = any($1)
  limit $2) as counted;
select "iterations".*, "routes"."path" as "group_path"
  from "iterations"
  left join "routes" on "routes"."namespace_id" = "iterations"."namespace_id"
  where "iterations"."namespace_id" = any($1)
  order by "iterations"."due_date", "iterations"."id"
  limit $2 offset $3;

-- GET /projects/:id/job_token_scope
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "ci_job_token_scope_enabled"
  from "projects"
  where "id" = $1;
select "gates"
  from "feature_flags"
  where "name" = $1;

-- GET /projects/:id/job_token_scope/allowlist
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where ("projects"."id" = $1 or "projects"."id" in (select "target_project_id"
  from "job_token_scope_projects"
  where "project_id" = $2 and "direction" = $3))
  limit $4) as counted;
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where ("projects"."id" = $1 or "projects"."id" in (select "target_project_id"
  from "job_token_scope_projects"
  where "project_id" = $2 and "direction" = $3))
  order by "projects"."id"
  limit $4 offset $5;

-- GET /projects/:id/job_token_scope/groups_allowlist
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $1 and "namespaces"."id" in (select "target_group_id"
  from "job_token_scope_groups"
  where "project_id" = $2)
  limit $3) as counted;
select "namespaces".*, "routes"."path" as "full_path", "routes"."name" as "full_name"
  from "namespaces"
  left join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "namespaces"."kind" = $1 and "namespaces"."id" in (select "target_group_id"
  from "job_token_scope_groups"
  where "project_id" = $2)
  order by "namespaces"."id"
  limit $3 offset $4;

-- GET /projects/:id/jobs
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "jobs"
  where "jobs"."project_id" = $1 and "kind" = $2
  limit $3) as counted;
select "jobs".*
  from "jobs"
  where "jobs"."project_id" = $1 and "kind" = $2
  order by "jobs"."id" desc
  limit $3 offset $4;
select "pipelines".*, "routes"."path" as "project_path"
  from "pipelines"
  left join "routes" on "routes"."project_id" = "pipelines"."project_id"
  where "pipelines"."id" = any($1);
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url", "users"."created_at", "users"."bio", "users"."location", "users"."public_email", "users"."skype", "users"."linkedin", "users"."twitter", "users"."website_url", "users"."organization"
  from "users"
  where "users"."id" = any($1);
select "id", "repository_storage"
  from "projects"
  where "id" = any($1);
select "runners".*, "runners"."token_created_at" + case "runners"."runner_type" when 'instance_type' then (select "runner_token_expiration_interval"
  from application_settings) when 'group_type' then (select "group_runner_token_expiration_interval"
  from application_settings) when 'project_type' then (select "project_runner_token_expiration_interval"
  from application_settings) end * interval '1 second' as "token_expires_at"
  from "runners"
  where "runners"."id" = any($1);
select "job_artifacts".*, "stored_objects"."key", "stored_objects"."sha256"
  from "job_artifacts"
  inner join "stored_objects" on "stored_objects"."id" = "job_artifacts"."object_id"
  where "job_artifacts"."job_id" = any($1)
  order by "job_artifacts"."id";

-- GET /projects/:id/jobs/:job_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "jobs".*
  from "jobs"
  where "jobs"."project_id" = $1 and "jobs"."id" = $2 and "kind" = $3;
select "pipelines".*, "routes"."path" as "project_path"
  from "pipelines"
  left join "routes" on "routes"."project_id" = "pipelines"."project_id"
  where "pipelines"."id" = any($1);
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url", "users"."created_at", "users"."bio", "users"."location", "users"."public_email", "users"."skype", "users"."linkedin", "users"."twitter", "users"."website_url", "users"."organization"
  from "users"
  where "users"."id" = any($1);
select "id", "repository_storage"
  from "projects"
  where "id" = any($1);
select "job_artifacts".*, "stored_objects"."key", "stored_objects"."sha256"
  from "job_artifacts"
  inner join "stored_objects" on "stored_objects"."id" = "job_artifacts"."object_id"
  where "job_artifacts"."job_id" = any($1)
  order by "job_artifacts"."id";

-- GET /projects/:id/jobs/:job_id/artifacts
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "jobs".*
  from "jobs"
  where "jobs"."project_id" = $1 and "jobs"."id" = $2 and "kind" = $3;
select "job_artifacts".*, "stored_objects"."key", "stored_objects"."sha256"
  from "job_artifacts"
  inner join "stored_objects" on "stored_objects"."id" = "job_artifacts"."object_id"
  where "file_type" = $1 and ("expires_at" is null or "expires_at" > $2 or exists (select "jobs"."id"
  from "jobs"
  inner join "pipelines" on "pipelines"."id" = "jobs"."pipeline_id"
  inner join "projects" on "projects"."id" = "pipelines"."project_id"
  where "jobs"."id" = "job_artifacts"."job_id" and "pipelines"."locked" = $3 and (projects.keep_latest_artifact and (select keep_latest_artifact
  from application_settings)))) and "job_artifacts"."job_id" = $4;

-- GET /projects/:id/jobs/:job_id/artifacts/*artifact_path
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "jobs".*
  from "jobs"
  where "jobs"."project_id" = $1 and "jobs"."id" = $2 and "kind" = $3;
select "job_artifacts".*, "stored_objects"."key", "stored_objects"."sha256"
  from "job_artifacts"
  inner join "stored_objects" on "stored_objects"."id" = "job_artifacts"."object_id"
  where "file_type" = $1 and ("expires_at" is null or "expires_at" > $2 or exists (select "jobs"."id"
  from "jobs"
  inner join "pipelines" on "pipelines"."id" = "jobs"."pipeline_id"
  inner join "projects" on "projects"."id" = "pipelines"."project_id"
  where "jobs"."id" = "job_artifacts"."job_id" and "pipelines"."locked" = $3 and (projects.keep_latest_artifact and (select keep_latest_artifact
  from application_settings)))) and "job_artifacts"."job_id" = $4;

-- GET /projects/:id/jobs/:job_id/trace
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "jobs".*
  from "jobs"
  where "jobs"."project_id" = $1 and "jobs"."id" = $2 and "kind" = $3;
select "job_artifacts".*, "stored_objects"."key", "stored_objects"."sha256"
  from "job_artifacts"
  inner join "stored_objects" on "stored_objects"."id" = "job_artifacts"."object_id"
  where "job_artifacts"."job_id" = $1 and "job_artifacts"."file_type" = $2;
select "start", "bytes"
  from "job_trace_chunks"
  where "job_id" = $1 and "start" >= (select "start"
  from "job_trace_chunks"
  where "job_id" = $2 and "start" <= $3
  order by "start" desc
  limit $4)
  order by "start"
  limit $5;

-- GET /projects/:id/jobs/artifacts/:ref_name/download
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
with recursive latest as ( select id
  from pipelines
  where project_id = $1 and ref = $2 and status = 'success' and parent_id is null
  order by id desc
  limit 1 ), tree (id, depth) as ( select id, 0
  from latest
  union all select pipelines.id, tree.depth + 1
  from pipelines join tree on pipelines.parent_id = tree.id
  where tree.depth < 10 ) select jobs.id
  from tree join jobs on jobs.pipeline_id = tree.id
  where jobs.name = $3 and jobs.status = 'success' and jobs.kind = 'build' and not jobs.retried and exists (select
  from job_artifacts
  where job_id = jobs.id and file_type = 'archive')
  order by tree.depth, jobs.id desc
  limit 1;
select "jobs".*
  from "jobs"
  where "jobs"."id" = $1;
select "job_artifacts".*, "stored_objects"."key", "stored_objects"."sha256"
  from "job_artifacts"
  inner join "stored_objects" on "stored_objects"."id" = "job_artifacts"."object_id"
  where "file_type" = $1 and ("expires_at" is null or "expires_at" > $2 or exists (select "jobs"."id"
  from "jobs"
  inner join "pipelines" on "pipelines"."id" = "jobs"."pipeline_id"
  inner join "projects" on "projects"."id" = "pipelines"."project_id"
  where "jobs"."id" = "job_artifacts"."job_id" and "pipelines"."locked" = $3 and (projects.keep_latest_artifact and (select keep_latest_artifact
  from application_settings)))) and "job_artifacts"."job_id" = $4;

-- GET /projects/:id/jobs/artifacts/:ref_name/raw/*artifact_path
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
with recursive latest as ( select id
  from pipelines
  where project_id = $1 and ref = $2 and status = 'success' and parent_id is null
  order by id desc
  limit 1 ), tree (id, depth) as ( select id, 0
  from latest
  union all select pipelines.id, tree.depth + 1
  from pipelines join tree on pipelines.parent_id = tree.id
  where tree.depth < 10 ) select jobs.id
  from tree join jobs on jobs.pipeline_id = tree.id
  where jobs.name = $3 and jobs.status = 'success' and jobs.kind = 'build' and not jobs.retried and exists (select
  from job_artifacts
  where job_id = jobs.id and file_type = 'archive')
  order by tree.depth, jobs.id desc
  limit 1;
select "jobs".*
  from "jobs"
  where "jobs"."id" = $1;
select "job_artifacts".*, "stored_objects"."key", "stored_objects"."sha256"
  from "job_artifacts"
  inner join "stored_objects" on "stored_objects"."id" = "job_artifacts"."object_id"
  where "file_type" = $1 and ("expires_at" is null or "expires_at" > $2 or exists (select "jobs"."id"
  from "jobs"
  inner join "pipelines" on "pipelines"."id" = "jobs"."pipeline_id"
  inner join "projects" on "projects"."id" = "pipelines"."project_id"
  where "jobs"."id" = "job_artifacts"."job_id" and "pipelines"."locked" = $3 and (projects.keep_latest_artifact and (select keep_latest_artifact
  from application_settings)))) and "job_artifacts"."job_id" = $4;

-- GET /projects/:id/labels
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "labels"
  where ("labels"."project_id" = $1 or "labels"."namespace_id" = any($2))
  limit $3) as counted;
select "labels".*, exists (select "subscriptions"."id"
  from "subscriptions"
  where "subscriptions"."label_id" = "labels"."id" and "subscriptions"."user_id" = $1 and "subscriptions"."subscribed" = $2) as "subscribed", (select "label_priorities"."priority"
  from "label_priorities"
  where "label_priorities"."label_id" = "labels"."id" and "label_priorities"."project_id" = $3) as "priority"
  from "labels"
  where ("labels"."project_id" = $4 or "labels"."namespace_id" = any($5))
  order by "labels"."name", "labels"."id"
  limit $6 offset $7;

-- GET /projects/:id/labels/:label_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "labels".*, exists (select "subscriptions"."id"
  from "subscriptions"
  where "subscriptions"."label_id" = "labels"."id" and "subscriptions"."user_id" = $1 and "subscriptions"."subscribed" = $2) as "subscribed", (select "label_priorities"."priority"
  from "label_priorities"
  where "label_priorities"."label_id" = "labels"."id" and "label_priorities"."project_id" = $3) as "priority"
  from "labels"
  where ("labels"."project_id" = $4 or "labels"."namespace_id" = any($5)) and "labels"."name" = $6
  order by labels.id::text = $7 desc, "labels"."project_id", "labels"."id";
/* custom plan */ select il.label_id as id, count(*) filter (where issues.state = 'opened')::int as open, count(*) filter (where issues.state = 'closed')::int as closed
  from issue_labels il join issues on issues.id = il.issue_id
  where il.label_id = any($1) and issues.project_id in (select projects.id
  from projects
  where projects.id = $2 and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')) group by il.label_id;
/* custom plan */ select ml.label_id as id, count(*)::int as open
  from merge_request_labels ml join merge_requests on merge_requests.id = ml.merge_request_id
  where ml.label_id = any($1) and merge_requests.state = 'opened' and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = $2 and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')) group by ml.label_id;

-- GET /projects/:id/languages
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "id", "repository_storage", "default_branch", "languages_commit"
  from "projects"
  where "id" = $1;
select "name", "share"
  from "project_languages"
  where "project_id" = $1
  order by "share" desc, "name";
update "projects" set "languages_commit" = $1
  where "id" = $2 and "languages_commit" is not distinct
  from $3;
select "name", "share"
  from "project_languages"
  where "project_id" = $1
  order by "share" desc, "name";

-- GET /projects/:id/members
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where ("members"."expires_at" is null or "members"."expires_at" > current_date) and (true) and members.project_id = $1
  limit $2) as counted;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url", "members"."access_level", "members"."expires_at", "members"."created_at"
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where ("members"."expires_at" is null or "members"."expires_at" > current_date) and (true) and members.project_id = $1
  order by "users"."id"
  limit $2 offset $3;

-- GET /projects/:id/members/:user_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url", "members"."access_level", "members"."expires_at", "members"."created_at"
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where ("members"."expires_at" is null or "members"."expires_at" > current_date) and (true and users.id = any($1)) and members.project_id = $2
  order by "users"."id";

-- GET /projects/:id/members/all
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select distinct on ("users"."id") 1 as "one"
  from "memberships" as "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where ("members"."expires_at" is null or "members"."expires_at" > current_date) and (true) and (members.project_id = $1 or members.namespace_id = any($2))
  limit $3) as counted;
select distinct on ("users"."id") "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url", "members"."access_level", "members"."expires_at", "members"."created_at"
  from "memberships" as "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where ("members"."expires_at" is null or "members"."expires_at" > current_date) and (true) and (members.project_id = $1 or members.namespace_id = any($2))
  order by "users"."id", "members"."access_level" desc
  limit $3 offset $4;

-- GET /projects/:id/members/all/:user_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select distinct on ("users"."id") "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url", "members"."access_level", "members"."expires_at", "members"."created_at"
  from "memberships" as "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where ("members"."expires_at" is null or "members"."expires_at" > current_date) and (true and users.id = any($1)) and (members.project_id = $2 or members.namespace_id = any($3))
  order by "users"."id", "members"."access_level" desc;

-- GET /projects/:id/merge_requests
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select /* custom plan */ 1 as "one"
  from "merge_requests"
  where merge_requests.project_id = $1 and true and true
  limit $2) as counted;
select /* custom plan */ "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where merge_requests.project_id = $2 and true and true
  order by "merge_requests"."created_at" desc, "merge_requests"."id" desc
  limit $3;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select *
  from "labels"
  where "id" = any($1);
select "milestones".*, coalesce("project_routes"."path", "group_routes"."path") as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."id" = any($1);
select "m"."id", "p"."approvals_before_merge", "p"."disable_overriding_approvers_per_merge_request", "p"."merge_requests_author_approval", "p"."merge_requests_disable_committers_approval", "p"."require_password_to_approve", "p"."reset_approvals_on_push", "p"."only_allow_merge_if_pipeline_succeeds", "p"."allow_merge_on_skipped_pipeline", array(select a.user_id
  from approvals a
  where a.merge_request_id = m.id
  order by a.created_at, a.user_id) as "approved_by", case when p.only_allow_merge_if_all_discussions_are_resolved then (select count(distinct n.discussion_id)::int
  from notes n
  where n.merge_request_id = m.id and n.resolvable and n.resolved_at is null) else 0 end as "unresolved_threads"
  from "merge_requests" as "m"
  inner join "projects" as "p" on "p"."id" = "m"."project_id"
  where "m"."id" = any($1);
select "approval_rules".*, array(select u.user_id
  from approval_rule_users u
  where u.approval_rule_id = approval_rules.id
  order by u.user_id) as "user_ids", array(select g.group_id
  from approval_rule_groups g
  where g.approval_rule_id = approval_rules.id
  order by g.group_id) as "group_ids", array(select b.protected_branch_id
  from approval_rule_branches b
  where b.approval_rule_id = approval_rules.id
  order by 1) as "protected_branch_ids"
  from "approval_rules"
  where ("approval_rules"."project_id" = any($1) or "approval_rules"."merge_request_id" = any($2))
  order by approval_rules.rule_type <> 'any_approver', "approval_rules"."id";
select approval_rule_id as rule_id, user_id
  from approval_rule_users
  where approval_rule_id = any($1::bigint[]) union select g.approval_rule_id, m.user_id
  from approval_rule_groups g join members m on m.namespace_id = g.group_id
  where g.approval_rule_id = any($2::bigint[]) and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  order by 1, 2;
select p.id as project_id, u.id as user_id
  from projects p join namespaces n on n.id = p.namespace_id cross join users u
  where p.id = any($1::bigint[]) and u.id = any($2::bigint[]) and u.state = 'active' and (n.owner_id = u.id or exists ( select
  from memberships m
  where m.user_id = u.id and m.access_level >= $3 and ("m"."expires_at" is null or "m"."expires_at" > current_date) and (m.project_id = p.id or m.namespace_id = any(n.traversal_ids))));

-- GET /projects/:id/merge_requests/:merge_request_iid
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select
  from ( select array( select (spec ->> 0, spec -> 1, spec ->> 2, (spec ->> 3)::timestamptz, (spec ->> 4)::int, spec ->> 5, null, null)::graphile_worker.job_spec
  from json_array_elements($1::json) with ordinality as specs(spec, n)
  where not (coalesce((spec ->> 6)::boolean, false) and exists (select
  from graphile_worker.jobs
  where key = spec ->> 5 and locked_at is null and attempts = 0))
  order by n) as asked offset 0) as jobs, lateral graphile_worker.add_jobs(asked, $2::boolean)
  where cardinality(asked) > 0;
select "protected_branches".*, (select coalesce(json_agg(agg), '[]')
  from (select "levels"."id", "levels"."action", "levels"."access_level", "levels"."user_id", "levels"."group_id"
  from "protected_branch_access_levels" as "levels"
  where "levels"."protected_branch_id" = "protected_branches"."id"
  order by "levels"."id") as agg) as "levels"
  from "protected_branches"
  where "protected_branches"."project_id" = $1;
select "id"
  from "merge_requests"
  where "author_id" = $1 and "project_id" = $2 and "state" = $3
  limit $4;
select "id", "admin", "external"
  from "users"
  where "id" = any($1) and "state" = $2;
select distinct on ("users"."id") "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url", "members"."access_level", "members"."expires_at", "members"."created_at"
  from "memberships" as "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where ("members"."expires_at" is null or "members"."expires_at" > current_date) and (true and users.id = any($1)) and (members.project_id = $2 or members.namespace_id = any($3))
  order by "users"."id", "members"."access_level" desc;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select *
  from "labels"
  where "id" = any($1);
select "milestones".*, coalesce("project_routes"."path", "group_routes"."path") as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."id" = any($1);
select "m"."id", "p"."approvals_before_merge", "p"."disable_overriding_approvers_per_merge_request", "p"."merge_requests_author_approval", "p"."merge_requests_disable_committers_approval", "p"."require_password_to_approve", "p"."reset_approvals_on_push", "p"."only_allow_merge_if_pipeline_succeeds", "p"."allow_merge_on_skipped_pipeline", array(select a.user_id
  from approvals a
  where a.merge_request_id = m.id
  order by a.created_at, a.user_id) as "approved_by", case when p.only_allow_merge_if_all_discussions_are_resolved then (select count(distinct n.discussion_id)::int
  from notes n
  where n.merge_request_id = m.id and n.resolvable and n.resolved_at is null) else 0 end as "unresolved_threads"
  from "merge_requests" as "m"
  inner join "projects" as "p" on "p"."id" = "m"."project_id"
  where "m"."id" = any($1);
select "approval_rules".*, array(select u.user_id
  from approval_rule_users u
  where u.approval_rule_id = approval_rules.id
  order by u.user_id) as "user_ids", array(select g.group_id
  from approval_rule_groups g
  where g.approval_rule_id = approval_rules.id
  order by g.group_id) as "group_ids", array(select b.protected_branch_id
  from approval_rule_branches b
  where b.approval_rule_id = approval_rules.id
  order by 1) as "protected_branch_ids"
  from "approval_rules"
  where ("approval_rules"."project_id" = any($1) or "approval_rules"."merge_request_id" = any($2))
  order by approval_rules.rule_type <> 'any_approver', "approval_rules"."id";
/* generic plan */ select m.id as merge_request_id, head.id
  from merge_requests m cross join lateral ( (select p.id, 0 as place
  from pipelines p
  where p.merge_request_id = m.id and p.sha = m.head_sha and p.source = 'merge_request_event'
  order by p.id desc
  limit 1)
  union all (select p.id, 1
  from pipelines p
  where p.project_id = m.source_project_id and p.sha = m.head_sha and p.ref = m.source_branch and not p.tag and p.parent_id is null
  order by p.id desc
  limit 1)
  order by place
  limit 1 ) head
  where m.id = any($1::bigint[]);
select "merge_request_id" as "id", "subscribed"
  from "subscriptions"
  where "user_id" = $1 and "merge_request_id" = any($2);
select approval_rule_id as rule_id, user_id
  from approval_rule_users
  where approval_rule_id = any($1::bigint[]) union select g.approval_rule_id, m.user_id
  from approval_rule_groups g join members m on m.namespace_id = g.group_id
  where g.approval_rule_id = any($2::bigint[]) and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  order by 1, 2;
select p.id as project_id, u.id as user_id
  from projects p join namespaces n on n.id = p.namespace_id cross join users u
  where p.id = any($1::bigint[]) and u.id = any($2::bigint[]) and u.state = 'active' and (n.owner_id = u.id or exists ( select
  from memberships m
  where m.user_id = u.id and m.access_level >= $3 and ("m"."expires_at" is null or "m"."expires_at" > current_date) and (m.project_id = p.id or m.namespace_id = any(n.traversal_ids))));

-- GET /projects/:id/merge_requests/:merge_request_iid/approval_rules
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select "m"."id", "p"."approvals_before_merge", "p"."disable_overriding_approvers_per_merge_request", "p"."merge_requests_author_approval", "p"."merge_requests_disable_committers_approval", "p"."require_password_to_approve", "p"."reset_approvals_on_push", "p"."only_allow_merge_if_pipeline_succeeds", "p"."allow_merge_on_skipped_pipeline", array(select a.user_id
  from approvals a
  where a.merge_request_id = m.id
  order by a.created_at, a.user_id) as "approved_by", case when p.only_allow_merge_if_all_discussions_are_resolved then (select count(distinct n.discussion_id)::int
  from notes n
  where n.merge_request_id = m.id and n.resolvable and n.resolved_at is null) else 0 end as "unresolved_threads"
  from "merge_requests" as "m"
  inner join "projects" as "p" on "p"."id" = "m"."project_id"
  where "m"."id" = any($1);
select "approval_rules".*, array(select u.user_id
  from approval_rule_users u
  where u.approval_rule_id = approval_rules.id
  order by u.user_id) as "user_ids", array(select g.group_id
  from approval_rule_groups g
  where g.approval_rule_id = approval_rules.id
  order by g.group_id) as "group_ids", array(select b.protected_branch_id
  from approval_rule_branches b
  where b.approval_rule_id = approval_rules.id
  order by 1) as "protected_branch_ids"
  from "approval_rules"
  where ("approval_rules"."project_id" = any($1) or "approval_rules"."merge_request_id" = any($2))
  order by approval_rules.rule_type <> 'any_approver', "approval_rules"."id";
select approval_rule_id as rule_id, user_id
  from approval_rule_users
  where approval_rule_id = any($1::bigint[]) union select g.approval_rule_id, m.user_id
  from approval_rule_groups g join members m on m.namespace_id = g.group_id
  where g.approval_rule_id = any($2::bigint[]) and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  order by 1, 2;
select p.id as project_id, u.id as user_id
  from projects p join namespaces n on n.id = p.namespace_id cross join users u
  where p.id = any($1::bigint[]) and u.id = any($2::bigint[]) and u.state = 'active' and (n.owner_id = u.id or exists ( select
  from memberships m
  where m.user_id = u.id and m.access_level >= $3 and ("m"."expires_at" is null or "m"."expires_at" > current_date) and (m.project_id = p.id or m.namespace_id = any(n.traversal_ids))));
select count(*)::int as total
  from (select 1 as "one"
  from "approval_rules"
  where "approval_rules"."merge_request_id" = $1
  limit $2) as counted;
select "approval_rules".*, array(select u.user_id
  from approval_rule_users u
  where u.approval_rule_id = approval_rules.id
  order by u.user_id) as "user_ids", array(select g.group_id
  from approval_rule_groups g
  where g.approval_rule_id = approval_rules.id
  order by g.group_id) as "group_ids", array(select b.protected_branch_id
  from approval_rule_branches b
  where b.approval_rule_id = approval_rules.id
  order by 1) as "protected_branch_ids"
  from "approval_rules"
  where "approval_rules"."merge_request_id" = $1
  order by approval_rules.rule_type <> 'any_approver', "approval_rules"."id"
  limit $2 offset $3;
select approval_rule_id as rule_id, user_id
  from approval_rule_users
  where approval_rule_id = any($1::bigint[]) union select g.approval_rule_id, m.user_id
  from approval_rule_groups g join members m on m.namespace_id = g.group_id
  where g.approval_rule_id = any($2::bigint[]) and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  order by 1, 2;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/merge_requests/:merge_request_iid/approval_rules/:approval_rule_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select "approval_rules".*, array(select u.user_id
  from approval_rule_users u
  where u.approval_rule_id = approval_rules.id
  order by u.user_id) as "user_ids", array(select g.group_id
  from approval_rule_groups g
  where g.approval_rule_id = approval_rules.id
  order by g.group_id) as "group_ids", array(select b.protected_branch_id
  from approval_rule_branches b
  where b.approval_rule_id = approval_rules.id
  order by 1) as "protected_branch_ids"
  from "approval_rules"
  where "approval_rules"."merge_request_id" = $1 and "approval_rules"."id" = $2
  order by approval_rules.rule_type <> 'any_approver', "approval_rules"."id";
select approval_rule_id as rule_id, user_id
  from approval_rule_users
  where approval_rule_id = any($1::bigint[]) union select g.approval_rule_id, m.user_id
  from approval_rule_groups g join members m on m.namespace_id = g.group_id
  where g.approval_rule_id = any($2::bigint[]) and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  order by 1, 2;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/merge_requests/:merge_request_iid/approval_state
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select "m"."id", "p"."approvals_before_merge", "p"."disable_overriding_approvers_per_merge_request", "p"."merge_requests_author_approval", "p"."merge_requests_disable_committers_approval", "p"."require_password_to_approve", "p"."reset_approvals_on_push", "p"."only_allow_merge_if_pipeline_succeeds", "p"."allow_merge_on_skipped_pipeline", array(select a.user_id
  from approvals a
  where a.merge_request_id = m.id
  order by a.created_at, a.user_id) as "approved_by", case when p.only_allow_merge_if_all_discussions_are_resolved then (select count(distinct n.discussion_id)::int
  from notes n
  where n.merge_request_id = m.id and n.resolvable and n.resolved_at is null) else 0 end as "unresolved_threads"
  from "merge_requests" as "m"
  inner join "projects" as "p" on "p"."id" = "m"."project_id"
  where "m"."id" = any($1);
select "approval_rules".*, array(select u.user_id
  from approval_rule_users u
  where u.approval_rule_id = approval_rules.id
  order by u.user_id) as "user_ids", array(select g.group_id
  from approval_rule_groups g
  where g.approval_rule_id = approval_rules.id
  order by g.group_id) as "group_ids", array(select b.protected_branch_id
  from approval_rule_branches b
  where b.approval_rule_id = approval_rules.id
  order by 1) as "protected_branch_ids"
  from "approval_rules"
  where ("approval_rules"."project_id" = any($1) or "approval_rules"."merge_request_id" = any($2))
  order by approval_rules.rule_type <> 'any_approver', "approval_rules"."id";
select approval_rule_id as rule_id, user_id
  from approval_rule_users
  where approval_rule_id = any($1::bigint[]) union select g.approval_rule_id, m.user_id
  from approval_rule_groups g join members m on m.namespace_id = g.group_id
  where g.approval_rule_id = any($2::bigint[]) and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  order by 1, 2;
select p.id as project_id, u.id as user_id
  from projects p join namespaces n on n.id = p.namespace_id cross join users u
  where p.id = any($1::bigint[]) and u.id = any($2::bigint[]) and u.state = 'active' and (n.owner_id = u.id or exists ( select
  from memberships m
  where m.user_id = u.id and m.access_level >= $3 and ("m"."expires_at" is null or "m"."expires_at" > current_date) and (m.project_id = p.id or m.namespace_id = any(n.traversal_ids))));
select approval_rule_id as rule_id, user_id
  from approval_rule_users
  where approval_rule_id = any($1::bigint[]) union select g.approval_rule_id, m.user_id
  from approval_rule_groups g join members m on m.namespace_id = g.group_id
  where g.approval_rule_id = any($2::bigint[]) and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  order by 1, 2;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/merge_requests/:merge_request_iid/approvals
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select "m"."id", "p"."approvals_before_merge", "p"."disable_overriding_approvers_per_merge_request", "p"."merge_requests_author_approval", "p"."merge_requests_disable_committers_approval", "p"."require_password_to_approve", "p"."reset_approvals_on_push", "p"."only_allow_merge_if_pipeline_succeeds", "p"."allow_merge_on_skipped_pipeline", array(select a.user_id
  from approvals a
  where a.merge_request_id = m.id
  order by a.created_at, a.user_id) as "approved_by", case when p.only_allow_merge_if_all_discussions_are_resolved then (select count(distinct n.discussion_id)::int
  from notes n
  where n.merge_request_id = m.id and n.resolvable and n.resolved_at is null) else 0 end as "unresolved_threads"
  from "merge_requests" as "m"
  inner join "projects" as "p" on "p"."id" = "m"."project_id"
  where "m"."id" = any($1);
select "approval_rules".*, array(select u.user_id
  from approval_rule_users u
  where u.approval_rule_id = approval_rules.id
  order by u.user_id) as "user_ids", array(select g.group_id
  from approval_rule_groups g
  where g.approval_rule_id = approval_rules.id
  order by g.group_id) as "group_ids", array(select b.protected_branch_id
  from approval_rule_branches b
  where b.approval_rule_id = approval_rules.id
  order by 1) as "protected_branch_ids"
  from "approval_rules"
  where ("approval_rules"."project_id" = any($1) or "approval_rules"."merge_request_id" = any($2))
  order by approval_rules.rule_type <> 'any_approver', "approval_rules"."id";
select approval_rule_id as rule_id, user_id
  from approval_rule_users
  where approval_rule_id = any($1::bigint[]) union select g.approval_rule_id, m.user_id
  from approval_rule_groups g join members m on m.namespace_id = g.group_id
  where g.approval_rule_id = any($2::bigint[]) and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  order by 1, 2;
select p.id as project_id, u.id as user_id
  from projects p join namespaces n on n.id = p.namespace_id cross join users u
  where p.id = any($1::bigint[]) and u.id = any($2::bigint[]) and u.state = 'active' and (n.owner_id = u.id or exists ( select
  from memberships m
  where m.user_id = u.id and m.access_level >= $3 and ("m"."expires_at" is null or "m"."expires_at" > current_date) and (m.project_id = p.id or m.namespace_id = any(n.traversal_ids))));
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/merge_requests/:merge_request_iid/award_emoji
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select count(*)::int as total
  from (select 1 as "one"
  from "award_emoji"
  where "merge_request_id" = $1
  limit $2) as counted;
select *
  from "award_emoji"
  where "merge_request_id" = $1
  order by "id"
  limit $2 offset $3;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/merge_requests/:merge_request_iid/award_emoji/:award_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select *
  from "award_emoji"
  where "merge_request_id" = $1 and "id" = $2
  order by "id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/merge_requests/:merge_request_iid/changes
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select "protected_branches".*, (select coalesce(json_agg(agg), '[]')
  from (select "levels"."id", "levels"."action", "levels"."access_level", "levels"."user_id", "levels"."group_id"
  from "protected_branch_access_levels" as "levels"
  where "levels"."protected_branch_id" = "protected_branches"."id"
  order by "levels"."id") as agg) as "levels"
  from "protected_branches"
  where "protected_branches"."project_id" = $1;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select *
  from "labels"
  where "id" = any($1);
select "milestones".*, coalesce("project_routes"."path", "group_routes"."path") as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."id" = any($1);
select "m"."id", "p"."approvals_before_merge", "p"."disable_overriding_approvers_per_merge_request", "p"."merge_requests_author_approval", "p"."merge_requests_disable_committers_approval", "p"."require_password_to_approve", "p"."reset_approvals_on_push", "p"."only_allow_merge_if_pipeline_succeeds", "p"."allow_merge_on_skipped_pipeline", array(select a.user_id
  from approvals a
  where a.merge_request_id = m.id
  order by a.created_at, a.user_id) as "approved_by", case when p.only_allow_merge_if_all_discussions_are_resolved then (select count(distinct n.discussion_id)::int
  from notes n
  where n.merge_request_id = m.id and n.resolvable and n.resolved_at is null) else 0 end as "unresolved_threads"
  from "merge_requests" as "m"
  inner join "projects" as "p" on "p"."id" = "m"."project_id"
  where "m"."id" = any($1);
select "approval_rules".*, array(select u.user_id
  from approval_rule_users u
  where u.approval_rule_id = approval_rules.id
  order by u.user_id) as "user_ids", array(select g.group_id
  from approval_rule_groups g
  where g.approval_rule_id = approval_rules.id
  order by g.group_id) as "group_ids", array(select b.protected_branch_id
  from approval_rule_branches b
  where b.approval_rule_id = approval_rules.id
  order by 1) as "protected_branch_ids"
  from "approval_rules"
  where ("approval_rules"."project_id" = any($1) or "approval_rules"."merge_request_id" = any($2))
  order by approval_rules.rule_type <> 'any_approver', "approval_rules"."id";
/* generic plan */ select m.id as merge_request_id, head.id
  from merge_requests m cross join lateral ( (select p.id, 0 as place
  from pipelines p
  where p.merge_request_id = m.id and p.sha = m.head_sha and p.source = 'merge_request_event'
  order by p.id desc
  limit 1)
  union all (select p.id, 1
  from pipelines p
  where p.project_id = m.source_project_id and p.sha = m.head_sha and p.ref = m.source_branch and not p.tag and p.parent_id is null
  order by p.id desc
  limit 1)
  order by place
  limit 1 ) head
  where m.id = any($1::bigint[]);
select "merge_request_id" as "id", "subscribed"
  from "subscriptions"
  where "user_id" = $1 and "merge_request_id" = any($2);
select approval_rule_id as rule_id, user_id
  from approval_rule_users
  where approval_rule_id = any($1::bigint[]) union select g.approval_rule_id, m.user_id
  from approval_rule_groups g join members m on m.namespace_id = g.group_id
  where g.approval_rule_id = any($2::bigint[]) and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  order by 1, 2;
select p.id as project_id, u.id as user_id
  from projects p join namespaces n on n.id = p.namespace_id cross join users u
  where p.id = any($1::bigint[]) and u.id = any($2::bigint[]) and u.state = 'active' and (n.owner_id = u.id or exists ( select
  from memberships m
  where m.user_id = u.id and m.access_level >= $3 and ("m"."expires_at" is null or "m"."expires_at" > current_date) and (m.project_id = p.id or m.namespace_id = any(n.traversal_ids))));

-- GET /projects/:id/merge_requests/:merge_request_iid/closes_issues
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select count(*)::int as total
  from (select 1 as "one"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where issues.id in (select issue_id
  from merge_request_closing_issues
  where merge_request_id = $1) and issues.project_id in (select projects.id
  from projects
  where projects.id = issues.project_id and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled') offset 0)
  limit $2) as counted;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where issues.id in (select issue_id
  from merge_request_closing_issues
  where merge_request_id = $2) and issues.project_id in (select projects.id
  from projects
  where projects.id = issues.project_id and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled') offset 0)
  order by "issues"."id"
  limit $3 offset $4;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select *
  from "labels"
  where "id" = any($1);

-- GET /projects/:id/merge_requests/:merge_request_iid/commits
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;

-- GET /projects/:id/merge_requests/:merge_request_iid/context_commits
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select count(*)::int as total
  from (select 1 as "one"
  from "merge_request_context_commits"
  where "merge_request_id" = $1
  limit $2) as counted;
select "sha"
  from "merge_request_context_commits"
  where "merge_request_id" = $1
  order by "committed_at" desc, "sha"
  limit $2 offset $3;

-- GET /projects/:id/merge_requests/:merge_request_iid/diffs
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;

-- GET /projects/:id/merge_requests/:merge_request_iid/discussions
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select count(*) as "total"
  from (select "notes"."discussion_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."merge_request_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.action is null or notes.action not in ('state', 'labels', 'milestone_id', 'weight')) group by "notes"."discussion_id"
  limit $2) as "some";
select "notes"."discussion_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."merge_request_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.action is null or notes.action not in ('state', 'labels', 'milestone_id', 'weight')) group by "notes"."discussion_id"
  order by min(notes.created_at), min(notes.id)
  limit $2 offset $3;
select "notes".*, coalesce(issue.iid, merge_request.iid, epic.iid) as "noteable_iid", coalesce(issue.project_id, merge_request.project_id) as "project_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."merge_request_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and "notes"."discussion_id" = any($2)
  order by "notes"."created_at", "notes"."id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select "suggestions".*, "notes"."position" as "at", "notes"."discussion_id", "notes"."merge_request_id", "merge_requests"."state", "merge_requests"."head_sha", "merge_requests"."project_id", "merge_requests"."iid"
  from "suggestions"
  inner join "notes" on "notes"."id" = "suggestions"."note_id"
  inner join "merge_requests" on "merge_requests"."id" = "notes"."merge_request_id"
  where "suggestions"."note_id" = any($1)
  order by "suggestions"."position";

-- GET /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select "notes".*, coalesce(issue.iid, merge_request.iid, epic.iid) as "noteable_iid", coalesce(issue.project_id, merge_request.project_id) as "project_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."merge_request_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and "notes"."discussion_id" = any($2)
  order by "notes"."created_at", "notes"."id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select "notes".*, coalesce(issue.iid, merge_request.iid, epic.iid) as "noteable_iid", coalesce(issue.project_id, merge_request.project_id) as "project_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."merge_request_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and "notes"."discussion_id" = any($2)
  order by "notes"."created_at", "notes"."id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select "notes".*, coalesce(issue.iid, merge_request.iid, epic.iid) as "noteable_iid", coalesce(issue.project_id, merge_request.project_id) as "project_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."merge_request_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and "notes"."discussion_id" = any($2)
  order by "notes"."created_at", "notes"."id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/merge_requests/:merge_request_iid/draft_notes
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select count(*)::int as total
  from (select 1 as "one"
  from "draft_notes"
  where "merge_request_id" = $1 and "author_id" = $2
  limit $3) as counted;
select *
  from "draft_notes"
  where "merge_request_id" = $1 and "author_id" = $2
  order by "id"
  limit $3 offset $4;

-- GET /projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select *
  from "draft_notes"
  where "merge_request_id" = $1 and "author_id" = $2 and "id" = $3
  order by "id";

-- GET /projects/:id/merge_requests/:merge_request_iid/merge_ref
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select "id", "repository_storage"
  from "projects"
  where "id" = any($1);

-- GET /projects/:id/merge_requests/:merge_request_iid/notes
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select count(*)::int as total
  from (select 1 as "one"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."merge_request_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.action is null or notes.action not in ('state', 'labels', 'milestone_id', 'weight'))
  limit $2) as counted;
select "notes".*, coalesce(issue.iid, merge_request.iid, epic.iid) as "noteable_iid", coalesce(issue.project_id, merge_request.project_id) as "project_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."merge_request_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.action is null or notes.action not in ('state', 'labels', 'milestone_id', 'weight'))
  order by "notes"."created_at" desc, "notes"."id" desc
  limit $2 offset $3;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select "suggestions".*, "notes"."position" as "at", "notes"."discussion_id", "notes"."merge_request_id", "merge_requests"."state", "merge_requests"."head_sha", "merge_requests"."project_id", "merge_requests"."iid"
  from "suggestions"
  inner join "notes" on "notes"."id" = "suggestions"."note_id"
  inner join "merge_requests" on "merge_requests"."id" = "notes"."merge_request_id"
  where "suggestions"."note_id" = any($1)
  order by "suggestions"."position";

-- GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select "notes".*, coalesce(issue.iid, merge_request.iid, epic.iid) as "noteable_iid", coalesce(issue.project_id, merge_request.project_id) as "project_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."merge_request_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and "notes"."id" = $2;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select "notes".*, coalesce(issue.iid, merge_request.iid, epic.iid) as "noteable_iid", coalesce(issue.project_id, merge_request.project_id) as "project_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."merge_request_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and "notes"."id" = $2;
select count(*)::int as total
  from (select 1 as "one"
  from "award_emoji"
  where "note_id" = $1
  limit $2) as counted;
select *
  from "award_emoji"
  where "note_id" = $1
  order by "id"
  limit $2 offset $3;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji/:award_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select "notes".*, coalesce(issue.iid, merge_request.iid, epic.iid) as "noteable_iid", coalesce(issue.project_id, merge_request.project_id) as "project_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  where "notes"."merge_request_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and "notes"."id" = $2;
select *
  from "award_emoji"
  where "note_id" = $1 and "id" = $2
  order by "id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/merge_requests/:merge_request_iid/participants
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select count(*)::int as total
  from (select 1 as "one"
  from "users"
  where ("users"."id" = any($1) or "users"."id" in (select "notes"."author_id" as "id"
  from "notes"
  where "notes"."merge_request_id" = $2 and "notes"."action" is null and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled'))))) or "users"."id" in (select "user_mentions"."user_id" as "id"
  from "user_mentions"
  left join "notes" on "notes"."id" = "user_mentions"."note_id"
  where "user_mentions"."merge_request_id" = $3 and (notes.id is null or ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))))))
  limit $4) as counted;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where ("users"."id" = any($1) or "users"."id" in (select "notes"."author_id" as "id"
  from "notes"
  where "notes"."merge_request_id" = $2 and "notes"."action" is null and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled'))))) or "users"."id" in (select "user_mentions"."user_id" as "id"
  from "user_mentions"
  left join "notes" on "notes"."id" = "user_mentions"."note_id"
  where "user_mentions"."merge_request_id" = $3 and (notes.id is null or ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))))))
  order by "users"."id"
  limit $4 offset $5;

-- GET /projects/:id/merge_requests/:merge_request_iid/pipelines
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select count(*)::int as total
  from (select 1 as "one"
  from "pipelines"
  left join "routes" on "routes"."project_id" = "pipelines"."project_id"
  where "pipelines"."project_id" = $1 and ("pipelines"."merge_request_id" = $2 or ("pipelines"."project_id" = $3 and "pipelines"."ref" = $4 and "pipelines"."tag" = $5 and "pipelines"."source" not in ($6, $7) and "pipelines"."sha" in (select "head_commit_sha"
  from "merge_request_versions"
  where "merge_request_versions"."merge_request_id" = $8)))
  limit $9) as counted;
select "pipelines".*, "routes"."path" as "project_path"
  from "pipelines"
  left join "routes" on "routes"."project_id" = "pipelines"."project_id"
  where "pipelines"."project_id" = $1 and ("pipelines"."merge_request_id" = $2 or ("pipelines"."project_id" = $3 and "pipelines"."ref" = $4 and "pipelines"."tag" = $5 and "pipelines"."source" not in ($6, $7) and "pipelines"."sha" in (select "head_commit_sha"
  from "merge_request_versions"
  where "merge_request_versions"."merge_request_id" = $8)))
  order by "pipelines"."id" desc
  limit $9 offset $10;

-- GET /projects/:id/merge_requests/:merge_request_iid/raw_diffs
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;

-- GET /projects/:id/merge_requests/:merge_request_iid/related_issues
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select count(*)::int as total
  from (select 1 as "one"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where issues.id in ( select c.issue_id
  from merge_request_closing_issues c
  where c.merge_request_id = $1 union select n.named_issue_id
  from notes n
  where n.merge_request_id = $2 and n.action = 'mention' and n.named_issue_id is not null union select n.issue_id
  from notes n
  where n.named_merge_request_id = $3 and n.action = 'mention' and n.issue_id is not null) and issues.project_id in (select projects.id
  from projects
  where projects.id = issues.project_id and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled') offset 0)
  limit $4) as counted;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where issues.id in ( select c.issue_id
  from merge_request_closing_issues c
  where c.merge_request_id = $2 union select n.named_issue_id
  from notes n
  where n.merge_request_id = $3 and n.action = 'mention' and n.named_issue_id is not null union select n.issue_id
  from notes n
  where n.named_merge_request_id = $4 and n.action = 'mention' and n.issue_id is not null) and issues.project_id in (select projects.id
  from projects
  where projects.id = issues.project_id and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled') offset 0)
  order by "issues"."id"
  limit $5 offset $6;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select *
  from "labels"
  where "id" = any($1);

-- GET /projects/:id/merge_requests/:merge_request_iid/resource_label_events
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select count(*)::int as total
  from (select 1 as "one"
  from "resource_events"
  where "merge_request_id" = $1 and "kind" = $2
  limit $3) as counted;
select *
  from "resource_events"
  where "merge_request_id" = $1 and "kind" = $2
  order by "id"
  limit $3 offset $4;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select *
  from "labels"
  where "id" = any($1);

-- GET /projects/:id/merge_requests/:merge_request_iid/resource_label_events/:event_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select *
  from "resource_events"
  where "merge_request_id" = $1 and "kind" = $2 and "id" = $3
  order by "id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select *
  from "labels"
  where "id" = any($1);

-- GET /projects/:id/merge_requests/:merge_request_iid/resource_milestone_events
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select count(*)::int as total
  from (select 1 as "one"
  from "resource_events"
  where "merge_request_id" = $1 and "kind" = $2
  limit $3) as counted;
select *
  from "resource_events"
  where "merge_request_id" = $1 and "kind" = $2
  order by "id"
  limit $3 offset $4;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select "milestones".*, coalesce("project_routes"."path", "group_routes"."path") as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."id" = any($1);

-- GET /projects/:id/merge_requests/:merge_request_iid/resource_milestone_events/:event_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select *
  from "resource_events"
  where "merge_request_id" = $1 and "kind" = $2 and "id" = $3
  order by "id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select "milestones".*, coalesce("project_routes"."path", "group_routes"."path") as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."id" = any($1);

-- GET /projects/:id/merge_requests/:merge_request_iid/resource_state_events
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select count(*)::int as total
  from (select 1 as "one"
  from "resource_events"
  where "merge_request_id" = $1 and "kind" = $2
  limit $3) as counted;
select *
  from "resource_events"
  where "merge_request_id" = $1 and "kind" = $2
  order by "id"
  limit $3 offset $4;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/merge_requests/:merge_request_iid/resource_state_events/:event_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select *
  from "resource_events"
  where "merge_request_id" = $1 and "kind" = $2 and "id" = $3
  order by "id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/merge_requests/:merge_request_iid/reviewers
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select count(*)::int as total
  from (select 1 as "one"
  from "merge_request_reviewers"
  where "merge_request_id" = $1
  limit $2) as counted;
select "user_id", "state", "created_at"
  from "merge_request_reviewers"
  where "merge_request_id" = $1
  order by "created_at", "user_id"
  limit $2 offset $3;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/merge_requests/:merge_request_iid/time_stats
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;

-- GET /projects/:id/merge_requests/:merge_request_iid/versions
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select count(*)::int as total
  from (select 1 as "one"
  from "merge_request_versions"
  where "merge_request_id" = $1
  limit $2) as counted;
select *
  from "merge_request_versions"
  where "merge_request_id" = $1
  order by "id" desc
  limit $2 offset $3;

-- GET /projects/:id/merge_requests/:merge_request_iid/versions/:version_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select *
  from "merge_request_versions"
  where "merge_request_id" = $1 and "id" = $2
  order by "id" desc;

-- GET /projects/:id/merge_requests/:merge_request_iid/viewed_files
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and "merge_requests"."iid" = $3;
select count(*)::int as total
  from (select 1 as "one"
  from "viewed_files"
  where "merge_request_id" = $1 and "user_id" = $2
  limit $3) as counted;
select *
  from "viewed_files"
  where "merge_request_id" = $1 and "user_id" = $2
  order by "path", "path_sha"
  limit $3 offset $4;

-- GET /projects/:id/milestones
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."project_id" = $1
  limit $2) as counted;
select "milestones".*, coalesce(project_routes.path, group_routes.path) as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."project_id" = $1
  order by "milestones"."id" desc
  limit $2 offset $3;

-- GET /projects/:id/milestones/:milestone_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "milestones".*, coalesce(project_routes.path, group_routes.path) as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."project_id" = $1 and "milestones"."id" = $2;

-- GET /projects/:id/milestones/:milestone_id/burndown_events
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "milestones".*, coalesce(project_routes.path, group_routes.path) as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."project_id" = $1 and "milestones"."id" = $2;
select "created_at", "weight", "action"
  from (select "issues"."id" as "issue_id", greatest(issues.created_at, $1::timestamptz) as "created_at", "issues"."weight", 'created' as "action", 0 as "place"
  from "issues"
  where (issues.milestone_id = $2 and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))
  union all select "issues"."id" as "issue_id", greatest(resource_events.created_at, $3::timestamptz) as "created_at", "issues"."weight", resource_events.state as "action", resource_events.id as "place"
  from "resource_events"
  inner join "issues" on "issues"."id" = "resource_events"."issue_id"
  where "resource_events"."kind" = $4 and "resource_events"."state" in ($5, $6) and (issues.milestone_id = $7 and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) as "events"
  where "created_at" <= $8
  order by "created_at", "place", "issue_id"
  limit $9;

-- GET /projects/:id/milestones/:milestone_id/issues
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "milestones".*, coalesce(project_routes.path, group_routes.path) as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."project_id" = $1 and "milestones"."id" = $2;
select count(*)::int as total
  from (select 1 as "one"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."milestone_id" = $1 and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled'))
  limit $2) as counted;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."milestone_id" = $2 and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled'))
  order by "issues"."created_at" desc, "issues"."id" desc
  limit $3 offset $4;
select "milestones".*, coalesce("project_routes"."path", "group_routes"."path") as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."id" = any($1);
select "epics"."id", "epics"."iid", "epics"."title", "epics"."namespace_id", "routes"."path" as "group_path"
  from "epics"
  inner join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  inner join "routes" on "routes"."namespace_id" = "epics"."namespace_id"
  where "epics"."id" = any($1) and true;

-- GET /projects/:id/milestones/:milestone_id/merge_requests
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "milestones".*, coalesce(project_routes.path, group_routes.path) as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."project_id" = $1 and "milestones"."id" = $2;
select count(*)::int as total
  from (select 1 as "one"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."milestone_id" = $1 and merge_requests.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled'))
  limit $2) as counted;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."milestone_id" = $2 and merge_requests.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled'))
  order by "merge_requests"."created_at" desc, "merge_requests"."id" desc
  limit $3 offset $4;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select *
  from "labels"
  where "id" = any($1);
select "milestones".*, coalesce("project_routes"."path", "group_routes"."path") as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."id" = any($1);
select "m"."id", "p"."approvals_before_merge", "p"."disable_overriding_approvers_per_merge_request", "p"."merge_requests_author_approval", "p"."merge_requests_disable_committers_approval", "p"."require_password_to_approve", "p"."reset_approvals_on_push", "p"."only_allow_merge_if_pipeline_succeeds", "p"."allow_merge_on_skipped_pipeline", array(select a.user_id
  from approvals a
  where a.merge_request_id = m.id
  order by a.created_at, a.user_id) as "approved_by", case when p.only_allow_merge_if_all_discussions_are_resolved then (select count(distinct n.discussion_id)::int
  from notes n
  where n.merge_request_id = m.id and n.resolvable and n.resolved_at is null) else 0 end as "unresolved_threads"
  from "merge_requests" as "m"
  inner join "projects" as "p" on "p"."id" = "m"."project_id"
  where "m"."id" = any($1);
select "approval_rules".*, array(select u.user_id
  from approval_rule_users u
  where u.approval_rule_id = approval_rules.id
  order by u.user_id) as "user_ids", array(select g.group_id
  from approval_rule_groups g
  where g.approval_rule_id = approval_rules.id
  order by g.group_id) as "group_ids", array(select b.protected_branch_id
  from approval_rule_branches b
  where b.approval_rule_id = approval_rules.id
  order by 1) as "protected_branch_ids"
  from "approval_rules"
  where ("approval_rules"."project_id" = any($1) or "approval_rules"."merge_request_id" = any($2))
  order by approval_rules.rule_type <> 'any_approver', "approval_rules"."id";
select approval_rule_id as rule_id, user_id
  from approval_rule_users
  where approval_rule_id = any($1::bigint[]) union select g.approval_rule_id, m.user_id
  from approval_rule_groups g join members m on m.namespace_id = g.group_id
  where g.approval_rule_id = any($2::bigint[]) and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  order by 1, 2;
select p.id as project_id, u.id as user_id
  from projects p join namespaces n on n.id = p.namespace_id cross join users u
  where p.id = any($1::bigint[]) and u.id = any($2::bigint[]) and u.state = 'active' and (n.owner_id = u.id or exists ( select
  from memberships m
  where m.user_id = u.id and m.access_level >= $3 and ("m"."expires_at" is null or "m"."expires_at" > current_date) and (m.project_id = p.id or m.namespace_id = any(n.traversal_ids))));

-- GET /projects/:id/notification_settings
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "level", "events"
  from "notification_settings"
  where "user_id" = $1 and "project_id" = $2;

-- GET /projects/:id/packages
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "packages"
  left join "routes" on "routes"."project_id" = "packages"."project_id"
  where "packages"."version" is not null and "packages"."status" in ($1, $2) and "packages"."project_id" = $3
  limit $4) as counted;
select "packages".*, "routes"."path" as "project_path"
  from "packages"
  left join "routes" on "routes"."project_id" = "packages"."project_id"
  where "packages"."version" is not null and "packages"."status" in ($1, $2) and "packages"."project_id" = $3
  order by "packages"."created_at" asc, "packages"."id" asc
  limit $4 offset $5;
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where "projects"."id" = any($4);
select "package_id", "name"
  from "package_tags"
  where "package_id" = any($1)
  order by "name";
select "package_id", "pipeline_id"
  from "package_build_infos"
  where "package_id" = any($1) and "package_file_id" is null
  order by "id";
select "pipelines".*, "routes"."path" as "project_path"
  from "pipelines"
  left join "routes" on "routes"."project_id" = "pipelines"."project_id"
  where "pipelines"."id" = any($1);
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/packages/:package_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "packages".*, "routes"."path" as "project_path"
  from "packages"
  left join "routes" on "routes"."project_id" = "packages"."project_id"
  where "packages"."project_id" = $1 and "packages"."id" = $2 and "packages"."status" in ($3, $4);
select "packages".*, "routes"."path" as "project_path", "shown"."id" as "shown_id"
  from "packages"
  left join "routes" on "routes"."project_id" = "packages"."project_id"
  inner join "packages" as "shown" on "shown"."project_id" = "packages"."project_id" and "shown"."package_type" = "packages"."package_type" and "shown"."lookup_name" = "packages"."lookup_name" and "shown"."id" <> "packages"."id"
  where "shown"."id" = any($1) and "packages"."version" is not null and "packages"."status" in ($2, $3)
  order by "packages"."id";
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where "projects"."id" = any($4);
select "package_id", "name"
  from "package_tags"
  where "package_id" = any($1)
  order by "name";
select "package_id", "pipeline_id"
  from "package_build_infos"
  where "package_id" = any($1) and "package_file_id" is null
  order by "id";
select "package_id", "name"
  from "package_tags"
  where "package_id" = any($1)
  order by "name";
select "package_id", "pipeline_id"
  from "package_build_infos"
  where "package_id" = any($1) and "package_file_id" is null
  order by "id";
select "pipelines".*, "routes"."path" as "project_path"
  from "pipelines"
  left join "routes" on "routes"."project_id" = "pipelines"."project_id"
  where "pipelines"."id" = any($1);
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/packages/:package_id/package_files
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "packages".*, "routes"."path" as "project_path"
  from "packages"
  left join "routes" on "routes"."project_id" = "packages"."project_id"
  where "packages"."project_id" = $1 and "packages"."id" = $2 and "packages"."status" in ($3, $4);
select count(*)::int as total
  from (select 1 as "one"
  from "package_files"
  inner join "stored_objects" on "stored_objects"."id" = "package_files"."object_id"
  where "package_files"."package_id" = $1
  limit $2) as counted;
select "package_files".*, "stored_objects"."key", "stored_objects"."sha256"
  from "package_files"
  inner join "stored_objects" on "stored_objects"."id" = "package_files"."object_id"
  where "package_files"."package_id" = $1
  order by "package_files"."id"
  limit $2 offset $3;
select "package_file_id", "pipeline_id"
  from "package_build_infos"
  where "package_file_id" = any($1)
  order by "id";
select "pipelines".*, "routes"."path" as "project_path"
  from "pipelines"
  left join "routes" on "routes"."project_id" = "pipelines"."project_id"
  where "pipelines"."id" = any($1);
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/pipeline_schedules
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "pipeline_schedules"
  where "project_id" = $1
  limit $2) as counted;
select "pipeline_schedules".*
  from "pipeline_schedules"
  where "project_id" = $1
  order by "id"
  limit $2 offset $3;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/pipeline_schedules/:pipeline_schedule_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "pipeline_schedules".*
  from "pipeline_schedules"
  where "project_id" = $1 and "id" = $2
  order by "id";
select *
  from "run_variables"
  where "schedule_id" = any($1)
  order by "id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select "pipelines".*, "routes"."path" as "project_path"
  from "pipelines"
  left join "routes" on "routes"."project_id" = "pipelines"."project_id"
  where "pipelines"."id" in (select (select max("own"."id") as "newest"
  from "pipelines" as "own"
  where "own"."schedule_id" = "pipeline_schedules"."id") as "newest"
  from "pipeline_schedules"
  where "pipeline_schedules"."id" = any($1));
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where "projects"."id" = any($4);

-- GET /projects/:id/pipeline_schedules/:pipeline_schedule_id/pipelines
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "pipeline_schedules".*
  from "pipeline_schedules"
  where "project_id" = $1 and "id" = $2
  order by "id";
select count(*)::int as total
  from (select 1 as "one"
  from "pipelines"
  left join "routes" on "routes"."project_id" = "pipelines"."project_id"
  where "pipelines"."schedule_id" = $1
  limit $2) as counted;
select "pipelines".*, "routes"."path" as "project_path"
  from "pipelines"
  left join "routes" on "routes"."project_id" = "pipelines"."project_id"
  where "pipelines"."schedule_id" = $1
  order by "pipelines"."id" asc
  limit $2 offset $3;

-- GET /projects/:id/pipelines
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "pipelines"
  left join "routes" on "routes"."project_id" = "pipelines"."project_id"
  where "pipelines"."project_id" = $1 and "source" <> $2
  limit $3) as counted;
select "pipelines".*, "routes"."path" as "project_path"
  from "pipelines"
  left join "routes" on "routes"."project_id" = "pipelines"."project_id"
  where "pipelines"."project_id" = $1 and "source" <> $2
  order by "pipelines"."id" desc
  limit $3 offset $4;

-- GET /projects/:id/pipelines/:pipeline_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "pipelines".*, "routes"."path" as "project_path"
  from "pipelines"
  left join "routes" on "routes"."project_id" = "pipelines"."project_id"
  where "pipelines"."project_id" = $1 and "pipelines"."id" = $2;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select "pipeline_id", avg("coverage") as "coverage", bool_or(allow_failure and status in ('failed', 'canceled')) as "hasWarnings"
  from "jobs"
  where "pipeline_id" = any($1) and "retried" = $2 group by "pipeline_id";

-- GET /projects/:id/pipelines/:pipeline_id/bridges
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "pipelines".*, "routes"."path" as "project_path"
  from "pipelines"
  left join "routes" on "routes"."project_id" = "pipelines"."project_id"
  where "pipelines"."project_id" = $1 and "pipelines"."id" = $2;
select count(*)::int as total
  from (select 1 as "one"
  from "jobs"
  where "jobs"."pipeline_id" = $1 and "kind" = $2 and "retried" = $3
  limit $4) as counted;
select "jobs".*
  from "jobs"
  where "jobs"."pipeline_id" = $1 and "kind" = $2 and "retried" = $3
  order by "jobs"."id" desc
  limit $4 offset $5;
select "pipelines".*, "routes"."path" as "project_path"
  from "pipelines"
  left join "routes" on "routes"."project_id" = "pipelines"."project_id"
  where "pipelines"."id" = any($1);
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url", "users"."created_at", "users"."bio", "users"."location", "users"."public_email", "users"."skype", "users"."linkedin", "users"."twitter", "users"."website_url", "users"."organization"
  from "users"
  where "users"."id" = any($1);
select "id", "repository_storage"
  from "projects"
  where "id" = any($1);
select "pipelines".*, "routes"."path" as "project_path"
  from "pipelines"
  left join "routes" on "routes"."project_id" = "pipelines"."project_id"
  where "pipelines"."upstream_job_id" = any($1)
  order by "pipelines"."id";

-- GET /projects/:id/pipelines/:pipeline_id/jobs
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "pipelines".*, "routes"."path" as "project_path"
  from "pipelines"
  left join "routes" on "routes"."project_id" = "pipelines"."project_id"
  where "pipelines"."project_id" = $1 and "pipelines"."id" = $2;
select count(*)::int as total
  from (select 1 as "one"
  from "jobs"
  where "jobs"."pipeline_id" = $1 and "kind" = $2 and "retried" = $3
  limit $4) as counted;
select "jobs".*
  from "jobs"
  where "jobs"."pipeline_id" = $1 and "kind" = $2 and "retried" = $3
  order by "jobs"."id" desc
  limit $4 offset $5;
select "pipelines".*, "routes"."path" as "project_path"
  from "pipelines"
  left join "routes" on "routes"."project_id" = "pipelines"."project_id"
  where "pipelines"."id" = any($1);
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url", "users"."created_at", "users"."bio", "users"."location", "users"."public_email", "users"."skype", "users"."linkedin", "users"."twitter", "users"."website_url", "users"."organization"
  from "users"
  where "users"."id" = any($1);
select "id", "repository_storage"
  from "projects"
  where "id" = any($1);
select "job_artifacts".*, "stored_objects"."key", "stored_objects"."sha256"
  from "job_artifacts"
  inner join "stored_objects" on "stored_objects"."id" = "job_artifacts"."object_id"
  where "job_artifacts"."job_id" = any($1)
  order by "job_artifacts"."id";

-- GET /projects/:id/pipelines/:pipeline_id/test_report
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "pipelines".*, "routes"."path" as "project_path"
  from "pipelines"
  left join "routes" on "routes"."project_id" = "pipelines"."project_id"
  where "pipelines"."project_id" = $1 and "pipelines"."id" = $2;
select "job_artifacts".*, "stored_objects"."key", "stored_objects"."sha256", "jobs"."name" as "job_name", "jobs"."pipeline_id"
  from "job_artifacts"
  inner join "stored_objects" on "stored_objects"."id" = "job_artifacts"."object_id"
  inner join "jobs" on "jobs"."id" = "job_artifacts"."job_id"
  where "jobs"."pipeline_id" = any($1) and "jobs"."retried" = $2 and "job_artifacts"."file_type" = $3 and true
  order by "jobs"."id";

-- GET /projects/:id/pipelines/:pipeline_id/test_report_summary
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "pipelines".*, "routes"."path" as "project_path"
  from "pipelines"
  left join "routes" on "routes"."project_id" = "pipelines"."project_id"
  where "pipelines"."project_id" = $1 and "pipelines"."id" = $2;
select "job_artifacts".*, "stored_objects"."key", "stored_objects"."sha256", "jobs"."name" as "job_name", "jobs"."pipeline_id"
  from "job_artifacts"
  inner join "stored_objects" on "stored_objects"."id" = "job_artifacts"."object_id"
  inner join "jobs" on "jobs"."id" = "job_artifacts"."job_id"
  where "jobs"."pipeline_id" = any($1) and "jobs"."retried" = $2 and "job_artifacts"."file_type" = $3 and true
  order by "jobs"."id";

-- GET /projects/:id/pipelines/:pipeline_id/variables
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "pipelines".*, "routes"."path" as "project_path"
  from "pipelines"
  left join "routes" on "routes"."project_id" = "pipelines"."project_id"
  where "pipelines"."project_id" = $1 and "pipelines"."id" = $2;
select count(*)::int as total
  from (select 1 as "one"
  from "run_variables"
  where "pipeline_id" = $1
  limit $2) as counted;
select *
  from "run_variables"
  where "pipeline_id" = $1
  order by "id"
  limit $2 offset $3;

-- GET /projects/:id/pipelines/latest
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "pipelines".*, "routes"."path" as "project_path"
  from "pipelines"
  left join "routes" on "routes"."project_id" = "pipelines"."project_id"
  where "pipelines"."project_id" = $1 and "ref" = $2 and "source" <> $3 and "sha" = $4
  order by "pipelines"."id" desc
  limit $5;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select "pipeline_id", avg("coverage") as "coverage", bool_or(allow_failure and status in ('failed', 'canceled')) as "hasWarnings"
  from "jobs"
  where "pipeline_id" = any($1) and "retried" = $2 group by "pipeline_id";

-- GET /projects/:id/protected_branches
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "protected_branches"
  where "protected_branches"."project_id" = $1
  limit $2) as counted;
select "protected_branches".*, (select coalesce(json_agg(agg), '[]')
  from (select "levels"."id", "levels"."action", "levels"."access_level", "levels"."user_id", "levels"."group_id"
  from "protected_branch_access_levels" as "levels"
  where "levels"."protected_branch_id" = "protected_branches"."id"
  order by "levels"."id") as agg) as "levels"
  from "protected_branches"
  where "protected_branches"."project_id" = $1
  order by "protected_branches"."name"
  limit $2 offset $3;

-- GET /projects/:id/protected_branches/:name
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "protected_branches".*, (select coalesce(json_agg(agg), '[]')
  from (select "levels"."id", "levels"."action", "levels"."access_level", "levels"."user_id", "levels"."group_id"
  from "protected_branch_access_levels" as "levels"
  where "levels"."protected_branch_id" = "protected_branches"."id"
  order by "levels"."id") as agg) as "levels"
  from "protected_branches"
  where "protected_branches"."project_id" = $1 and "protected_branches"."name" = $2;

-- GET /projects/:id/protected_environments
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "protected_environments"
  where "project_id" = $1
  limit $2) as counted;
select "protected_environments".*, (select coalesce(json_agg(agg), '[]')
  from (select "levels"."id", "levels"."access_level", "levels"."user_id", "levels"."group_id"
  from "protected_environment_access_levels" as "levels"
  where "levels"."protected_environment_id" = "protected_environments"."id"
  order by "levels"."id") as agg) as "levels"
  from "protected_environments"
  where "project_id" = $1
  order by "name"
  limit $2 offset $3;

-- GET /projects/:id/protected_environments/:name
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "protected_environments".*, (select coalesce(json_agg(agg), '[]')
  from (select "levels"."id", "levels"."access_level", "levels"."user_id", "levels"."group_id"
  from "protected_environment_access_levels" as "levels"
  where "levels"."protected_environment_id" = "protected_environments"."id"
  order by "levels"."id") as agg) as "levels"
  from "protected_environments"
  where "project_id" = $1 and "name" = $2
  order by "name";

-- GET /projects/:id/protected_tags
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "protected_tags"
  where "protected_tags"."project_id" = $1
  limit $2) as counted;
select "protected_tags".*, (select coalesce(json_agg(agg), '[]')
  from (select "levels"."id", "levels"."access_level", "levels"."user_id", "levels"."group_id"
  from "protected_tag_access_levels" as "levels"
  where "levels"."protected_tag_id" = "protected_tags"."id"
  order by "levels"."id") as agg) as "levels"
  from "protected_tags"
  where "protected_tags"."project_id" = $1
  order by "protected_tags"."name"
  limit $2 offset $3;

-- GET /projects/:id/protected_tags/:name
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "protected_tags".*, (select coalesce(json_agg(agg), '[]')
  from (select "levels"."id", "levels"."access_level", "levels"."user_id", "levels"."group_id"
  from "protected_tag_access_levels" as "levels"
  where "levels"."protected_tag_id" = "protected_tags"."id"
  order by "levels"."id") as agg) as "levels"
  from "protected_tags"
  where "protected_tags"."project_id" = $1 and "protected_tags"."name" = $2
  order by "protected_tags"."name";

-- GET /projects/:id/releases
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "releases"
  where "releases"."project_id" = $1
  limit $2) as counted;
select "releases".*
  from "releases"
  where "releases"."project_id" = $1
  order by "releases"."released_at" desc, "releases"."id" desc
  limit $2 offset $3;
select *
  from "release_milestones"
  where "release_id" = any($1);
select "milestones".*, coalesce("project_routes"."path", "group_routes"."path") as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."id" = any($1);
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where "projects"."id" = any($4);
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select "release_links".*, "releases"."tag" as "tag", "routes"."path" as "full_path"
  from "release_links"
  left join "releases" on "releases"."id" = "release_links"."release_id"
  left join "routes" on "routes"."project_id" = "releases"."project_id"
  where "release_links"."release_id" = any($1)
  order by "release_links"."id" desc;
select "id", "release_id", "sha", "collected_at"
  from "release_evidences"
  where "release_id" = any($1)
  order by "id" desc;
select "milestone_id", count(*)::int as "total", count(*) filter (where state = 'closed')::int as "closed"
  from "issues"
  where "milestone_id" = any($1) and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')) group by "milestone_id";

-- GET /projects/:id/releases/:tag_name
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "releases".*
  from "releases"
  where "project_id" = $1 and "tag" = $2;
select *
  from "release_milestones"
  where "release_id" = any($1);
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where "projects"."id" = any($4);
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select "release_links".*, "releases"."tag" as "tag", "routes"."path" as "full_path"
  from "release_links"
  left join "releases" on "releases"."id" = "release_links"."release_id"
  left join "routes" on "routes"."project_id" = "releases"."project_id"
  where "release_links"."release_id" = any($1)
  order by "release_links"."id" desc;
select "id", "release_id", "sha", "collected_at"
  from "release_evidences"
  where "release_id" = any($1)
  order by "id" desc;

-- GET /projects/:id/releases/:tag_name/assets/links
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "releases".*
  from "releases"
  where "project_id" = $1 and "tag" = $2;
select count(*)::int as total
  from (select 1 as "one"
  from "release_links"
  left join "releases" on "releases"."id" = "release_links"."release_id"
  left join "routes" on "routes"."project_id" = "releases"."project_id"
  where "release_links"."release_id" = $1
  limit $2) as counted;
select "release_links".*, "releases"."tag" as "tag", "routes"."path" as "full_path"
  from "release_links"
  left join "releases" on "releases"."id" = "release_links"."release_id"
  left join "routes" on "routes"."project_id" = "releases"."project_id"
  where "release_links"."release_id" = $1
  order by "release_links"."id" desc
  limit $2 offset $3;

-- GET /projects/:id/releases/:tag_name/assets/links/:link_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "releases".*
  from "releases"
  where "project_id" = $1 and "tag" = $2;
select "release_links".*, "releases"."tag" as "tag", "routes"."path" as "full_path"
  from "release_links"
  left join "releases" on "releases"."id" = "release_links"."release_id"
  left join "routes" on "routes"."project_id" = "releases"."project_id"
  where "release_links"."release_id" = $1 and "release_links"."id" = $2
  order by "release_links"."id" desc;

-- GET /projects/:id/releases/:tag_name/downloads/*filepath
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "releases".*
  from "releases"
  where "project_id" = $1 and "tag" = $2;
select "release_links".*, "releases"."tag" as "tag", "routes"."path" as "full_path"
  from "release_links"
  left join "releases" on "releases"."id" = "release_links"."release_id"
  left join "routes" on "routes"."project_id" = "releases"."project_id"
  where "release_links"."release_id" = $1 and "release_links"."filepath" = $2
  order by "release_links"."id" desc;

-- GET /projects/:id/releases/permalink/latest
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "releases".*
  from "releases"
  where "releases"."project_id" = $1 and "released_at" <= $2
  order by "releases"."released_at" desc, "releases"."id" desc
  limit $3;

-- GET /projects/:id/releases/permalink/latest/*suffix_path
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "releases".*
  from "releases"
  where "releases"."project_id" = $1 and "released_at" <= $2
  order by "releases"."released_at" desc, "releases"."id" desc
  limit $3;

-- GET /projects/:id/repository/archive
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;

-- GET /projects/:id/repository/archive.:format
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;

-- GET /projects/:id/repository/blobs/:sha
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;

-- GET /projects/:id/repository/blobs/:sha/raw
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;

-- GET /projects/:id/repository/branches
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "protected_branches".*, (select coalesce(json_agg(agg), '[]')
  from (select "levels"."id", "levels"."action", "levels"."access_level", "levels"."user_id", "levels"."group_id"
  from "protected_branch_access_levels" as "levels"
  where "levels"."protected_branch_id" = "protected_branches"."id"
  order by "levels"."id") as agg) as "levels"
  from "protected_branches"
  where "protected_branches"."project_id" = $1;

-- GET /projects/:id/repository/branches/:branch
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "protected_branches".*, (select coalesce(json_agg(agg), '[]')
  from (select "levels"."id", "levels"."action", "levels"."access_level", "levels"."user_id", "levels"."group_id"
  from "protected_branch_access_levels" as "levels"
  where "levels"."protected_branch_id" = "protected_branches"."id"
  order by "levels"."id") as agg) as "levels"
  from "protected_branches"
  where "protected_branches"."project_id" = $1;

-- GET /projects/:id/repository/changelog
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;

-- GET /projects/:id/repository/commits
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;

-- GET /projects/:id/repository/commits/:sha
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select projects.id
  from projects
  where projects.id = any($1) and not projects.deleting and ("projects"."builds_access_level" = 'private' or "projects"."builds_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled');
select distinct on ("pipelines"."sha") "pipelines".*, "routes"."path" as "project_path"
  from "pipelines"
  left join "routes" on "routes"."project_id" = "pipelines"."project_id"
  where "pipelines"."project_id" = $1 and "pipelines"."sha" = any($2) and "source" <> $3
  order by "pipelines"."sha", "pipelines"."id" desc;

-- GET /projects/:id/repository/commits/:sha/comments
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "commented_commits".*, "routes"."path" as "project_path"
  from "commented_commits"
  inner join "routes" on "routes"."project_id" = "commented_commits"."project_id"
  where "commented_commits"."project_id" = $1 and "sha" = $2;
select count(*)::int as total
  from (select 1 as "one"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  left join "commented_commits" as "commit" on "commit"."id" = "notes"."commented_commit_id"
  where "notes"."commented_commit_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and "notes"."action" is null
  limit $2) as counted;
select "notes".*, coalesce(issue.iid, merge_request.iid, epic.iid) as "noteable_iid", coalesce(issue.project_id, merge_request.project_id, commit.project_id) as "project_id", "commit"."sha" as "commented_sha"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  left join "commented_commits" as "commit" on "commit"."id" = "notes"."commented_commit_id"
  where "notes"."commented_commit_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and "notes"."action" is null
  order by "notes"."created_at", "notes"."id"
  limit $2 offset $3;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/repository/commits/:sha/diff
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;

-- GET /projects/:id/repository/commits/:sha/discussions
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "commented_commits".*, "routes"."path" as "project_path"
  from "commented_commits"
  inner join "routes" on "routes"."project_id" = "commented_commits"."project_id"
  where "commented_commits"."project_id" = $1 and "sha" = $2;
select count(*) as "total"
  from (select "notes"."discussion_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  left join "commented_commits" as "commit" on "commit"."id" = "notes"."commented_commit_id"
  where "notes"."commented_commit_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.action is null or notes.action not in ('state', 'labels', 'milestone_id', 'weight')) group by "notes"."discussion_id"
  limit $2) as "some";
select "notes"."discussion_id"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  left join "commented_commits" as "commit" on "commit"."id" = "notes"."commented_commit_id"
  where "notes"."commented_commit_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.action is null or notes.action not in ('state', 'labels', 'milestone_id', 'weight')) group by "notes"."discussion_id"
  order by min(notes.created_at), min(notes.id)
  limit $2 offset $3;
select "notes".*, coalesce(issue.iid, merge_request.iid, epic.iid) as "noteable_iid", coalesce(issue.project_id, merge_request.project_id, commit.project_id) as "project_id", "commit"."sha" as "commented_sha"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  left join "commented_commits" as "commit" on "commit"."id" = "notes"."commented_commit_id"
  where "notes"."commented_commit_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and "notes"."discussion_id" = any($2)
  order by "notes"."created_at", "notes"."id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/repository/commits/:sha/discussions/:discussion_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "commented_commits".*, "routes"."path" as "project_path"
  from "commented_commits"
  inner join "routes" on "routes"."project_id" = "commented_commits"."project_id"
  where "commented_commits"."project_id" = $1 and "sha" = $2;
select "notes".*, coalesce(issue.iid, merge_request.iid, epic.iid) as "noteable_iid", coalesce(issue.project_id, merge_request.project_id, commit.project_id) as "project_id", "commit"."sha" as "commented_sha"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  left join "commented_commits" as "commit" on "commit"."id" = "notes"."commented_commit_id"
  where "notes"."commented_commit_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and "notes"."discussion_id" = any($2)
  order by "notes"."created_at", "notes"."id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "commented_commits".*, "routes"."path" as "project_path"
  from "commented_commits"
  inner join "routes" on "routes"."project_id" = "commented_commits"."project_id"
  where "commented_commits"."project_id" = $1 and "sha" = $2;
select "notes".*, coalesce(issue.iid, merge_request.iid, epic.iid) as "noteable_iid", coalesce(issue.project_id, merge_request.project_id, commit.project_id) as "project_id", "commit"."sha" as "commented_sha"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  left join "commented_commits" as "commit" on "commit"."id" = "notes"."commented_commit_id"
  where "notes"."commented_commit_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and "notes"."discussion_id" = any($2)
  order by "notes"."created_at", "notes"."id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes/:note_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "commented_commits".*, "routes"."path" as "project_path"
  from "commented_commits"
  inner join "routes" on "routes"."project_id" = "commented_commits"."project_id"
  where "commented_commits"."project_id" = $1 and "sha" = $2;
select "notes".*, coalesce(issue.iid, merge_request.iid, epic.iid) as "noteable_iid", coalesce(issue.project_id, merge_request.project_id, commit.project_id) as "project_id", "commit"."sha" as "commented_sha"
  from "notes"
  left join "issues" as "issue" on "issue"."id" = "notes"."issue_id"
  left join "merge_requests" as "merge_request" on "merge_request"."id" = "notes"."merge_request_id"
  left join "epics" as "epic" on "epic"."id" = "notes"."epic_id"
  left join "commented_commits" as "commit" on "commit"."id" = "notes"."commented_commit_id"
  where "notes"."commented_commit_id" = $1 and ((notes.named_issue_id is null or notes.named_issue_id in ( select issues.id
  from issues
  where issues.id = notes.named_issue_id and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')))) and (notes.named_merge_request_id is null or notes.named_merge_request_id in ( select merge_requests.id
  from merge_requests
  where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and (notes.named_epic_id is null or notes.named_epic_id in ( select epics.id
  from epics join namespaces on namespaces.id = epics.namespace_id
  where epics.id = notes.named_epic_id and true)) and (notes.named_project_id is null or notes.named_project_id in (select projects.id
  from projects
  where projects.id = notes.named_project_id and not projects.deleting and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')))) and "notes"."discussion_id" = any($2)
  order by "notes"."created_at", "notes"."id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/repository/commits/:sha/merge_requests
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $1 and merge_requests.id in ( select c.merge_request_id
  from merge_request_commits c
  where c.sha = $2 union select m.id
  from merge_requests m
  where m.project_id = $3 and m.merge_commit_sha = $4 union select m.id
  from merge_requests m
  where m.project_id = $5 and m.squash_commit_sha = $6 union select m.id
  from merge_requests m
  where m.project_id = $7 and m.merged_commit_sha = $8)
  limit $9) as counted;
select "merge_requests".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from merge_request_assignees a
  where a.merge_request_id = merge_requests.id
  order by a.user_id) as "assignee_ids", array(select r.user_id
  from merge_request_reviewers r
  where r.merge_request_id = merge_requests.id
  order by r.user_id) as "reviewer_ids", array(select l.label_id
  from merge_request_labels l
  where l.merge_request_id = merge_requests.id) as "label_ids", "version"."base_commit_sha", "version"."start_commit_sha", "version"."head_commit_sha", "version"."real_size", "version"."state" as "version_state"
  from "merge_requests"
  left join "routes" on "routes"."project_id" = "merge_requests"."project_id"
  left join "merge_request_versions" as "version" on "version"."id" = "merge_requests"."latest_version_id"
  where "merge_requests"."project_id" = $2 and merge_requests.id in ( select c.merge_request_id
  from merge_request_commits c
  where c.sha = $3 union select m.id
  from merge_requests m
  where m.project_id = $4 and m.merge_commit_sha = $5 union select m.id
  from merge_requests m
  where m.project_id = $6 and m.squash_commit_sha = $7 union select m.id
  from merge_requests m
  where m.project_id = $8 and m.merged_commit_sha = $9)
  order by "merge_requests"."created_at" desc, "merge_requests"."id" desc
  limit $10 offset $11;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select *
  from "labels"
  where "id" = any($1);
select "milestones".*, coalesce("project_routes"."path", "group_routes"."path") as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."id" = any($1);
select "m"."id", "p"."approvals_before_merge", "p"."disable_overriding_approvers_per_merge_request", "p"."merge_requests_author_approval", "p"."merge_requests_disable_committers_approval", "p"."require_password_to_approve", "p"."reset_approvals_on_push", "p"."only_allow_merge_if_pipeline_succeeds", "p"."allow_merge_on_skipped_pipeline", array(select a.user_id
  from approvals a
  where a.merge_request_id = m.id
  order by a.created_at, a.user_id) as "approved_by", case when p.only_allow_merge_if_all_discussions_are_resolved then (select count(distinct n.discussion_id)::int
  from notes n
  where n.merge_request_id = m.id and n.resolvable and n.resolved_at is null) else 0 end as "unresolved_threads"
  from "merge_requests" as "m"
  inner join "projects" as "p" on "p"."id" = "m"."project_id"
  where "m"."id" = any($1);
select "approval_rules".*, array(select u.user_id
  from approval_rule_users u
  where u.approval_rule_id = approval_rules.id
  order by u.user_id) as "user_ids", array(select g.group_id
  from approval_rule_groups g
  where g.approval_rule_id = approval_rules.id
  order by g.group_id) as "group_ids", array(select b.protected_branch_id
  from approval_rule_branches b
  where b.approval_rule_id = approval_rules.id
  order by 1) as "protected_branch_ids"
  from "approval_rules"
  where ("approval_rules"."project_id" = any($1) or "approval_rules"."merge_request_id" = any($2))
  order by approval_rules.rule_type <> 'any_approver', "approval_rules"."id";
select approval_rule_id as rule_id, user_id
  from approval_rule_users
  where approval_rule_id = any($1::bigint[]) union select g.approval_rule_id, m.user_id
  from approval_rule_groups g join members m on m.namespace_id = g.group_id
  where g.approval_rule_id = any($2::bigint[]) and ("m"."expires_at" is null or "m"."expires_at" > current_date)
  order by 1, 2;
select p.id as project_id, u.id as user_id
  from projects p join namespaces n on n.id = p.namespace_id cross join users u
  where p.id = any($1::bigint[]) and u.id = any($2::bigint[]) and u.state = 'active' and (n.owner_id = u.id or exists ( select
  from memberships m
  where m.user_id = u.id and m.access_level >= $3 and ("m"."expires_at" is null or "m"."expires_at" > current_date) and (m.project_id = p.id or m.namespace_id = any(n.traversal_ids))));

-- GET /projects/:id/repository/commits/:sha/refs
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;

-- GET /projects/:id/repository/commits/:sha/signature
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;

-- GET /projects/:id/repository/commits/:sha/statuses
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "jobs"
  inner join "pipelines" on "pipelines"."id" = "jobs"."pipeline_id"
  left join "routes" on "routes"."project_id" = "jobs"."project_id"
  where "pipelines"."project_id" = $1 and "pipelines"."sha" = $2 and "jobs"."retried" = $3
  limit $4) as counted;
select "jobs".*, "pipelines"."ref", "pipelines"."sha", "routes"."path" as "project_path"
  from "jobs"
  inner join "pipelines" on "pipelines"."id" = "jobs"."pipeline_id"
  left join "routes" on "routes"."project_id" = "jobs"."project_id"
  where "pipelines"."project_id" = $1 and "pipelines"."sha" = $2 and "jobs"."retried" = $3
  order by "jobs"."id"
  limit $4 offset $5;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/repository/compare
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;

-- GET /projects/:id/repository/contributors
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;

-- GET /projects/:id/repository/files/:file_path
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;

-- GET /projects/:id/repository/files/:file_path/blame
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;

-- GET /projects/:id/repository/files/:file_path/raw
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;

-- GET /projects/:id/repository/merge_base
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;

-- GET /projects/:id/repository/tags
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "protected_tags".*, (select coalesce(json_agg(agg), '[]')
  from (select "levels"."id", "levels"."access_level", "levels"."user_id", "levels"."group_id"
  from "protected_tag_access_levels" as "levels"
  where "levels"."protected_tag_id" = "protected_tags"."id"
  order by "levels"."id") as agg) as "levels"
  from "protected_tags"
  where "protected_tags"."project_id" = $1
  order by "protected_tags"."name";
select "releases".*
  from "releases"
  where "project_id" = $1 and "tag" = any($2);

-- GET /projects/:id/repository/tags/:tag_name
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "protected_tags".*, (select coalesce(json_agg(agg), '[]')
  from (select "levels"."id", "levels"."access_level", "levels"."user_id", "levels"."group_id"
  from "protected_tag_access_levels" as "levels"
  where "levels"."protected_tag_id" = "protected_tags"."id"
  order by "levels"."id") as agg) as "levels"
  from "protected_tags"
  where "protected_tags"."project_id" = $1
  order by "protected_tags"."name";
select "releases".*
  from "releases"
  where "project_id" = $1 and "tag" = any($2);

-- GET /projects/:id/repository/tree
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;

-- GET /projects/:id/resource_groups
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "resource_groups"
  where "project_id" = $1
  limit $2) as counted;
select *
  from "resource_groups"
  where "project_id" = $1
  order by "key"
  limit $2 offset $3;

-- GET /projects/:id/resource_groups/:key
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select *
  from "resource_groups"
  where "project_id" = $1 and "key" = $2
  order by "key";

-- GET /projects/:id/runners
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "runners"
  where (runners.runner_type = 'instance_type' or exists (select
  from runner_groups own
  where own.runner_id = runners.id and own.namespace_id = any($1)) or exists (select
  from runner_projects own
  where own.runner_id = runners.id and own.project_id = $2))
  limit $3) as counted;
select "runners".*, "runners"."token_created_at" + case "runners"."runner_type" when 'instance_type' then (select "runner_token_expiration_interval"
  from application_settings) when 'group_type' then (select "group_runner_token_expiration_interval"
  from application_settings) when 'project_type' then (select "project_runner_token_expiration_interval"
  from application_settings) end * interval '1 second' as "token_expires_at"
  from "runners"
  where (runners.runner_type = 'instance_type' or exists (select
  from runner_groups own
  where own.runner_id = runners.id and own.namespace_id = any($1)) or exists (select
  from runner_projects own
  where own.runner_id = runners.id and own.project_id = $2))
  order by "runners"."id" desc
  limit $3 offset $4;

-- GET /projects/:id/search
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where issues.project_id in (select projects.id
  from projects
  where projects.id = $1 and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')) and (("issues"."title" ilike $2) or ("issues"."description" ilike $3))
  limit $4) as counted;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where issues.project_id in (select projects.id
  from projects
  where projects.id = $2 and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')) and (("issues"."title" ilike $3) or ("issues"."description" ilike $4))
  order by "issues"."created_at" desc, "issues"."id" desc
  limit $5 offset $6;
select "milestones".*, coalesce("project_routes"."path", "group_routes"."path") as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."id" = any($1);
select "epics"."id", "epics"."iid", "epics"."title", "epics"."namespace_id", "routes"."path" as "group_path"
  from "epics"
  inner join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  inner join "routes" on "routes"."namespace_id" = "epics"."namespace_id"
  where "epics"."id" = any($1) and true;

-- GET /projects/:id/services
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from (select distinct on ("slug") "integrations".*, (project_id is distinct
  from $1::bigint or namespace_id is distinct
  from $2::bigint) as "inherited"
  from "integrations"
  where (project_id = $3::bigint or namespace_id = $4::bigint or namespace_id = any($5::bigint[]) or project_id is null and namespace_id is null)
  order by "slug", case when project_id is not null then 0 when namespace_id = $6::bigint then 1 when namespace_id is not null then 2 + cardinality($7::bigint[]) - array_position($8::bigint[], namespace_id) else 1000 end) as "integrations"
  where "active" = $9
  limit $10) as counted;
select "integrations".*
  from (select distinct on ("slug") "integrations".*, (project_id is distinct
  from $1::bigint or namespace_id is distinct
  from $2::bigint) as "inherited"
  from "integrations"
  where (project_id = $3::bigint or namespace_id = $4::bigint or namespace_id = any($5::bigint[]) or project_id is null and namespace_id is null)
  order by "slug", case when project_id is not null then 0 when namespace_id = $6::bigint then 1 when namespace_id is not null then 2 + cardinality($7::bigint[]) - array_position($8::bigint[], namespace_id) else 1000 end) as "integrations"
  where "active" = $9
  order by "slug"
  limit $10 offset $11;

-- GET /projects/:id/services/:slug
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "integrations".*
  from (select distinct on ("slug") "integrations".*, (project_id is distinct
  from $1::bigint or namespace_id is distinct
  from $2::bigint) as "inherited"
  from "integrations"
  where (project_id = $3::bigint or namespace_id = $4::bigint or namespace_id = any($5::bigint[]) or project_id is null and namespace_id is null)
  order by "slug", case when project_id is not null then 0 when namespace_id = $6::bigint then 1 when namespace_id is not null then 2 + cardinality($7::bigint[]) - array_position($8::bigint[], namespace_id) else 1000 end) as "integrations"
  where "slug" = $9
  order by "slug";

-- GET /projects/:id/snapshot
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;

-- GET /projects/:id/starrers
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "project_stars"
  inner join "users" on "users"."id" = "project_stars"."user_id"
  where "project_stars"."project_id" = $1 and true
  limit $2) as counted;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url", "project_stars"."created_at" as "starred_since"
  from "project_stars"
  inner join "users" on "users"."id" = "project_stars"."user_id"
  where "project_stars"."project_id" = $1 and true
  order by "project_stars"."created_at" desc, "project_stars"."user_id" desc
  limit $2 offset $3;

-- GET /projects/:id/storage
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;

-- GET /projects/:id/templates/:type
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;

-- GET /projects/:id/templates/:type/:name
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;

-- GET /projects/:id/triggers
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "pipeline_triggers"
  where "project_id" = $1
  limit $2) as counted;
select "pipeline_triggers".*
  from "pipeline_triggers"
  where "project_id" = $1
  order by "id"
  limit $2 offset $3;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/triggers/:trigger_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "pipeline_triggers".*
  from "pipeline_triggers"
  where "project_id" = $1 and "id" = $2
  order by "id";
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/uploads
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "uploads"
  inner join "stored_objects" on "stored_objects"."id" = "uploads"."object_id"
  where "uploads"."project_id" = $1
  limit $2) as counted;
select "uploads"."id", "uploads"."secret", "uploads"."filename", "uploads"."image_type", "uploads"."uploader_id", "uploads"."created_at", "stored_objects"."key", "stored_objects"."size", "stored_objects"."sha256"
  from "uploads"
  inner join "stored_objects" on "stored_objects"."id" = "uploads"."object_id"
  where "uploads"."project_id" = $1
  order by "uploads"."created_at" desc, "uploads"."id" desc
  limit $2 offset $3;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /projects/:id/uploads/:secret/:filename
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "uploads"."id", "uploads"."secret", "uploads"."filename", "uploads"."image_type", "uploads"."uploader_id", "uploads"."created_at", "stored_objects"."key", "stored_objects"."size", "stored_objects"."sha256"
  from "uploads"
  inner join "stored_objects" on "stored_objects"."id" = "uploads"."object_id"
  where "uploads"."project_id" = $1 and "uploads"."secret" = $2;

-- GET /projects/:id/uploads/:upload_id
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "uploads"."id", "uploads"."secret", "uploads"."filename", "uploads"."image_type", "uploads"."uploader_id", "uploads"."created_at", "stored_objects"."key", "stored_objects"."size", "stored_objects"."sha256"
  from "uploads"
  inner join "stored_objects" on "stored_objects"."id" = "uploads"."object_id"
  where "uploads"."project_id" = $1 and "uploads"."id" = $2;

-- GET /projects/:id/users
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select distinct on ("users"."id") 1 as "one"
  from "memberships" as "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where ("members"."expires_at" is null or "members"."expires_at" > current_date) and (true) and (members.project_id = $1 or members.namespace_id = any($2))
  limit $3) as counted;
select distinct on ("users"."id") "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url", "members"."access_level", "members"."expires_at", "members"."created_at"
  from "memberships" as "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where ("members"."expires_at" is null or "members"."expires_at" > current_date) and (true) and (members.project_id = $1 or members.namespace_id = any($2))
  order by "users"."id", "members"."access_level" desc
  limit $3 offset $4;

-- GET /projects/:id/variables
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select count(*)::int as total
  from (select 1 as "one"
  from "ci_variables"
  where "project_id" = $1
  limit $2) as counted;
select "ci_variables".*
  from "ci_variables"
  where "project_id" = $1
  order by "id"
  limit $2 offset $3;

-- GET /projects/:id/variables/:key
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "own"."role"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join lateral (select coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role" offset 0) as "own" on true
  where not projects.deleting and projects.id = $4;
select "ci_variables".*
  from "ci_variables"
  where "project_id" = $1 and "key" = $2
  order by "id";

-- GET /runners
select count(*)::int as total
  from (select 1 as "one"
  from "runners"
  where (runners.runner_type = 'project_type' and exists (select
  from runner_projects own join projects on projects.id = own.project_id
  where own.runner_id = runners.id and (projects.namespace_id in (select inherited.id
  from namespaces inherited
  where inherited.traversal_ids && array(select m.namespace_id
  from memberships m
  where m.user_id = $1 and m.namespace_id is not null and m.access_level >= $2 and ("m"."expires_at" is null or "m"."expires_at" > current_date)) or inherited.owner_id = $3) or projects.id in (select m.project_id
  from memberships m
  where m.user_id = $4 and m.project_id is not null and m.access_level >= $5 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) or runners.runner_type = 'group_type' and exists (select
  from runner_groups own join namespaces on namespaces.id = own.namespace_id
  where own.runner_id = runners.id and namespaces.traversal_ids && array(select m.namespace_id
  from memberships m
  where m.user_id = $6 and m.namespace_id is not null and m.access_level >= $7 and ("m"."expires_at" is null or "m"."expires_at" > current_date))))
  limit $8) as counted;
select "runners".*, "runners"."token_created_at" + case "runners"."runner_type" when 'instance_type' then (select "runner_token_expiration_interval"
  from application_settings) when 'group_type' then (select "group_runner_token_expiration_interval"
  from application_settings) when 'project_type' then (select "project_runner_token_expiration_interval"
  from application_settings) end * interval '1 second' as "token_expires_at"
  from "runners"
  where (runners.runner_type = 'project_type' and exists (select
  from runner_projects own join projects on projects.id = own.project_id
  where own.runner_id = runners.id and (projects.namespace_id in (select inherited.id
  from namespaces inherited
  where inherited.traversal_ids && array(select m.namespace_id
  from memberships m
  where m.user_id = $1 and m.namespace_id is not null and m.access_level >= $2 and ("m"."expires_at" is null or "m"."expires_at" > current_date)) or inherited.owner_id = $3) or projects.id in (select m.project_id
  from memberships m
  where m.user_id = $4 and m.project_id is not null and m.access_level >= $5 and ("m"."expires_at" is null or "m"."expires_at" > current_date)))) or runners.runner_type = 'group_type' and exists (select
  from runner_groups own join namespaces on namespaces.id = own.namespace_id
  where own.runner_id = runners.id and namespaces.traversal_ids && array(select m.namespace_id
  from memberships m
  where m.user_id = $6 and m.namespace_id is not null and m.access_level >= $7 and ("m"."expires_at" is null or "m"."expires_at" > current_date))))
  order by "runners"."id" desc
  limit $8 offset $9;

-- GET /runners/:id
select "runners".*, "runners"."token_created_at" + case "runners"."runner_type" when 'instance_type' then (select "runner_token_expiration_interval"
  from application_settings) when 'group_type' then (select "group_runner_token_expiration_interval"
  from application_settings) when 'project_type' then (select "project_runner_token_expiration_interval"
  from application_settings) end * interval '1 second' as "token_expires_at", true as "managed"
  from "runners"
  where "runners"."id" = $1 and (runners.runner_type = 'instance_type' or true);
select "runner_projects"."runner_id", "projects"."id", "projects"."name", "projects"."path", "routes"."path" as "full_path", "routes"."name" as "full_name"
  from "runner_projects"
  inner join "projects" on "projects"."id" = "runner_projects"."project_id"
  inner join "routes" on "routes"."project_id" = "projects"."id"
  where "runner_projects"."runner_id" = any($1) and not projects.deleting
  order by runner_projects.created_at, projects.id;
select "runner_groups"."runner_id", "namespaces"."id", "namespaces"."name", "routes"."path" as "full_path"
  from "runner_groups"
  inner join "namespaces" on "namespaces"."id" = "runner_groups"."namespace_id"
  inner join "routes" on "routes"."namespace_id" = "namespaces"."id"
  where "runner_groups"."runner_id" = any($1);

-- GET /runners/:id/jobs
select "runners".*, "runners"."token_created_at" + case "runners"."runner_type" when 'instance_type' then (select "runner_token_expiration_interval"
  from application_settings) when 'group_type' then (select "group_runner_token_expiration_interval"
  from application_settings) when 'project_type' then (select "project_runner_token_expiration_interval"
  from application_settings) end * interval '1 second' as "token_expires_at", true as "managed"
  from "runners"
  where "runners"."id" = $1 and (runners.runner_type = 'instance_type' or true);
select count(*)::int as total
  from (select 1 as "one"
  from "jobs"
  where "jobs"."runner_id" = $1 and "jobs"."kind" = $2 and "jobs"."project_id" in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."builds_access_level" = 'private' or "projects"."builds_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled'))
  limit $3) as counted;
select "jobs".*
  from "jobs"
  where "jobs"."runner_id" = $1 and "jobs"."kind" = $2 and "jobs"."project_id" in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."builds_access_level" = 'private' or "projects"."builds_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled'))
  order by "jobs"."id" desc
  limit $3 offset $4;
select "pipelines".*, "routes"."path" as "project_path"
  from "pipelines"
  left join "routes" on "routes"."project_id" = "pipelines"."project_id"
  where "pipelines"."id" = any($1);
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url", "users"."created_at", "users"."bio", "users"."location", "users"."public_email", "users"."skype", "users"."linkedin", "users"."twitter", "users"."website_url", "users"."organization"
  from "users"
  where "users"."id" = any($1);
select "id", "repository_storage"
  from "projects"
  where "id" = any($1);
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where "projects"."id" = any($1);

-- GET /runners/all
select count(*)::int as total
  from (select 1 as "one"
  from "runners"
  limit $1) as counted;
select "runners".*, "runners"."token_created_at" + case "runners"."runner_type" when 'instance_type' then (select "runner_token_expiration_interval"
  from application_settings) when 'group_type' then (select "group_runner_token_expiration_interval"
  from application_settings) when 'project_type' then (select "project_runner_token_expiration_interval"
  from application_settings) end * interval '1 second' as "token_expires_at"
  from "runners"
  order by "runners"."id" desc
  limit $1 offset $2;

-- GET /search
select count(*)::int as total
  from (select 1 as "one"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')) and (("issues"."title" ilike $1) or ("issues"."description" ilike $2))
  limit $3) as counted;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')) and (("issues"."title" ilike $2) or ("issues"."description" ilike $3))
  order by "issues"."created_at" desc, "issues"."id" desc
  limit $4 offset $5;
select "milestones".*, coalesce("project_routes"."path", "group_routes"."path") as "place_path"
  from "milestones"
  left join "routes" as "project_routes" on "project_routes"."project_id" = "milestones"."project_id"
  left join "routes" as "group_routes" on "group_routes"."namespace_id" = "milestones"."namespace_id"
  where "milestones"."id" = any($1);
select "epics"."id", "epics"."iid", "epics"."title", "epics"."namespace_id", "routes"."path" as "group_path"
  from "epics"
  inner join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  inner join "routes" on "routes"."namespace_id" = "epics"."namespace_id"
  where "epics"."id" = any($1) and true;

-- GET /sidekiq/compound_metrics
select tasks.identifier as task, (count(*) filter (where locked_at is null and run_at <= now() and attempts < max_attempts))::int as waiting, (count(*) filter (where locked_at is null and run_at > now() and attempts < max_attempts))::int as later, (count(*) filter (where locked_at is not null))::int as running, (count(*) filter (where attempts > 0 and attempts < max_attempts and last_error is not null))::int as failing, (count(*) filter (where attempts >= max_attempts and locked_at is null))::int as given_up, to_json(min(run_at) filter (where locked_at is null and run_at <= now() and attempts < max_attempts)) #>> '{}' as waiting_since
  from graphile_worker._private_jobs jobs join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id group by tasks.identifier
  order by tasks.identifier;

-- GET /sidekiq/job_stats
select tasks.identifier as task, (count(*) filter (where locked_at is null and run_at <= now() and attempts < max_attempts))::int as waiting, (count(*) filter (where locked_at is null and run_at > now() and attempts < max_attempts))::int as later, (count(*) filter (where locked_at is not null))::int as running, (count(*) filter (where attempts > 0 and attempts < max_attempts and last_error is not null))::int as failing, (count(*) filter (where attempts >= max_attempts and locked_at is null))::int as given_up, to_json(min(run_at) filter (where locked_at is null and run_at <= now() and attempts < max_attempts)) #>> '{}' as waiting_since
  from graphile_worker._private_jobs jobs join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id group by tasks.identifier
  order by tasks.identifier;

-- GET /sidekiq/process_metrics
select tasks.identifier as task, (count(*) filter (where locked_at is null and run_at <= now() and attempts < max_attempts))::int as waiting, (count(*) filter (where locked_at is null and run_at > now() and attempts < max_attempts))::int as later, (count(*) filter (where locked_at is not null))::int as running, (count(*) filter (where attempts > 0 and attempts < max_attempts and last_error is not null))::int as failing, (count(*) filter (where attempts >= max_attempts and locked_at is null))::int as given_up, to_json(min(run_at) filter (where locked_at is null and run_at <= now() and attempts < max_attempts)) #>> '{}' as waiting_since
  from graphile_worker._private_jobs jobs join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id group by tasks.identifier
  order by tasks.identifier;

-- GET /sidekiq/queue_metrics
select tasks.identifier as task, (count(*) filter (where locked_at is null and run_at <= now() and attempts < max_attempts))::int as waiting, (count(*) filter (where locked_at is null and run_at > now() and attempts < max_attempts))::int as later, (count(*) filter (where locked_at is not null))::int as running, (count(*) filter (where attempts > 0 and attempts < max_attempts and last_error is not null))::int as failing, (count(*) filter (where attempts >= max_attempts and locked_at is null))::int as given_up, to_json(min(run_at) filter (where locked_at is null and run_at <= now() and attempts < max_attempts)) #>> '{}' as waiting_since
  from graphile_worker._private_jobs jobs join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id group by tasks.identifier
  order by tasks.identifier;

-- GET /templates/:type

-- GET /templates/:type/:key

-- GET /templates/Licenses

-- GET /templates/Licenses/:key

-- GET /templates/licenses

-- GET /templates/licenses/:key

-- GET /todos
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where "users"."id" = $1;
select count(*)::int as total
  from (select 1 as "one"
  from "todos"
  left join "issues" on "issues"."id" = "todos"."issue_id"
  left join "merge_requests" on "merge_requests"."id" = "todos"."merge_request_id"
  left join "epics" on "epics"."id" = "todos"."epic_id"
  left join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  where "todos"."user_id" = $1 and (todos.issue_id is not null and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')) or todos.merge_request_id is not null and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')) or todos.epic_id is not null and true) and (todos.note_id is null or todos.note_id in ( select notes.id
  from notes
  where notes.id = todos.note_id and (not notes.confidential or notes.issue_id in (select about.id
  from issues about join projects on projects.id = about.project_id
  where about.id = notes.issue_id and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')) or notes.merge_request_id in (select about.id
  from merge_requests about join projects on projects.id = about.project_id
  where about.id = notes.merge_request_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')) or notes.epic_id in (select about.id
  from epics about join namespaces on namespaces.id = about.namespace_id
  where about.id = notes.epic_id and not namespaces.deleting)))) and "todos"."state" = $2
  limit $3) as counted;
select "todos".*
  from "todos"
  left join "issues" on "issues"."id" = "todos"."issue_id"
  left join "merge_requests" on "merge_requests"."id" = "todos"."merge_request_id"
  left join "epics" on "epics"."id" = "todos"."epic_id"
  left join "namespaces" on "namespaces"."id" = "epics"."namespace_id"
  where "todos"."user_id" = $1 and (todos.issue_id is not null and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')) or todos.merge_request_id is not null and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')) or todos.epic_id is not null and true) and (todos.note_id is null or todos.note_id in ( select notes.id
  from notes
  where notes.id = todos.note_id and (not notes.confidential or notes.issue_id in (select about.id
  from issues about join projects on projects.id = about.project_id
  where about.id = notes.issue_id and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled')) or notes.merge_request_id in (select about.id
  from merge_requests about join projects on projects.id = about.project_id
  where about.id = notes.merge_request_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled')) or notes.epic_id in (select about.id
  from epics about join namespaces on namespaces.id = about.namespace_id
  where about.id = notes.epic_id and not namespaces.deleting)))) and "todos"."state" = $2
  order by "todos"."id" desc
  limit $3 offset $4;
select "issues".*, "routes"."path" as "project_path", $1::text as "asked_in", array(select a.user_id
  from issue_assignees a
  where a.issue_id = issues.id
  order by a.user_id) as "assignee_ids", array(select il.label_id
  from issue_labels il
  where il.issue_id = issues.id) as "label_ids"
  from "issues"
  left join "routes" on "routes"."project_id" = "issues"."project_id"
  where "issues"."id" = any($2) and issues.project_id in (select projects.id
  from projects
  where true and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled'));
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select *
  from "labels"
  where "id" = any($1);
with recursive tree as ( select id
  from epics
  where id = any($1) union select e.id
  from epics e join tree on e.parent_id = tree.id ) select e.id, e.parent_id, e.start_date_is_fixed, e.start_date_fixed, e.due_date_is_fixed, e.due_date_fixed, m.milestones_start, m.milestones_due
  from tree join epics e on e.id = tree.id
  left join lateral ( select min(milestones.start_date) as milestones_start, max(milestones.due_date) as milestones_due
  from issues join milestones on milestones.id = issues.milestone_id
  where issues.epic_id = e.id ) m on true;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where "projects"."id" = any($1);

-- GET /topics
select count(*)::int as total
  from (select 1 as "one"
  from "topics"
  limit $1) as counted;
select "id", "name", "title", "description", "total_projects_count"
  from "topics"
  order by "total_projects_count" desc, "id"
  limit $1 offset $2;

-- GET /topics/:id
select "id", "name", "title", "description", "total_projects_count"
  from "topics"
  where "id" = $1;

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
select count(*)::int as total
  from (select 1 as "one"
  from "users"
  where "last_activity_on" >= $1
  limit $2) as counted;
select "username", "last_activity_on" as "last_activity_on"
  from "users"
  where "last_activity_on" >= $1
  order by "last_activity_on", "id"
  limit $2 offset $3;

-- GET /user/emails
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where "users"."id" = $1;
select count(*)::int as total
  from (select 1 as "one"
  from "emails"
  where "user_id" = $1
  limit $2) as counted;
select "id", "user_id", "email", "confirmed_at"
  from "emails"
  where "user_id" = $1
  order by "id"
  limit $2 offset $3;

-- GET /user/emails/:email_id
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where "users"."id" = $1;
select "id", "user_id", "email", "confirmed_at"
  from "emails"
  where "user_id" = $1 and "id" = $2;

-- GET /user/gpg_keys
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where "users"."id" = $1;
select count(*)::int as total
  from (select 1 as "one"
  from "gpg_keys"
  where "user_id" = $1
  limit $2) as counted;
select *
  from "gpg_keys"
  where "user_id" = $1
  order by "id"
  limit $2 offset $3;

-- GET /user/gpg_keys/:key_id
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where "users"."id" = $1;
select *
  from "gpg_keys"
  where "user_id" = $1 and "id" = $2
  order by "id";

-- GET /user/keys
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where "users"."id" = $1;
select count(*)::int as total
  from (select 1 as "one"
  from "keys"
  where "user_id" is not null and "user_id" = $1
  limit $2) as counted;
select "id", "user_id", "title", "key", "fingerprint", "fingerprint_sha256", "last_used_at", "created_at", least("keys"."expires_at", "keys"."created_at" + (select "max_ssh_key_lifetime"
  from application_settings) * interval '1 day') as "expires_at"
  from "keys"
  where "user_id" is not null and "user_id" = $1
  order by "id"
  limit $2 offset $3;

-- GET /user/keys/:key_id
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where "users"."id" = $1;
select "id", "user_id", "title", "key", "fingerprint", "fingerprint_sha256", "last_used_at", "created_at", least("keys"."expires_at", "keys"."created_at" + (select "max_ssh_key_lifetime"
  from application_settings) * interval '1 day') as "expires_at"
  from "keys"
  where "user_id" is not null and "user_id" = $1 and "id" = $2;

-- GET /user/oauth_grants
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where "users"."id" = $1;
select count(*)::int as total
  from (with "grants" as (select "t"."family_id", "t"."user_id", "t"."application_id", "a"."uid", "a"."name" as "application_name", "t"."scopes", "t"."granted_at", (select min("f"."id") as "id"
  from "oauth_access_tokens" as "f"
  where "f"."family_id" = "t"."family_id") as "id", (select max("f"."last_used_at") as "at"
  from "oauth_access_tokens" as "f"
  where "f"."family_id" = "t"."family_id") as "last_used_at", case when t.refresh_digest is null then t.expires_at else least(t.created_at + s.oauth_refresh_token_lifetime * interval '1 day', t.granted_at + s.max_oauth_grant_lifetime * interval '1 day') end as "expires_at"
  from "oauth_access_tokens" as "t"
  inner join "application_settings" as "s" on true
  left join "oauth_applications" as "a" on "a"."id" = "t"."application_id"
  where "t"."user_id" = $1 and "t"."revoked_at" is null and (case when t.refresh_digest is null then t.expires_at else least(t.created_at + s.oauth_refresh_token_lifetime * interval '1 day', t.granted_at + s.max_oauth_grant_lifetime * interval '1 day') end > $2)) select 1 as "one"
  from "grants"
  limit $3) as counted;
with "grants" as (select "t"."family_id", "t"."user_id", "t"."application_id", "a"."uid", "a"."name" as "application_name", "t"."scopes", "t"."granted_at", (select min("f"."id") as "id"
  from "oauth_access_tokens" as "f"
  where "f"."family_id" = "t"."family_id") as "id", (select max("f"."last_used_at") as "at"
  from "oauth_access_tokens" as "f"
  where "f"."family_id" = "t"."family_id") as "last_used_at", case when t.refresh_digest is null then t.expires_at else least(t.created_at + s.oauth_refresh_token_lifetime * interval '1 day', t.granted_at + s.max_oauth_grant_lifetime * interval '1 day') end as "expires_at"
  from "oauth_access_tokens" as "t"
  inner join "application_settings" as "s" on true
  left join "oauth_applications" as "a" on "a"."id" = "t"."application_id"
  where "t"."user_id" = $1 and "t"."revoked_at" is null and (case when t.refresh_digest is null then t.expires_at else least(t.created_at + s.oauth_refresh_token_lifetime * interval '1 day', t.granted_at + s.max_oauth_grant_lifetime * interval '1 day') end > $2)) select *
  from "grants"
  order by "id"
  limit $3 offset $4;

-- GET /user/preferences
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where "users"."id" = $1;

-- GET /user/status
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where "users"."id" = $1;
select "emoji", "message", "availability", "clear_status_at"
  from "user_statuses"
  where "user_id" = $1 and ("clear_status_at" is null or "clear_status_at" > $2);

-- GET /user_counts
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where "users"."id" = $1;
select (select count(*)
  from "merge_request_assignees" chosen join merge_requests on merge_requests.id = chosen.merge_request_id
  where chosen.user_id = $1 and merge_requests.state = 'opened' and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled') offset 0)) as merge_requests, (select count(*)
  from "merge_request_reviewers" chosen join merge_requests on merge_requests.id = chosen.merge_request_id
  where chosen.user_id = $2 and merge_requests.state = 'opened' and merge_requests.project_id in (select projects.id
  from projects
  where projects.id = merge_requests.project_id and not projects.deleting and ("projects"."merge_requests_access_level" = 'private' or "projects"."merge_requests_access_level" = 'enabled') and ("projects"."repository_access_level" = 'private' or "projects"."repository_access_level" = 'enabled') offset 0)) as review_requested, (select count(*)
  from issue_assignees join issues on issues.id = issue_assignees.issue_id
  where issue_assignees.user_id = $3 and issues.state = 'opened' and issues.project_id in (select projects.id
  from projects
  where projects.id = issues.project_id and not projects.deleting and ("projects"."issues_access_level" = 'private' or "projects"."issues_access_level" = 'enabled') offset 0)) as assigned_issues, (select count(*)
  from todos
  where user_id = $4 and state = 'pending' and (todos.snoozed_until is null or todos.snoozed_until <= $5)) as todos;

-- GET /users
select count(*)::int as total
  from (select 1 as "one"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  limit $1) as counted;
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  order by "users"."id" desc, "users"."id" desc
  limit $1 offset $2;
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
select "users"."id", (select count(*)
  from user_follows
  where user_follows."followed_id" = users.id)::int as "followers", (select count(*)
  from user_follows
  where user_follows."follower_id" = users.id)::int as "following"
  from "users"
  where "users"."id" = any($1);

-- GET /users/:id/custom_attributes
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where users.id = $1;
select count(*)::int as total
  from (select 1 as "one"
  from "custom_attributes"
  where "user_id" = $1
  limit $2) as counted;
select "key", "value"
  from "custom_attributes"
  where "user_id" = $1
  order by "id"
  limit $2 offset $3;

-- GET /users/:id/custom_attributes/:key
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where users.id = $1;
select "key", "value"
  from "custom_attributes"
  where "user_id" = $1 and "key" = $2
  order by "id";

-- GET /users/:id/followers
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where users.id = $1;
select count(*)::int as total
  from (select 1 as "one"
  from "user_follows"
  inner join "users" on "users"."id" = "user_follows"."follower_id"
  where "user_follows"."followed_id" = $1
  limit $2) as counted;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "user_follows"
  inner join "users" on "users"."id" = "user_follows"."follower_id"
  where "user_follows"."followed_id" = $1
  order by "user_follows"."created_at" desc, "users"."id" desc
  limit $2 offset $3;

-- GET /users/:id/following
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where users.id = $1;
select count(*)::int as total
  from (select 1 as "one"
  from "user_follows"
  inner join "users" on "users"."id" = "user_follows"."followed_id"
  where "user_follows"."follower_id" = $1
  limit $2) as counted;
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "user_follows"
  inner join "users" on "users"."id" = "user_follows"."followed_id"
  where "user_follows"."follower_id" = $1
  order by "user_follows"."created_at" desc, "users"."id" desc
  limit $2 offset $3;

-- GET /users/:id/memberships
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where users.id = $1;
select count(*)::int as total
  from (select 1 as "one"
  from "members"
  left join "projects" on "projects"."id" = "members"."project_id"
  left join "namespaces" on "namespaces"."id" = "members"."namespace_id"
  where ("members"."expires_at" is null or "members"."expires_at" > current_date) and "members"."user_id" = $1
  limit $2) as counted;
select coalesce("members"."project_id", "members"."namespace_id") as "source_id", coalesce("projects"."name", "namespaces"."name") as "source_name", case when "members"."project_id" is null then 'Namespace' else 'Project' end as "source_type", "members"."access_level"
  from "members"
  left join "projects" on "projects"."id" = "members"."project_id"
  left join "namespaces" on "namespaces"."id" = "members"."namespace_id"
  where ("members"."expires_at" is null or "members"."expires_at" > current_date) and "members"."user_id" = $1
  order by "members"."id"
  limit $2 offset $3;

-- GET /users/:user_id/emails
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where users.id = $1;
select count(*)::int as total
  from (select 1 as "one"
  from "emails"
  where "user_id" = $1
  limit $2) as counted;
select "id", "user_id", "email", "confirmed_at"
  from "emails"
  where "user_id" = $1
  order by "id"
  limit $2 offset $3;

-- GET /users/:user_id/events
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where users.id = $1;
select count(*)::int as total
  from (select 1 as "one"
  from "feed_entries"
  inner join lateral (select "projects"."visibility", "projects"."repository_access_level", "projects"."issues_access_level", "projects"."merge_requests_access_level", coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role"
  from "projects"
  inner join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  where "projects"."id" = "feed_entries"."project_id" and not projects.deleting) as "seen" on true
  where case feed_entries.target_type when 'project' then true when 'issue' then (("seen"."issues_access_level" = 'private' or "seen"."issues_access_level" = 'enabled') and exists ( select
  from issues
  where issues.id = feed_entries.target_id and (not issues.confidential or true))) when 'note' then (("seen"."merge_requests_access_level" = 'private' or "seen"."merge_requests_access_level" = 'enabled') and ("seen"."repository_access_level" = 'private' or "seen"."repository_access_level" = 'enabled') and exists ( select
  from notes
  where notes.id = feed_entries.target_id and notes.merge_request_id is not null and (not notes.confidential or ("seen"."merge_requests_access_level" = 'private' or "seen"."merge_requests_access_level" = 'enabled') and ("seen"."repository_access_level" = 'private' or "seen"."repository_access_level" = 'enabled'))) or ("seen"."issues_access_level" = 'private' or "seen"."issues_access_level" = 'enabled') and exists ( select
  from notes join issues on issues.id = notes.issue_id
  where notes.id = feed_entries.target_id and (not notes.confidential or ("seen"."issues_access_level" = 'private' or "seen"."issues_access_level" = 'enabled')) and (not issues.confidential or true))) when 'merge_request' then (("seen"."merge_requests_access_level" = 'private' or "seen"."merge_requests_access_level" = 'enabled') and ("seen"."repository_access_level" = 'private' or "seen"."repository_access_level" = 'enabled') and exists ( select
  from merge_requests
  where merge_requests.id = feed_entries.target_id)) when 'milestone' then (("seen"."issues_access_level" = 'private' or "seen"."issues_access_level" = 'enabled') or ("seen"."merge_requests_access_level" = 'private' or "seen"."merge_requests_access_level" = 'enabled') and ("seen"."repository_access_level" = 'private' or "seen"."repository_access_level" = 'enabled')) else feed_entries.push_data is not null and ("seen"."repository_access_level" = 'private' or "seen"."repository_access_level" = 'enabled') end and "feed_entries"."author_id" = $4
  limit $5) as counted;
select "feed_entries".*
  from "feed_entries"
  inner join lateral (select "projects"."visibility", "projects"."repository_access_level", "projects"."issues_access_level", "projects"."merge_requests_access_level", coalesce(greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $1 and m.project_id = "projects"."id"), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any("namespaces"."traversal_ids")), case when "namespaces"."owner_id" = $3 then 50 end), 0) as "role"
  from "projects"
  inner join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  where "projects"."id" = "feed_entries"."project_id" and not projects.deleting) as "seen" on true
  where case feed_entries.target_type when 'project' then true when 'issue' then (("seen"."issues_access_level" = 'private' or "seen"."issues_access_level" = 'enabled') and exists ( select
  from issues
  where issues.id = feed_entries.target_id and (not issues.confidential or true))) when 'note' then (("seen"."merge_requests_access_level" = 'private' or "seen"."merge_requests_access_level" = 'enabled') and ("seen"."repository_access_level" = 'private' or "seen"."repository_access_level" = 'enabled') and exists ( select
  from notes
  where notes.id = feed_entries.target_id and notes.merge_request_id is not null and (not notes.confidential or ("seen"."merge_requests_access_level" = 'private' or "seen"."merge_requests_access_level" = 'enabled') and ("seen"."repository_access_level" = 'private' or "seen"."repository_access_level" = 'enabled'))) or ("seen"."issues_access_level" = 'private' or "seen"."issues_access_level" = 'enabled') and exists ( select
  from notes join issues on issues.id = notes.issue_id
  where notes.id = feed_entries.target_id and (not notes.confidential or ("seen"."issues_access_level" = 'private' or "seen"."issues_access_level" = 'enabled')) and (not issues.confidential or true))) when 'merge_request' then (("seen"."merge_requests_access_level" = 'private' or "seen"."merge_requests_access_level" = 'enabled') and ("seen"."repository_access_level" = 'private' or "seen"."repository_access_level" = 'enabled') and exists ( select
  from merge_requests
  where merge_requests.id = feed_entries.target_id)) when 'milestone' then (("seen"."issues_access_level" = 'private' or "seen"."issues_access_level" = 'enabled') or ("seen"."merge_requests_access_level" = 'private' or "seen"."merge_requests_access_level" = 'enabled') and ("seen"."repository_access_level" = 'private' or "seen"."repository_access_level" = 'enabled')) else feed_entries.push_data is not null and ("seen"."repository_access_level" = 'private' or "seen"."repository_access_level" = 'enabled') end and "feed_entries"."author_id" = $4
  order by "feed_entries"."created_at" desc, "feed_entries"."id" desc
  limit $5 offset $6;
select "id", "iid", "title"
  from "issues"
  where "id" = any($1);
select "notes"."id", "notes"."id" as "iid", coalesce(issues.title, merge_requests.title) as "title"
  from "notes"
  left join "issues" on "issues"."id" = "notes"."issue_id"
  left join "merge_requests" on "merge_requests"."id" = "notes"."merge_request_id"
  where "notes"."id" = any($1);
select "id", "iid", "title"
  from "merge_requests"
  where "id" = any($1);
select "id", "iid", "title"
  from "milestones"
  where "id" = any($1);
select "users"."id", "users"."name", "users"."username", "users"."state", "users"."avatar_url"
  from "users"
  where "users"."id" = any($1);

-- GET /users/:user_id/gpg_keys
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where users.id = $1;
select count(*)::int as total
  from (select 1 as "one"
  from "gpg_keys"
  where "user_id" = $1
  limit $2) as counted;
select *
  from "gpg_keys"
  where "user_id" = $1
  order by "id"
  limit $2 offset $3;

-- GET /users/:user_id/gpg_keys/:key_id
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where users.id = $1;
select *
  from "gpg_keys"
  where "user_id" = $1 and "id" = $2
  order by "id";

-- GET /users/:user_id/impersonation_tokens
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where users.id = $1;
select count(*)::int as total
  from (select 1 as "one"
  from "personal_access_tokens"
  where "impersonation" = $1 and "user_id" = $2
  limit $3) as counted;
select "personal_access_tokens"."id", "personal_access_tokens"."user_id", "personal_access_tokens"."name", "personal_access_tokens"."scopes", "personal_access_tokens"."impersonation", "personal_access_tokens"."revoked", "personal_access_tokens"."created_at", "personal_access_tokens"."last_used_at", least("personal_access_tokens"."expires_at", (("personal_access_tokens"."created_at" + (select "max_personal_access_token_lifetime"
  from application_settings) * interval '1 day') at time zone 'UTC')::date) as "expires_at"
  from "personal_access_tokens"
  where "impersonation" = $1 and "user_id" = $2
  order by "id"
  limit $3 offset $4;

-- GET /users/:user_id/impersonation_tokens/:impersonation_token_id
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where users.id = $1;
select "personal_access_tokens"."id", "personal_access_tokens"."user_id", "personal_access_tokens"."name", "personal_access_tokens"."scopes", "personal_access_tokens"."impersonation", "personal_access_tokens"."revoked", "personal_access_tokens"."created_at", "personal_access_tokens"."last_used_at", least("personal_access_tokens"."expires_at", (("personal_access_tokens"."created_at" + (select "max_personal_access_token_lifetime"
  from application_settings) * interval '1 day') at time zone 'UTC')::date) as "expires_at"
  from "personal_access_tokens"
  where "impersonation" = $1 and "user_id" = $2 and "id" = $3
  order by "id";

-- GET /users/:user_id/keys
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where users.id = $1;
select count(*)::int as total
  from (select 1 as "one"
  from "keys"
  where "user_id" is not null and "user_id" = $1
  limit $2) as counted;
select "id", "user_id", "title", "key", "fingerprint", "fingerprint_sha256", "last_used_at", "created_at", least("keys"."expires_at", "keys"."created_at" + (select "max_ssh_key_lifetime"
  from application_settings) * interval '1 day') as "expires_at"
  from "keys"
  where "user_id" is not null and "user_id" = $1
  order by "id"
  limit $2 offset $3;

-- GET /users/:user_id/keys/:key_id
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where users.id = $1;
select "id", "user_id", "title", "key", "fingerprint", "fingerprint_sha256", "last_used_at", "created_at", least("keys"."expires_at", "keys"."created_at" + (select "max_ssh_key_lifetime"
  from application_settings) * interval '1 day') as "expires_at"
  from "keys"
  where "user_id" is not null and "user_id" = $1 and "id" = $2;

-- GET /users/:user_id/projects
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where users.id = $1;
select count(*)::int as total
  from (select 1 as "one"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where not projects.deleting and "namespaces"."owner_id" = $1
  limit $2) as counted;
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where not projects.deleting and "namespaces"."owner_id" = $1
  order by "projects"."created_at" desc, "projects"."id" desc
  limit $2 offset $3;
select "id", "name", "username", "state", "avatar_url", "created_at"
  from "users"
  where "id" = any($1);
select p.id, (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from members m
  where m.user_id = $1 and m.project_id = p.id) as project, greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any(n.traversal_ids)), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $3 and m.project_id = p.id and m.share_id is not null) ) as group
  from projects p join namespaces n on n.id = p.namespace_id
  where p.id = any($4);
select "project_id", "namespace_id", "level"
  from "notification_settings"
  where "user_id" = $1 and ("project_id" = any($2) or "namespace_id" = any($3));
select "project_id" as "id", "encrypted"
  from "runners_tokens"
  where "project_id" = any($1);
select "shares"."project_id" as "shared_id", "shares"."group_id", "namespaces"."name" as "group_name", "routes"."path" as "group_full_path", "shares"."access_level" as "group_access_level", "shares"."expires_at"
  from "shares"
  inner join "namespaces" on "namespaces"."id" = "shares"."group_id"
  inner join "routes" on "routes"."namespace_id" = "shares"."group_id"
  where "shares"."project_id" = any($1) and (shares.expires_at is null or shares.expires_at > current_date) and not namespaces.deleting
  order by "shares"."id";
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "project_forks"."project_id" as "fork_id"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join "project_forks" on "project_forks"."source_id" = "projects"."id"
  where "project_forks"."project_id" = any($1) and not projects.deleting;

-- GET /users/:user_id/starred_projects
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where users.id = $1;
select count(*)::int as total
  from (select 1 as "one"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where not projects.deleting and projects.id in (select project_id
  from project_stars
  where user_id = $1)
  limit $2) as counted;
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  where not projects.deleting and projects.id in (select project_id
  from project_stars
  where user_id = $1)
  order by "projects"."created_at" desc, "projects"."id" desc
  limit $2 offset $3;
select "id", "name", "username", "state", "avatar_url", "created_at"
  from "users"
  where "id" = any($1);
select p.id, (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from members m
  where m.user_id = $1 and m.project_id = p.id) as project, greatest( (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $2 and m.namespace_id = any(n.traversal_ids)), (select max(m.access_level) filter (where ("m"."expires_at" is null or "m"."expires_at" > current_date))
  from memberships m
  where m.user_id = $3 and m.project_id = p.id and m.share_id is not null) ) as group
  from projects p join namespaces n on n.id = p.namespace_id
  where p.id = any($4);
select "project_id", "namespace_id", "level"
  from "notification_settings"
  where "user_id" = $1 and ("project_id" = any($2) or "namespace_id" = any($3));
select "project_id" as "id", "encrypted"
  from "runners_tokens"
  where "project_id" = any($1);
select "shares"."project_id" as "shared_id", "shares"."group_id", "namespaces"."name" as "group_name", "routes"."path" as "group_full_path", "shares"."access_level" as "group_access_level", "shares"."expires_at"
  from "shares"
  inner join "namespaces" on "namespaces"."id" = "shares"."group_id"
  inner join "routes" on "routes"."namespace_id" = "shares"."group_id"
  where "shares"."project_id" = any($1) and (shares.expires_at is null or shares.expires_at > current_date) and not namespaces.deleting
  order by "shares"."id";
select "projects".*, "routes"."path" as "full_path", "routes"."name" as "full_name", "namespaces"."name" as "namespace_name", "namespaces"."path" as "namespace_path", "namespaces"."kind" as "namespace_kind", "namespaces"."parent_id" as "namespace_parent_id", "namespaces"."avatar_url" as "namespace_avatar_url", "namespaces"."owner_id" as "namespace_owner_id", "namespaces"."traversal_ids" as "namespace_traversal_ids", "namespace_routes"."path" as "namespace_full_path", "project_forks"."project_id" as "fork_id"
  from "projects"
  left join "routes" on "routes"."project_id" = "projects"."id"
  left join "namespaces" on "namespaces"."id" = "projects"."namespace_id"
  left join "routes" as "namespace_routes" on "namespace_routes"."namespace_id" = "projects"."namespace_id"
  inner join "project_forks" on "project_forks"."source_id" = "projects"."id"
  where "project_forks"."project_id" = any($1) and not projects.deleting;

-- GET /users/:user_id/status
select "users".*, "namespaces"."id" as "namespace_id"
  from "users"
  left join "namespaces" on "namespaces"."owner_id" = "users"."id"
  where users.id = $1;
select "emoji", "message", "availability", "clear_status_at"
  from "user_statuses"
  where "user_id" = $1 and ("clear_status_at" is null or "clear_status_at" > $2);

-- GET /version
