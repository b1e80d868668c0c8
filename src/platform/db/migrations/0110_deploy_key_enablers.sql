-- A deploy key acts in a project for the user who enabled it there, and only while that user may do there what the key does.
-- Null: the account was deleted, so that the key is stopped in this project until another user enables it again.
alter table deploy_key_projects add column enabled_by bigint references users on delete set null;
update deploy_key_projects d set enabled_by = k.creator_id from keys k where k.id = d.key_id;
create index deploy_key_projects_enabled_by on deploy_key_projects (enabled_by);

-- Who added a key decides nothing any more: the audit log has it.
alter table keys drop constraint keys_of_people;
alter table keys drop column creator_id;
alter table keys add constraint keys_of_people check (user_id is null or not public);
