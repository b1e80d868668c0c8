-- Mails that are to be sent: written in the transaction of what causes them, sent by the queue (src/platform/mail), and deleted once the server of the
-- setting INGOT_SMTP_URL has taken them.
create table mails (
  id bigint generated always as identity primary key,
  kind text not null,
  -- The account that it is for; null for an address without one.
  user_id bigint references users on delete cascade,
  recipient text not null,
  subject text not null,
  -- Encrypted: links in it may open an account.
  content text not null,
  -- The instance sends none: it is kept for administrators, with the last ones.
  kept boolean not null default false,
  -- It says nothing afterwards, and is not sent.
  expires_at timestamptz,
  created_at timestamptz not null default now()
);
create index mails_user on mails (user_id);
create index mails_kept on mails (id) where kept;
create index mails_created_at on mails (created_at) where not kept;

-- Links with which a forgotten password is set again.
create table password_resets (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  digest text not null unique,
  -- To which the link was sent: it must still be the account's.
  email text not null,
  -- Of the request, since the task that answers it may run twice.
  request_key text not null unique,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index password_resets_user on password_resets (user_id, created_at);
create index password_resets_expires_at on password_resets (expires_at);
