-- The audit log has entries of every kind of event, outlives the accounts that it names, and is kept as long as the instance says.

-- The id of an author stays when the account is gone.
alter table audit_events drop constraint audit_events_author_id_fkey;
drop index audit_events_author;
create index audit_events_author on audit_events (author_id, id);

alter table audit_events drop constraint audit_events_entity_type_check;
alter table audit_events add check (entity_type in ('User', 'Group', 'Project', 'Instance'));

-- The kind of the event that an entry was made of. Older entries are all of SCIM.
alter table audit_events add column kind text not null default 'scim_token.changed';
update audit_events set kind = 'scim_user.changed' where target_type = 'User';
alter table audit_events alter column kind drop default;
create index audit_events_kind on audit_events (kind, id);

alter table audit_events add column user_agent text not null default '';
-- How the author proved who they are: `session`, `personal_access_token` and the like; empty where nobody did.
alter table audit_events add column credential text not null default '';
-- The username of the account that an administrator acted as by sudo.
alter table audit_events add column acting_as text;
alter table audit_events add column request_id text not null default '';
-- Repetitions with the same words here are one entry, and counted.
alter table audit_events add column counted_as text;
alter table audit_events add column occurrences integer not null default 1;
create unique index audit_events_counted_as on audit_events (counted_as);

-- Days; 0 keeps entries for ever.
alter table application_settings add column audit_events_retention_days integer not null default 0 check (audit_events_retention_days >= 0);
