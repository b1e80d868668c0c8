-- Since when the directory of an identity no longer has the person, and whether their account was blocked for that: it alone is set free
-- again when they are back.
alter table identities
  add column left_at timestamptz,
  add column blocked_account boolean not null default false;

-- Whom a directory is asked about, a number at a time.
create index identities_provider_id on identities (provider, id);
