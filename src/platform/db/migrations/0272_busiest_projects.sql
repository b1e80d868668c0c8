-- The projects of a place whose jobs ran longest on a day: the list of a page looks at these, and not at every project below a group.
alter table ci_days add column busiest bigint[] not null default '{}';
-- The worker counts days again that the instance has no row of.
delete from ci_days where project_id is null and namespace_id is null;
drop index ci_days_busiest;
