-- Until then an account takes no passwords from networks that are not known, after too many wrong ones: in all processes.
alter table users add column locked_until timestamptz;

-- Mails of invitations are written to people who may know nothing of this server.
alter table application_settings add column daily_invitations_per_user integer not null default 200 check (daily_invitations_per_user >= 0);
alter table application_settings add column daily_invitations_per_instance integer not null default 5000 check (daily_invitations_per_instance >= 0);
alter table application_settings add column max_invitation_lifetime integer default 30 check (max_invitation_lifetime > 0);
