-- Who made a deploy key, and each project that has enabled it as a thing with an id of its own: keys are found with both (keys API).
alter table keys add column created_by bigint references users on delete set null;
create index keys_created_by on keys (created_by);
alter table deploy_key_projects
  add column id bigint generated always as identity unique,
  add column updated_at timestamptz not null default now();
update deploy_key_projects set updated_at = created_at;
update keys set created_by = (
  select links.enabled_by from deploy_key_projects links where links.key_id = keys.id order by links.created_at, links.project_id limit 1)
 where user_id is null;
