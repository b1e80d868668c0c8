-- Addresses by which people make issues and merge requests (src/identity/users/activity/incoming_email_tokens.ts).
alter table users add column incoming_email_version integer not null default 0;
