-- Links with which an address is confirmed: the primary one of an account, one that is to become it, or an additional one.
create table email_confirmations (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  digest text not null unique,
  -- To which the link was sent: the account must still want it.
  email text not null,
  -- Of the request, since the task that answers it may run twice; null where the link was made in the transaction of the request.
  request_key text unique,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index email_confirmations_user on email_confirmations (user_id);
create index email_confirmations_email on email_confirmations (lower(email), created_at);
create index email_confirmations_expires_at on email_confirmations (expires_at);

-- The address that becomes the primary one when it is confirmed.
alter table users add column unconfirmed_email text;
create index users_unconfirmed_email on users (lower(unconfirmed_email)) where unconfirmed_email is not null;

-- Whether people who sign up confirm their address, where the instance sends mail.
alter table application_settings add column send_user_confirmation_email boolean not null default true;
