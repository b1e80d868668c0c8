-- The overview of the administration counts what happened on each of the last days. The rows lie in the order of their time, so a summary of
-- the blocks finds those of a day, and costs next to nothing when rows are written.
create index feed_entries_days on feed_entries using brin (created_at) with (pages_per_range = 32);
create index jobs_days on jobs using brin (created_at) with (pages_per_range = 32);
