-- The owner of a token or key got a mail that it ends soon: one is enough.
alter table personal_access_tokens add column expiry_mailed boolean not null default false;
alter table keys add column expiry_mailed boolean not null default false;
create index personal_access_tokens_expires_at on personal_access_tokens (expires_at) where not revoked and not expiry_mailed;
create index keys_expires_at on keys (expires_at) where not expiry_mailed;
