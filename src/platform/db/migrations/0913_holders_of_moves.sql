-- The mark of the process that makes the moves (platform/events/lease.ts): when it is gone, nobody makes them any more. Null: not known.
alter table reference_intents add column holder text;
