-- What an account prefers on pages: only what differs from the defaults (src/platform/access/preferences.ts).
alter table users add column preferences jsonb not null default '{}' check (jsonb_typeof(preferences) = 'object');
