-- The language of mails to people who chose none (src/platform/mail/readers.ts).
alter table application_settings add column default_preferred_language text not null default 'en';
