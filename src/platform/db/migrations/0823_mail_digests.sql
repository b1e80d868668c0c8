-- Notifications that wait until their recipient gets them together (src/platform/mail/digests.ts); null: sent immediately.
alter table mails add column gathered text check (gathered in ('hourly', 'daily'));
create index mails_gathered on mails (user_id, id) where gathered is not null;
