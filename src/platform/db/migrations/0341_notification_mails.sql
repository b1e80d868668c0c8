-- What many mails have in common, once: the text of a notification (src/platform/mail/outbox.ts).
create table mail_bodies (
  id bigint generated always as identity primary key,
  -- Encrypted, as the content of a mail.
  content text not null,
  created_at timestamptz not null default now()
);
create index mail_bodies_created_at on mail_bodies (created_at);

alter table mails
  add column body_id bigint references mail_bodies on delete cascade,
  -- What its recipient must still be able to read when it is sent.
  add column about jsonb;
create index mails_body on mails (body_id);

-- What was mailed: an event is delivered again after a crash, and its mails are written once.
create table notified (
  key text primary key,
  created_at timestamptz not null default now()
);
create index notified_created_at on notified (created_at);
