-- Accounts made by SCIM are counted for good: for the top-level group and, where no administrator turned on its SCIM, for the user who did.
-- The count outlives groups that are deleted or moved.

alter table application_settings add column scim_accounts_per_owner integer not null default 1000 check (scim_accounts_per_owner >= 0);

-- Who turned it on, or gave it its latest token; null where an administrator turned it on.
alter table scim_tokens add column enabled_by bigint references users on delete set null;
update scim_tokens set enabled_by = (
  select m.user_id from members m join users u on u.id = m.user_id
   where m.namespace_id = scim_tokens.group_id and m.access_level = 50 and u.kind = 'human' order by m.id limit 1)
 where not enabled_by_admin;
create index scim_tokens_enabled_by on scim_tokens (enabled_by);

alter table provisioned_users
  -- Of the group whose provider may change the account; null once the group is deleted.
  alter column group_id drop not null,
  drop constraint provisioned_users_group_id_fkey,
  add constraint provisioned_users_group_id_fkey foreign key (group_id) references namespaces on delete set null,
  -- Of the top-level group at that time: no foreign key, since it counts after the group is deleted too.
  add column top_group_id bigint,
  -- The user whose count it is.
  add column charged_to bigint references users on delete set null;
update provisioned_users set
  top_group_id = (select traversal_ids[1] from namespaces where namespaces.id = provisioned_users.group_id),
  charged_to = (select t.enabled_by from namespaces n join scim_tokens t on t.group_id = n.traversal_ids[1] where n.id = provisioned_users.group_id);
alter table provisioned_users alter column top_group_id set not null;
create index provisioned_users_top_group on provisioned_users (top_group_id);
create index provisioned_users_charged_to on provisioned_users (charged_to);
