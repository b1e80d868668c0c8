-- Raised to make the feed token of an account worthless, which is signed and not stored.
alter table users add column feed_token_version integer not null default 0;
