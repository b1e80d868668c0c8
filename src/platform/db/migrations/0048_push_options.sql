-- What a push says besides its moves (`git push -o ci.skip`): kept with the intent, so that a crash forgets nothing of it.
alter table reference_intents add column push_options text[] not null default '{}';
