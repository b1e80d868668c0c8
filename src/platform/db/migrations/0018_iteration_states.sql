-- The state of an iteration follows from its dates.
alter table iterations drop column state;
create index iterations_dates on iterations (namespace_id, due_date, id);
