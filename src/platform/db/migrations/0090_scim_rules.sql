-- Whom identity providers may bring in: who turns SCIM on, how many accounts a group may make, with which addresses, and whether
-- users who have an account already are added.
alter table application_settings
  add column scim_provisioning text not null default 'administrators' check (scim_provisioning in ('disabled', 'administrators', 'owners')),
  add column scim_accounts_per_group integer not null default 1000 check (scim_accounts_per_group >= 0),
  add column scim_email_domains text[] not null default '{}',
  add column scim_existing_users text not null default 'members' check (scim_existing_users in ('refused', 'members', 'verified'));

-- Did an administrator turn it on? Of the groups that have SCIM already, those that administrators alone own count as such.
alter table scim_tokens add column enabled_by_admin boolean not null default false;
update scim_tokens set enabled_by_admin = true
 where exists (select from members m join users u on u.id = m.user_id
                where m.namespace_id = scim_tokens.group_id and m.access_level = 50 and u.admin and u.state = 'active')
   and not exists (select from members m join users u on u.id = m.user_id
                    where m.namespace_id = scim_tokens.group_id and m.access_level = 50 and not u.admin);
