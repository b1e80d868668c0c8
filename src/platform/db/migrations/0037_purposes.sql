-- Why references move, where more follows than from any other move: {kind, …}, see src/references/purposes.ts. It stands with the
-- intent, so that what follows is recorded after a crash as well.
alter table reference_intents add column purpose jsonb;
