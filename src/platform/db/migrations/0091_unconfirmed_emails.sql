-- An additional address that nobody has confirmed keeps others from nothing: it is unique among those of its user. One that is
-- confirmed is unique in the instance, as before.
drop index emails_email_key;
create unique index emails_confirmed_key on emails (lower(email)) where confirmed_at is not null;
create unique index emails_of_user_key on emails (lower(email), user_id);
