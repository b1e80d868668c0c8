-- Where the request that moves references came from, for the audit log: what follows is recorded after git is done, or after a crash.
alter table reference_intents add column origin jsonb;
