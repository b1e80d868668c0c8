-- The IDs of a key and its subkeys, 16 hex digits each, by which signatures name them. Null: added before, and not read yet; the first signature that is
-- looked at has them read (identity/gpg_keys/key_ids.ts), since only the program can read a key.
alter table gpg_keys add column key_ids text[];
create index gpg_keys_key_ids on gpg_keys using gin (key_ids);
create index gpg_keys_unread on gpg_keys (id) where key_ids is null;
