-- Issues that people without an account write by mail (src/integrations/service_desk).
alter table issues
  -- The address of who wrote it; null for all others.
  add column service_desk_reply_to text;

-- People without an account who get the comments on an issue by mail, and answer them.
create table issue_email_participants (
  id bigint generated always as identity primary key,
  issue_id bigint not null references issues on delete cascade,
  email text not null,
  -- Of their first mail, so that their mail program shows ours below it.
  message_id text,
  created_at timestamptz not null default now()
);
create unique index issue_email_participants_issue on issue_email_participants (issue_id, lower(email));

alter table users drop constraint users_kind_check;
alter table users add constraint users_kind_check check (kind in ('human', 'project_bot', 'ghost', 'support_bot'));
