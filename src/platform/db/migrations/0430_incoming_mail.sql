-- Mails that were taken, each once, whatever its service or server sends again (src/integrations/incoming_mail).
create table incoming_mails (
  -- The digest of the key that it was sent to and its Message-ID; of all of its bytes where it has none.
  key text primary key,
  created_at timestamptz not null default now()
);
create index incoming_mails_created_at on incoming_mails (created_at);
