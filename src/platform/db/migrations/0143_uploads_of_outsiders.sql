-- Files of users who are not members of the project have a share of its room. What is there counts for the members.
alter table uploads add column of_outsider boolean not null default false;
alter table storage_reservations add column of_outsider boolean not null default false;
create index uploads_latest on uploads (project_id, created_at desc, id desc);
