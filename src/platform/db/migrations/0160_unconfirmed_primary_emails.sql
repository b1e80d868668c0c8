-- An address that nobody has confirmed is nobody's: accounts that wait for an approval or a confirmation may name the same one, and whoever
-- confirms it has it.
drop index users_email_key;
create unique index users_email_key on users (lower(email)) where confirmed_at is not null;
create index users_email on users (lower(email));
